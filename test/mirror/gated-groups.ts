import type { Test } from 'tap'
import { groups } from '../../src/db/schema.ts'
import { openDirectory } from '../../src/ldap/directory.ts'
import { matchingKey } from '../../src/ldap/dn.ts'
import { touch } from '../../src/mirror/touch.ts'
import { silent } from '../database.ts'
import { eventually } from '../eventually.ts'
import { testSlapd } from '../slapd.ts'
import type { TestSteward, TestStewardOptions } from '../steward.ts'
import { ldapGate } from './gate.ts'

/** Three batches of the reconciler without LDAP transactions. */
const count = 150

/**
 * A service with 150 groups, whose entries another program has changed, behind a gate. The reconciler may write a few of
 * them beside a run that compares them: let half a batch more or less pass than a batch needs, and let more pass only
 * when some wait, because what is left over from before counts no more.
 */
export const gatedGroups = async <S extends TestSteward>(
  t: Test,
  open: (options: TestStewardOptions) => Promise<S>,
) => {
  const slapd = await testSlapd(t)
  const gate = await ldapGate(t, slapd.url, 'cn=Group ')
  // What waits at the gate is not late.
  const env = { LDAP_TIMEOUT: '60s', LDAP_TRANSACTIONS: 'off', SYNC_WAIT: '60s' }
  const service = await open({ directory: { ...slapd, url: gate.url }, env })
  const names = Array.from({ length: count }, (_, at) => `Group ${at}`)
  await service.db.transaction(async (tx) => {
    const rows = names.map((groupName) => ({ groupName, groupNameKey: matchingKey(groupName), groupType: 'cn' }))
    const added = await tx.insert(groups).values(rows).returning({ id: groups.id })
    await touch(
      tx,
      'group',
      added.map(({ id }) => id),
    )
  })
  service.mirror.reconciler.wake()
  const isSynced = async () => (await service.take('listGroups', { query: { syncState: 2 } })).total === 0
  await eventually(isSynced, 'the entries of the groups')
  // The comparison that the reconciler makes after a start is over then, and would repair nothing of what follows.
  await service.mirror.reconciler.compareEverything()
  const directory = openDirectory({ ...slapd, startTls: false, ca: null, timeout: 5000, log: silent })
  t.teardown(() => directory.close())
  for (const name of names) {
    const changes = [{ operation: 'replace' as const, attribute: 'description', values: ['Other'] }]
    await directory.write({ kind: 'modify', dn: `cn=${name},${slapd.baseDn}`, changes })
  }
  return { ...service, gate }
}
