import t from 'tap'
import { describeFailure } from '../../src/db/connection-failure.ts'
import { lackOf } from '../../src/db/lack.ts'

/** As the driver has it, below what the query builder says. */
const refused = (code: string, severity = 'ERROR'): Error =>
  new Error('Failed query', {
    cause: Object.assign(new Error('of the server'), { name: 'PostgresError', code, severity }),
  })

t.test('what a server lacks, by what it answers', async (t) => {
  const answers = { '53100': 'disk', '53200': 'memory', '53300': 'connections', '25006': 'changes' }
  for (const [code, lack] of Object.entries(answers)) t.equal(lackOf(refused(code)), lack, code)
  for (const code of ['23505', '57P03', 'ECONNREFUSED']) t.equal(lackOf(refused(code)), null, code)
  t.equal(describeFailure(refused('53300', 'FATAL')), 'has no connection left for this user')
  t.equal(describeFailure(Object.assign(new Error(), { code: 'ECONNREFUSED' })), 'does not answer (ECONNREFUSED)')
})
