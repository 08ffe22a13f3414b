import { mock } from 'node:test'
import t from 'tap'
import { logKeys } from '../../src/audit/keys.ts'
import { openOperationLog } from '../../src/audit/writer.ts'
import type { Db } from '../../src/db/client.ts'
import { followClock } from '../../src/db/clock.ts'
import { currentTime, setClock } from '../../src/runtime/clock.ts'
import { logEntry } from '../audit/log-entry.ts'
import { silent } from '../database.ts'

const hour = 3_600_000

t.afterEach(() => {
  mock.timers.reset()
  setClock(null)
})

t.test('a database that does not answer is asked for its time once', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] })
  const answers: ((rows: { at: number }[]) => void)[] = []
  const db = { execute: () => new Promise((answer) => void answers.push(answer)) } as unknown as Db
  const tell = async (at: number): Promise<void> => {
    answers.at(-1)?.([{ at }])
    await new Promise(setImmediate)
  }
  const following = followClock({ db, kind: 'postgres' }, silent)
  await tell(Date.now() + hour)
  const end = await following
  t.ok(currentTime() > Date.now() + hour - 60_000)
  for (let looks = 0; looks < 10; looks += 1) mock.timers.tick(5000)
  t.equal(answers.length, 2)
  await tell(Date.now() - hour)
  t.ok(currentTime() < Date.now() - hour + 60_000, 'its answer counts when it comes')
  mock.timers.tick(5000)
  t.equal(answers.length, 3)
  end()
  t.ok(Math.abs(currentTime() - Date.now()) < 1000)
})

t.test('entries of the log are not stuck because the clocks of the host and the database differ', async (t) => {
  setClock(() => Date.now() - hour)
  const db = { transaction: () => new Promise(() => {}) } as unknown as Db
  const log = openOperationLog({
    db,
    keys: logKeys(['a secret that is long enough for a test']),
    log: silent,
    timeout: 1,
  })
  log.append(logEntry())
  t.equal(log.stuck(), null)
  t.equal(log.admits(), true)
  await log.close()
})
