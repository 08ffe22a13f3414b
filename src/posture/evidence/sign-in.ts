import { type Concern, when } from './concern.ts'
import { counted, listed } from './wording.ts'

const many = 100
const some = 20
const logQuery =
  'GET /api/log/operation/list?status=401 with path=/base/login, and with path=/bind for the embedded directory'

export const signInConcern: Concern = {
  id: 1,
  area: 'signIn',
  name: 'Sign-in',
  description:
    'Failed sign-ins of the last 24 hours, binds to the embedded directory among them, and who is locked out',
  details: ({ requests: { signInFailures, signInAddresses }, locks }) =>
    `${counted(signInFailures, 'failure')} from ${counted(signInAddresses, 'address', 'addresses')}; ${counted(locks.length, 'lock')}`,
  figures: ({ requests: { signInFailures, signInAddresses }, locks }) => ({
    failures: signInFailures,
    addresses: signInAddresses,
    locks: locks.length,
  }),
  find({ requests: { signInFailures, signInAddresses }, locks }) {
    const description = `${counted(signInFailures, 'sign-in')} failed within 24 hours, from ${counted(signInAddresses, 'address', 'addresses')}.`
    const params = { count: signInFailures, addresses: signInAddresses }
    return [
      ...when(signInFailures >= many, () => ({
        kind: 'signInAttack',
        description,
        suggestion: `Check where they come from (${logQuery}), and block those addresses in front of the service.`,
        params,
      })),
      ...when(signInFailures >= some && signInFailures < many, () => ({
        kind: 'signInFailures',
        description,
        suggestion: `Check where they come from: ${logQuery}.`,
        params,
      })),
      ...when(locks.length > 0, () => ({
        kind: 'signInLocks',
        description: `${counted(locks.length, 'lock is', 'locks are')} in force after ten failures each: ${listed(locks)}.`,
        suggestion: `A lock ends by itself after 15 minutes. Ask the owner whether the attempts were theirs; if not, check ${logQuery}.`,
        params: { count: locks.length, names: locks.slice(0, 5).join(', ') },
      })),
    ]
  },
}
