import t from 'tap'
import { noteServiceTime, serviceNow } from '../../src/console/app/clock.ts'

/** An answer of a service that has this time. */
const answerAt = (time: number): Response =>
  new Response(null, { headers: { 'cache-control': 'no-store', date: new Date(time).toUTCString() } })

t.test('what happened at the service is not still to come', async (t) => {
  const now = Date.UTC(2026, 10, 25, 12)
  t.intercept(Date, 'now', { value: () => now })
  for (const hours of [2, -2, 24 * 365]) {
    for (const part of [0, 1, 500, 999]) {
      const service = now + hours * 3_600_000 + part
      noteServiceTime(answerAt(service), now)
      t.ok(serviceNow() >= service && serviceNow() <= service + 1000, `${hours} h and ${part} ms`)
    }
  }
  noteServiceTime(answerAt(now + 3000), now)
  t.equal(serviceNow(), now, 'a small difference is not corrected')
})
