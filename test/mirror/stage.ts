import { hash } from '@node-rs/argon2'
import { eq, sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import type { Database } from '../../src/db/client.ts'
import { directoryEntries, groupMembers, groups, users } from '../../src/db/schema.ts'
import { type Directory, DirectoryError, openDirectory } from '../../src/ldap/directory.ts'
import { matchingKey } from '../../src/ldap/dn.ts'
import type { PosixSettings } from '../../src/mirror/entry/posix.ts'
import type { Claim } from '../../src/mirror/ledger/claim.ts'
import type { Ledger } from '../../src/mirror/ledger/ledger.ts'
import type { SchemeProofs } from '../../src/mirror/passwords/password-scheme.ts'
import { type AdoptPassword, openReconciler, type Reconciler } from '../../src/mirror/reconciler.ts'
import { type RecordKind, type Touched, touch } from '../../src/mirror/touch.ts'
import { type Moment, thisMoment } from '../../src/runtime/clock.ts'
import type { Logger } from '../../src/runtime/log.ts'
import { silent, testDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { type SlapdOptions, type TestSlapd, testSlapd } from '../slapd.ts'

export const password = 'correct horse battery'
export const passwordHash = await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })

const shared = testDatabase(t)

/** A database and a reconciler in front of a real slapd. */
export interface Stage {
  db: Database['db']
  slapd: TestSlapd
  directory: Directory
  reconciler: Reconciler
  /** Adds users `name`, and returns what was enqueued. */
  addUsers(...names: string[]): Promise<Touched[]>
  addGroup(name: string, options?: { type?: 'ou' | 'cn'; parent?: number; members?: number[] }): Promise<Touched[]>
  change(kind: RecordKind, id: number): Promise<Touched[]>
  /** Waits until nothing is pending; parked records count as settled. */
  quiet(): Promise<void>
  /** Sorted first RDNs below the people, and the attributes asked for. */
  people(...attributes: string[]): Promise<string>
  find(filter: string, ...attributes: string[]): Promise<string>
}

/** A second stage on the same `slapd` also shares the database. */
export type StageOptions = {
  transactions?: boolean
  started?: boolean
  now?: () => Moment
  /** Whether the directory shows passwords to us (default true). */
  passwordReadable?: boolean
  slapd?: TestSlapd
  /** What the directory answers about password schemes (default: that it verifies all). */
  proofs?: (slapd: TestSlapd) => SchemeProofs
  /** Unless given, passwords that were changed in the directory are left to another process. */
  adopt?: AdoptPassword
  overlays?: SlapdOptions
  /** Default: no POSIX accounts. */
  posix?: PosixSettings
  log?: Partial<Logger>
  /** Faults to put in front of the directory. */
  faults?: (real: Directory) => Partial<Directory>
}

/** A directory that cannot show these: slapd answers that of an entry its database has damaged. */
export const damagedAt =
  (dns: ReadonlySet<string>) =>
  (real: Directory): Partial<Directory> => ({
    read: async (dn, attributes) => {
      if (dns.has(dn)) throw new DirectoryError('unavailable', 'internal error', { code: 80 })
      return real.read(dn, attributes)
    },
    async *search(base, search) {
      for await (const page of real.search(base, search)) {
        if (page.some(({ dn }) => dns.has(dn))) throw new DirectoryError('unavailable', 'internal error', { code: 80 })
        yield page
      }
    },
  })

export const stage = async (t: Test, options: StageOptions = {}): Promise<Stage> => {
  const slapd = options.slapd ?? (await testSlapd(t, options.overlays))
  const database = await shared
  if (options.slapd === undefined) await database.reset()
  const { db } = database
  const real = openDirectory({ ...slapd, startTls: false, ca: null, timeout: 6000, connectTimeout: 2000, log: silent })
  const directory: Directory = {
    ...real,
    features: async () => {
      const features = await real.features()
      return { ...features, transactions: features.transactions && options.transactions !== false }
    },
    ...options.faults?.(real),
  }
  const proof = { verdict: 'proved', shown: options.passwordReadable ?? true, reason: null } as const
  const all = { prove: async () => {}, proveAgain: async () => false, of: () => proof, with: () => [] }
  const greet = async () => options.proofs?.(slapd) ?? all
  const reconciler = openReconciler({
    db,
    directory,
    groupClass: 'groupOfNames',
    posix: options.posix ?? null,
    greet,
    passwords: { key: Buffer.alloc(32), scheme: 'ARGON2', adopts: true, adopt: options.adopt ?? null },
    timeout: 10_000,
    log: { ...silent, ...options.log },
    now: options.now ?? thisMoment,
  })
  if (options.started !== false) reconciler.start()
  t.teardown(async () => {
    await reconciler.stop()
    await directory.close()
  })

  const person = (username: string) => ({
    username,
    usernameKey: matchingKey(username),
    nickname: `Nick ${username}`,
    mail: /^\w+$/.test(username) ? `${username}@example.org` : '',
    passwordHash,
  })
  return {
    db,
    slapd,
    directory,
    reconciler,
    addUsers: (...names) =>
      db.transaction(async (tx) => {
        const rows = await tx.insert(users).values(names.map(person)).returning({ id: users.id })
        return touch(
          tx,
          'user',
          rows.map((row) => row.id),
        )
      }),
    addGroup: (name, { type = 'cn', parent, members = [] } = {}) =>
      db.transaction(async (tx) => {
        const [row] = await tx
          .insert(groups)
          .values({ groupName: name, groupNameKey: matchingKey(name), groupType: type, parentId: parent ?? null })
          .returning({ id: groups.id })
        if (row === undefined) throw new Error('no row')
        if (members.length > 0) {
          await tx.insert(groupMembers).values(members.map((userId) => ({ groupId: row.id, userId })))
        }
        return [...(await touch(tx, 'group', [row.id])), ...(await touch(tx, 'user', members))]
      }),
    change: (kind, id) => touch(db, kind, [id]),
    quiet: async () => {
      await eventually(async () => {
        const [row] = await db.execute<{ count: string }>(
          sql`select count(*) from directory_entries where version <> synced_version and next_at is not null`,
        )
        return row?.count === '0'
      }, 'no record is on its way any more')
    },
    people: (...attributes) => slapd.ldapsearch('-b', `ou=people,${slapd.baseDn}`, '-s', 'one', ...attributes),
    find: (filter, ...attributes) => slapd.ldapsearch('-b', slapd.baseDn, filter, ...attributes),
  }
}

export const idOf = (touched: readonly Touched[], kind: RecordKind = 'user'): number => {
  const found = touched.find((one) => one.kind === kind)
  if (found === undefined) throw new Error(`no ${kind} was touched`)
  return found.id
}

export const entryOf = async (s: Stage, kind: RecordKind, id: number) => {
  const rows = await s.db.select().from(directoryEntries).where(eq(directoryEntries.recordId, id))
  return rows.find((row) => row.kind === kind)
}

/** Claims all records; some may be claimed by the reconciler for a moment. */
export const take = async (ledger: Ledger, { kind, owner, ids }: Claim): Promise<void> => {
  await eventually(async () => {
    const claim = await ledger.claim({ kind, owner, scope: { ids, onlyPending: false }, limit: ids.length })
    if (claim.ids.length === ids.length) return true
    await ledger.release(claim, null)
    return false
  }, 'the claim of all records')
}

export const membersOf = async (s: Stage, group: string): Promise<string[] | undefined> =>
  (await s.directory.read(`cn=${group},${s.slapd.baseDn}`, ['member']))?.attributes.member
