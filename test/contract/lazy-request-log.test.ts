import { pino } from 'pino'
import t from 'tap'
import { lazyRequestLog } from '../../src/contract/lazy-request-log.ts'

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

/** A log that counts the loggers made from it. */
const counted = () => {
  const lines: string[] = []
  const options = { level: 'debug', base: null, timestamp: false }
  const log = pino(options, { write: (line: string) => void lines.push(line) })
  let made = 0
  const { child } = log
  log.child = function (this: typeof log, ...given: Parameters<typeof child>) {
    made += 1
    return child.apply(this, given)
  } as typeof log.child
  return { log, made: () => made, lines: () => lines.splice(0).map((line) => JSON.parse(line)) }
}

t.test('the log of a request is made when it writes, and once', async (t) => {
  const { log, made, lines } = counted()
  const ofRequest = lazyRequestLog(log, { requestId: 'r1' }, {})
  t.equal('isLevelEnabled' in ofRequest && (ofRequest.isLevelEnabled as (level: string) => boolean)('trace'), false)
  ofRequest.silent('nothing')
  t.equal(made(), 0)
  for (const level of levels) ofRequest[level]({ at: level }, 'seen')
  t.equal(made(), 1)
  t.match(
    lines(),
    levels.slice(1).map((level) => ({ requestId: 'r1', at: level, msg: 'seen' })),
  )
  ofRequest.child({ part: 'a' }).info('of a part')
  t.match(lines(), [{ requestId: 'r1', part: 'a', msg: 'of a part' }])
  t.equal(ofRequest.level, 'debug')
})

t.test('the level of a route holds, and a log without levels logs', async (t) => {
  const { log, lines } = counted()
  const quiet = lazyRequestLog(log, { requestId: 'r2' }, { level: 'error' })
  quiet.info('not written')
  quiet.error('written')
  t.match(lines(), [{ requestId: 'r2', msg: 'written' }])
  const { isLevelEnabled: _, ...plain } = { ...log, child: log.child }
  const bare = lazyRequestLog(plain as typeof log, {}, {}) as unknown as { isLevelEnabled: (level: string) => boolean }
  t.equal(bare.isLevelEnabled('trace'), true)
})
