import t from 'tap'
import { alertOf, causeOf } from '../../src/alerts/alert.ts'
import type { AlertRule } from '../../src/alerts/alert-rule.ts'
import { alertRules } from '../../src/alerts/alert-rules.ts'
import { type CountedAlert, closeAlert } from '../../src/alerts/raise-alerts.ts'
import { statements as mirror } from '../../src/mirror/statements.ts'

const device = { id: 7, name: 'Door 7', location: 'Hall', battery: 12 }

t.test('an alert has the words, the level and the subject of its rule', async (t) => {
  t.same(alertOf('batteryLow', device), {
    rule: 'batteryLow',
    params: { id: '7', name: 'Door 7', location: 'Hall', battery: '12' },
    cause: 'device battery:7',
    title: 'Battery low',
    description: 'Door 7 has 12 % of its battery left',
    level: 'warning',
    location: 'Hall',
    deviceId: 7,
  })
  t.equal(causeOf('batteryLow', { id: 7 }), 'device battery:7', 'the cause is made from the subject of the alert')
})

t.test('a name list that is not complete says how many more there are', async (t) => {
  const { description } = alertOf('lateWithdrawals', {
    names: ['a (deleted)', 'b (password)'],
    total: 5,
    reason: mirror.on_its_way(),
  })
  t.match(description, 'a (deleted), b (password) and 3 more. ')
  t.match(
    alertOf('lateWithdrawals', { names: ['a (deleted)'], total: 1, reason: mirror.on_its_way() }).description,
    'a (deleted). ',
  )
})

t.test('each row of the documentation is another one', async (t) => {
  const rules: AlertRule[] = Object.values(alertRules)
  t.equal(new Set(rules.map(({ when }) => when)).size, rules.length)
  for (const { when, again, closes } of rules)
    t.notMatch(`${when}${again}${closes}`, /[|\n]/, 'the text fits one cell of the table')
})

// Held by `npm run check:types`: an error that is expected and does not come is one itself.
export const mustNotCompile = [
  // @ts-expect-error the rule does not exist
  () => alertOf('noSuchRule', device),
  // @ts-expect-error the text needs the battery
  () => alertOf('batteryLow', { id: 7, name: 'Door 7', location: 'Hall' }),
  // @ts-expect-error an administrator closes it
  (...[db]: Parameters<typeof closeAlert>) => closeAlert(db, 'backupFailed', {}),
  // @ts-expect-error it was not made by a rule
  (): CountedAlert => ({ cause: '', title: '', description: '', level: 'info' }),
]
