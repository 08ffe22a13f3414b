import t from 'tap'
import { describeOutcome, outcomeError } from '../../src/ldap/result-code.ts'
import { statements } from '../../src/ldap/statements.ts'
import { testDatabase } from '../database.ts'
import { platforms, stage } from '../sources/platforms.ts'
import { engine } from './engine-service.ts'
import { department, person } from './small-organisation.ts'

const database = await testDatabase(t)
const organisation = { departments: [department('11', 'Sales')], people: [person('ann', { departmentIds: ['11'] })] }

/** What a platform may say, which no column of JSON holds as it is, or would not once it is cut. */
const words = {
  'half of a surrogate pair': 'not now \ud83d',
  'a NUL': 'not\0now',
  'a long text': `${'x'.repeat(199)}\u{1f600}${'y'.repeat(20)}`,
}

for (const platform of platforms) {
  for (const [what, message] of Object.entries(words)) {
    t.test(`a run ends with its report although ${platform.name} refuses it with ${what}`, async (t) => {
      const { source, run } = await engine(t, { database, organisation })
      const { cloud, source: read } = await stage(t, platform, { organisation })
      Object.assign(source, { rootId: read.rootId, departments: read.departments, users: read.users })
      cloud.faults = [
        { kind: 'error', code: 33012, message, path: platform.paths.users, times: Number.POSITIVE_INFINITY },
      ]
      const report = await run('users')
      t.match(report, { state: 'failed', problems: [{ stated: { code: 'sources.refused' } }] })
      t.match(report.problems[0]?.reason, /^\P{Surrogate}*$/u)
    })
  }
}

t.test('what a directory says is cut between two characters, and can be stored', async (t) => {
  const message = `${'x'.repeat(299)}\u{1f600}`
  t.ok(describeOutcome({ code: 80, message }).endsWith('x'))
  const { stated } = outcomeError({ code: 80, message: 'half \ud83d' }, statements.search({ dn: 'dc=a\0' }))
  t.notMatch(JSON.stringify(stated), /\\u0000|\\ud83d/)
})
