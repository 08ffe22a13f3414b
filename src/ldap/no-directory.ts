import type { Reconciler } from './reconciler.ts'

const reason = 'no directory is configured'
const advice = 'set LDAP_URL, or EMBEDDED_LDAP_PORT to a port'

/** Where there is no directory, nothing waits for one; records keep `syncState` 2 until there is. */
export const noDirectory: Reconciler = {
  settle: async () => true,
  synchronize: async () => ({
    completed: false,
    total: 0,
    added: 0,
    updated: 0,
    moved: 0,
    unchanged: 0,
    skipped: 0,
    failed: 0,
    problems: [{ sourceId: '', name: '', step: 'connect', reason, advice }],
  }),
  compareEverything: async () => {},
  start: () => {},
  stop: async () => {},
}
