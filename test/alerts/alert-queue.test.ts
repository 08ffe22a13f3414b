import t from 'tap'
import { type Alert, alertOf } from '../../src/alerts/alert.ts'
import { openAlertQueue } from '../../src/alerts/alert-queue.ts'
import { openOutbox } from '../../src/alerts/notifications/outbox.ts'
import type { Db } from '../../src/db/client.ts'
import { silent } from '../database.ts'

t.test('a flood of other causes keeps no danger from being raised', async (t) => {
  const outbox = openOutbox({ recipients: [], webhook: false, timeZone: 'UTC' })
  const dropped: string[] = []
  const written: string[] = []
  const db = { transaction: async () => void written.push('one') } as unknown as Db
  const error = (fields: unknown) => void dropped.push((fields as { alert: Alert }).alert.rule)
  const queue = openAlertQueue({ db, outbox, log: { ...silent, error } })
  for (let at = 0; at < 1010; at++) {
    void queue.raise(alertOf('forbiddenBurst', { caller: `${at}`, requests: 20, seconds: 60, address: '192.0.2.1' }))
  }
  void queue.raise(alertOf('backupFailed', { id: 1, reason: 'the disk is full' }))
  await queue.close()
  t.strictSame(dropped, Array(10).fill('forbiddenBurst'))
  t.equal(written.length, 1001)
})
