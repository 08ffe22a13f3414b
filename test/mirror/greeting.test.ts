import t from 'tap'
import { type GreetingOptions, openGreeting } from '../../src/mirror/greeting.ts'
import { silent } from '../database.ts'

t.test('an answer about a scheme reaches the ledger also where the database fails in between', async (t) => {
  const told: (readonly string[])[] = []
  let isAway = false
  let answers = 0
  const greeting = openGreeting({
    directory: {
      baseDn: 'dc=example,dc=org',
      features: async () => ({}),
      read: async (dn: string) => ({ dn, attributes: {} }),
      write: async () => {},
    },
    ledger: {
      groupLayout: async () => 'nested',
      passwordSchemes: async () => [],
      concernsMemberOf: async () => false,
      makeAllDue: async () => {},
      async reconsiderPasswords(proved: readonly string[]) {
        if (isAway) throw new Error('the database is away')
        told.push(proved)
      },
    },
    openProofs: async () => ({
      prove: async () => {},
      // As a test that is made again: it is answered once.
      proveAgain: async () => answers-- > 0,
      of: () => null,
      with: (verdict: string) => (verdict === 'proved' ? ['ARGON2'] : []),
    }),
    passwords: { key: Buffer.alloc(32), scheme: 'ARGON2', adopts: true },
    trial: async () => null,
    log: silent,
  } as unknown as GreetingOptions)
  t.equal(await greeting.askAgain(), false, 'nothing is connected yet')
  await greeting.greet()
  told.splice(0)
  t.equal(await greeting.askAgain(), false, 'it is still refused')
  ;[answers, isAway] = [1, true]
  await t.rejects(greeting.askAgain(), /away/)
  isAway = false
  t.equal(await greeting.askAgain(), true)
  t.same(told, [['ARGON2']])
  t.equal(await greeting.askAgain(), false, 'once')
})
