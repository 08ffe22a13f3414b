import { randomBytes } from 'node:crypto'
import { and, desc, eq, ne, sql } from 'drizzle-orm'
import { changeFor } from '../access/committed.ts'
import { insertRow, updateRow } from '../access/rows.ts'
import { requireHighestRank } from '../access/seniority.ts'
import { requireStepUp } from '../access/step-up.ts'
import type { SealedPassword } from '../auth/passwords.ts'
import { inTime } from '../concurrency/in-time.ts'
import { type Principal, SuccessWithMessage } from '../contract/handler.ts'
import type { Db, Queryable, Tx } from '../db/client.ts'
import { takeLock } from '../db/locks.ts'
import { requireVersion } from '../db/record-versions.ts'
import { serviceAccounts, servicePasswords } from '../db/schema.ts'
import type { components, ServiceAccountsHandlers } from '../generated/operations.ts'
import { matchingKey } from '../ldap/dn.ts'
import { serviceAccountPlace } from '../mirror/entry/places.ts'
import type { Mirror } from '../mirror/open-mirror.ts'
import type { Reconciler } from '../mirror/reconciler.ts'
import { currentTime } from '../runtime/clock.ts'
import { accessRules, rulesAsLdif } from './access-rules.ts'
import {
  type AccountRow,
  findAccount,
  type ServiceAccount,
  type StoredAccount,
  storedAccounts,
} from './account-records.ts'
import { requireFilter } from './filters.ts'
import { accountClashes, reasons } from './reasons.ts'

type Created = components['schemas']['CreateServiceAccount']

export interface ServiceAccountsOptions {
  db: Db
  reconciler: Pick<Reconciler, 'services' | 'schema'>
  /** null: there is no directory. */
  address: Mirror['address']
  seal: (password: string) => Promise<SealedPassword>
}

/** Accounts: lists and forms have to stay usable, and each comparison reads all entries. */
const maxAccounts = 200

/** Milliseconds that a list waits for the directory to say when accounts were used. */
const timeout = 1500

/** 192 random bits, in characters that no shell, URL or configuration file treats in a special way. */
const newPassword = (): string => randomBytes(24).toString('base64url')

const requireMayMake = async (db: Queryable, user: Principal): Promise<void> => {
  await requireHighestRank(db, user)
  await requireStepUp(db, user)
}

/** What an account may read. */
const rightsOf = (given: Omit<Created, 'name'>) => {
  const { people = true, peopleFilter = '', groups = false, groupFilter = '', ntHashes = false } = given
  return { people, peopleFilter, groups, groupFilter, ntHashes }
}

/** Service accounts: what applications bind with. Their passwords are made here, and shown once. */
export const serviceAccountsHandlers = (options: ServiceAccountsOptions): ServiceAccountsHandlers => {
  const { db, reconciler, address, seal } = options
  const { services } = reconciler

  const dnOf = (name: string): string => (address === null ? '' : serviceAccountPlace(address.baseDn, name))

  /** When the directory says that accounts were used; empty where it does not, or is slow. */
  const directoryUses = (): Promise<ReadonlyMap<string, Date>> =>
    address === null || address.embedded
      ? Promise.resolve(new Map())
      : inTime(
          timeout,
          services.lastUses().catch(() => new Map()),
          () => new Map(),
        )

  const shown = (account: StoredAccount, uses: ReadonlyMap<string, Date>): ServiceAccount => {
    const used = uses.get(matchingKey(account.name))?.toISOString()
    return {
      ...account,
      dn: dnOf(account.name),
      lastUsedAt: used ?? account.lastUsedAt,
      lastUseKnown: address !== null && (address.embedded || used !== undefined),
    }
  }

  /** The directory is asked before the transaction begins, because it may be slow. */
  const requireFilters = async ({ peopleFilter, groupFilter }: Pick<AccountRow, 'peopleFilter' | 'groupFilter'>) => {
    const schema = peopleFilter + groupFilter === '' || address === null ? null : await reconciler.schema()
    requireFilter('peopleFilter', peopleFilter, schema)
    requireFilter('groupFilter', groupFilter, schema)
  }

  const following = async <T>(id: number, data: T): Promise<T | SuccessWithMessage<T>> =>
    (await services.settle(id)) ? data : new SuccessWithMessage(data, 'saved; the directory follows')

  /** The directory has to follow the account. */
  const touch = (tx: Tx, id: number): Promise<unknown> =>
    updateRow(tx, serviceAccounts, id, { version: sql`${serviceAccounts.version} + 1` }, accountClashes)

  const addPassword = (tx: Tx, accountId: number, sealed: SealedPassword): Promise<unknown> => {
    const { hashes, ...stored } = sealed
    const { nt: _, ...schemeHashes } = hashes
    return tx.insert(servicePasswords).values({ accountId, ...stored, schemeHashes })
  }

  return {
    async listServiceAccounts() {
      const [accounts, uses] = await Promise.all([storedAccounts(db), directoryUses()])
      const { embedded, url, ldapsUrl, baseDn } = address ?? {}
      return {
        directory:
          embedded === undefined || url === undefined || ldapsUrl === undefined || baseDn === undefined
            ? null
            : { embedded, url, ldapsUrl, baseDn },
        accounts: accounts.map((account) => shown(account, uses)),
      }
    },

    async createServiceAccount({ body: { name, description = '', ...rights }, user }) {
      await requireMayMake(db, user)
      const row = { name, nameKey: matchingKey(name), description, ...rightsOf(rights), creator: user.username }
      await requireFilters(row)
      const password = newPassword()
      const sealed = await seal(password)
      const id = await changeFor(db, user, async (tx) => {
        await requireMayMake(tx, user)
        await takeLock(tx, 'serviceAccounts')
        if ((await tx.$count(serviceAccounts)) >= maxAccounts) throw reasons.account_limit({ limit: maxAccounts })
        const added = await insertRow(tx, serviceAccounts, row, accountClashes)
        await addPassword(tx, added, sealed)
        return added
      })
      return following(id, { id, dn: dnOf(name), password })
    },

    async updateServiceAccount({ params: { id }, body: { version, ...changes }, user }) {
      await requireHighestRank(db, user)
      const { description: _, enabled, ...others } = changes
      const isHarmless = Object.keys(others).length === 0 && enabled !== true
      if (!isHarmless) await requireStepUp(db, user)
      const { peopleFilter = '', groupFilter = '' } = changes
      await requireFilters({ peopleFilter, groupFilter })
      await changeFor(db, user, async (tx) => {
        await requireHighestRank(tx, user)
        if (!isHarmless) await requireStepUp(tx, user)
        await findAccount(tx, id, true)
        await requireVersion(tx, 'serviceAccount', id, version)
        const { name } = changes
        const columns = { ...changes, ...(name !== undefined && { nameKey: matchingKey(name) }) }
        if (Object.keys(columns).length === 0) return
        await updateRow(tx, serviceAccounts, id, columns, accountClashes)
        await touch(tx, id)
      })
      const isSettled = await services.settle(id)
      const [account] = await storedAccounts(db, eq(serviceAccounts.id, id))
      if (account === undefined) throw reasons.account_not_found.at('id', { id })
      const data = shown(account, await directoryUses())
      return isSettled ? data : new SuccessWithMessage(data, 'saved; the directory follows')
    },

    async removeServiceAccount({ params: { id }, user }) {
      await changeFor(db, user, async (tx) => {
        await requireHighestRank(tx, user)
        await findAccount(tx, id, true)
        await tx.delete(serviceAccounts).where(eq(serviceAccounts.id, id))
      })
      return following(id, null)
    },

    async getServiceAccountRules({ params: { id } }) {
      const account = await findAccount(db, id)
      if (address === null || address.embedded) return { enforced: address !== null, rules: [], ldif: '' }
      const readers = await db
        .select({ name: serviceAccounts.name })
        .from(serviceAccounts)
        .where(eq(serviceAccounts.ntHashes, true))
        .orderBy(serviceAccounts.id)
      const rules = accessRules(account, {
        ...{ baseDn: address.baseDn, bindDn: address.bindDn, schema: await reconciler.schema() },
        ntHashReaders: readers.map(({ name }) => name),
      })
      return { enforced: false, rules, ldif: rulesAsLdif(rules) }
    },

    async rotateServicePassword({ params: { id }, body: { keepOld = true, oldUntil = null }, user }) {
      await requireMayMake(db, user)
      if (oldUntil !== null && !(Date.parse(oldUntil) > currentTime())) throw reasons.until_past.at('oldUntil')
      await findAccount(db, id)
      const password = newPassword()
      const sealed = await seal(password)
      const name = await changeFor(db, user, async (tx) => {
        await requireMayMake(tx, user)
        const account = await findAccount(tx, id, true)
        const ofAccount = eq(servicePasswords.accountId, id)
        // Those that have expired count no more.
        const ended = keepOld ? sql`${servicePasswords.expiresAt} <= now()` : sql`true`
        await tx.delete(servicePasswords).where(and(ofAccount, ended))
        if ((await tx.$count(servicePasswords, ofAccount)) > 1) throw reasons.two_passwords()
        const expiresAt = oldUntil === null ? null : new Date(oldUntil)
        await tx.update(servicePasswords).set({ expiresAt }).where(ofAccount)
        await addPassword(tx, id, sealed)
        await touch(tx, id)
        return account.name
      })
      return following(id, { id, dn: dnOf(name), password })
    },

    async endOldServicePassword({ params: { id }, user }) {
      await changeFor(db, user, async (tx) => {
        await requireHighestRank(tx, user)
        await findAccount(tx, id, true)
        const [newest] = await tx
          .select({ id: servicePasswords.id })
          .from(servicePasswords)
          .where(eq(servicePasswords.accountId, id))
          .orderBy(desc(servicePasswords.id))
          .limit(1)
        const ended = await tx
          .delete(servicePasswords)
          .where(and(eq(servicePasswords.accountId, id), ne(servicePasswords.id, newest?.id ?? 0)))
          .returning({ id: servicePasswords.id })
        if (ended.length === 0) throw reasons.no_old_password()
        await touch(tx, id)
      })
      return following(id, null)
    },
  }
}
