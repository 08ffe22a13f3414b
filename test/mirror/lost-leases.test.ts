import { sql } from 'drizzle-orm'
import t from 'tap'
import { openLedger } from '../../src/mirror/ledger/ledger.ts'
import type { Outcome } from '../../src/mirror/plan/outcome.ts'
import { skipWithoutSlapd } from '../slapd.ts'
import { entryOf, idOf, stage } from './stage.ts'

// A claim does not wait for the disk: a crash of the database may lose it, while its holder goes on writing.

t.test(
  'a record becomes due again whose lease was lost while it was written',
  { skip: skipWithoutSlapd },
  async (t) => {
    const s = await stage(t, { started: false })
    const id = idOf(await s.addUsers('ada'))
    await s.reconciler.settle([{ kind: 'user', id, version: 1 }])
    await s.change('user', id)
    const ledger = openLedger({ db: s.db, directory: 1 }, s.slapd.baseDn)
    const done = async (owner: string): Promise<[Awaited<ReturnType<typeof ledger.claim>>, Outcome]> => {
      const claim = await ledger.claim({ kind: 'user', owner, scope: { ids: [id], onlyPending: false }, limit: 1 })
      t.strictSame(claim.ids, [id])
      const { version = 0, dn = null, entryUuid = null } = (await entryOf(s, 'user', id)) ?? {}
      const where = { from: dn, fromTarget: null, dn, unseen: false, entryCsn: null, entryUuid, forgetKept: false }
      return [
        claim,
        { id, version, result: 'in_sync', ...where, error: null, delay: 0, name: 'ada', action: 'updated' },
      ]
    }

    const [first, outcome] = await done('first')
    await s.db.execute(sql`update directory_entries set lease_owner = null, lease_until = null where kind = 'user'`)
    const [second, other] = await done('second')
    await ledger.record(second, [other])
    t.match(await entryOf(s, 'user', id), { version: 2, syncedVersion: 2, leaseOwner: null })
    await ledger.record(first, [outcome])
    t.match(await entryOf(s, 'user', id), { version: 3, syncedVersion: 2, leaseOwner: null, nextAt: Date })
  },
)
