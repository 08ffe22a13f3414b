import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { idList } from '../../db/id-list.ts'
import { assigned, isFree, isHeldByOther, isOf, type KeptLease, leaseOf, released } from '../../db/lease.ts'
import { serviceEntries } from '../../db/schema.ts'
import type { Statement } from '../../failures/statement.ts'
import type { DirectoryError } from '../../ldap/directory-error.ts'
import type { PasswordScheme } from '../entry/directory-settings.ts'
import { ownScheme } from '../passwords/other-hashes.ts'
import { asJson } from '../statements.ts'

export interface ServicePassword {
  /** What the record holds of it. */
  value: string
  /** Its hash in the scheme that this directory has of its own, sealed; null: no such hash was made. */
  ownHash: { scheme: PasswordScheme; sealed: string } | null
}

/** An account with what is known of its entry; an account that was deleted has no name. */
export interface Account extends Record<string, unknown> {
  id: string
  name: string | null
  description: string
  people: boolean
  people_filter: string
  groups: boolean
  group_filter: string
  nt_hashes: boolean
  enabled: boolean
  version: string
  passwords: ServicePassword[]
  dn: string | null
  target_dn: string | null
  target_digest: string | null
  entry_uuid: string | null
  attempts: number
  /** Whether the account was changed since its entry was written. */
  changed: boolean
}

/** Another instance may take over what an instance holds and has not renewed. */
const lease = leaseOf(15)
/** Seconds before an entry that the directory refused is tried again: it doubles up to this. */
const longestPause = 60

/**
 * What SQL knows of the entries of service accounts in one directory.
 *
 * An instance holds the accounts that it writes. Otherwise what it read before a change could arrive after another
 * instance had written the change: an ended password would be valid again, and if the first one died then, no other would
 * know.
 */
export const serviceLedger = ({ db, number }: { db: Db; number: number }) => {
  const owner = randomUUID()
  const { leaseUntil } = lease.taken(owner)
  const isOwn = isOf(sql`e`, owner)
  const isHeldElsewhere = sql`coalesce(${isHeldByOther(sql`e`, owner)}, false)`

  /** Takes those of these accounts that no other instance holds, until `releaseAll`. */
  const take = async (accounts: readonly number[]): Promise<KeptLease> => {
    // Its time begins before the request.
    const kept = lease.keepRow(db, serviceEntries, owner, sql`${serviceEntries.directory} = ${number}`)
    try {
      await db.execute(sql`
        insert into service_entries as e (directory, account_id, lease_owner, lease_until)
        select ${number}, id, ${owner}, ${leaseUntil} from (${idList(accounts)}) s order by id
        on conflict (directory, account_id) do update
        set lease_owner = excluded.lease_owner, lease_until = excluded.lease_until
        where ${isFree(sql`e`)} or ${isOwn}`)
      return kept
    } catch (error) {
      kept.end()
      throw error
    }
  }

  const releaseAll = async (): Promise<void> => {
    await db.execute(sql`
      update service_entries e set ${assigned(released)} where e.directory = ${number} and ${isOwn}`)
  }

  /** The ids of the accounts to write, without those that another instance writes. */
  const due = async (all: boolean): Promise<number[]> => {
    const rows = await db.execute<{ id: string }>(sql`
      select coalesce(a.id, e.account_id) as id from service_accounts a
      full join (select * from service_entries where directory = ${number}) e on e.account_id = a.id
      where (${all} or e.synced_version is distinct from a.version and coalesce(e.next_at <= now(), true))
        and not ${isHeldElsewhere}`)
    return rows.map(({ id }) => Number(id))
  }

  /** What this instance holds. Removals come first: they make DNs free. */
  const held = async (): Promise<Account[]> => {
    const rows = await db.execute<Account>(sql`
      select e.account_id as id, a.name, a.description, a.people, a.people_filter, a.groups, a.group_filter, a.nt_hashes,
        a.enabled,
        a.version, e.dn, e.target_dn, e.target_digest, e.entry_uuid, e.attempts,
        e.synced_version is distinct from a.version as changed,
        (select coalesce(json_agg(json_build_object(
            'value', coalesce(p.directory_password, '{ARGON2}' || p.password_hash),
            'ownHash', case when p.scheme_hashes ? own.scheme
              then json_build_object('scheme', own.scheme, 'sealed', p.scheme_hashes->>own.scheme) end) order by p.id), '[]')
          from service_passwords p cross join (select ${ownScheme(number)} as scheme) own
          where p.account_id = a.id and coalesce(p.expires_at > now(), true)) as passwords
      from service_entries e left join service_accounts a on a.id = e.account_id
      where e.directory = ${number} and ${isOwn}
      order by a.name is not null, e.account_id`)
    return [...rows]
  }

  /** Of passwords that expired, nothing is left. */
  const expire = async (): Promise<void> => {
    const [any] = await db.execute(sql`select from service_passwords where expires_at <= now() limit 1`)
    if (any === undefined) return
    await db.execute(sql`
      with gone as (delete from service_passwords where expires_at <= now() returning account_id)
      update service_accounts set version = version + 1 where id in (select account_id from gone)`)
  }

  const note = (
    row: Account,
    columns: { dn?: string | null; uuid?: string | null; target?: string; digest?: string },
  ) =>
    db.execute(sql`
      insert into service_entries as e (directory, account_id, dn, entry_uuid, target_dn, target_digest)
      values (${number}, ${row.id}, ${columns.dn ?? null}, ${columns.uuid ?? null}, ${columns.target ?? null},
        ${columns.digest ?? null})
      on conflict (directory, account_id) do update set
        dn = ${columns.target === undefined ? sql`excluded.dn` : sql`e.dn`},
        entry_uuid = ${columns.target === undefined ? sql`excluded.entry_uuid` : sql`e.entry_uuid`},
        target_dn = excluded.target_dn, target_digest = excluded.target_digest`)

  /** The account may have been changed meanwhile, or another instance has taken over: then it is written once more. */
  const settled = async ({ id, name, version }: Account, problem: Statement | null): Promise<void> => {
    if (name === null) {
      await db.execute(sql`
        delete from service_entries e where directory = ${number} and account_id = ${id} and ${isOwn}
          and not exists (select from service_accounts a where a.id = e.account_id)`)
      return
    }
    await db.execute(sql`
      update service_entries e set attempts = 0, next_at = null, stated = ${problem && asJson(problem)}, synced_version =
        case when ${isOwn} and exists (
            select from service_accounts a where a.id = e.account_id and a.version = ${version}::bigint)
          then ${version}::bigint else 0 end
      where directory = ${number} and account_id = ${id}`)
  }

  const refused = async ({ id, attempts }: Account, { stated }: DirectoryError): Promise<void> => {
    const pause = Math.min(longestPause, 2 ** Math.min(attempts, 10))
    await db.execute(sql`
      insert into service_entries as e (directory, account_id, attempts, next_at, stated)
      values (${number}, ${id}, 1, now() + make_interval(secs => ${pause}), ${asJson(stated)})
      on conflict (directory, account_id) do update set
        attempts = e.attempts + 1, next_at = excluded.next_at, stated = excluded.stated, synced_version = 0`)
  }

  /** Says of all accounts that wait why they do. */
  const explain = async (stated: Statement): Promise<void> => {
    await db.execute(sql`
      insert into service_entries as e (directory, account_id, stated)
      select ${number}, a.id, ${asJson(stated)} from service_accounts a
      left join service_entries e on e.directory = ${number} and e.account_id = a.id
      where e.synced_version is distinct from a.version
      on conflict (directory, account_id) do update set stated = excluded.stated`)
  }

  const stateOf = async (id: number): Promise<{ isEqual: boolean; isHeld: boolean }> => {
    const [row] = await db.execute<{ isEqual: boolean; isHeld: boolean }>(sql`
      select coalesce(e.synced_version = a.version, false) as "isEqual", ${isHeldElsewhere} as "isHeld"
      from service_accounts a
      full join (select * from service_entries where directory = ${number}) e on e.account_id = a.id
      where ${id} in (a.id, e.account_id)`)
    // An account that was deleted together with its entry has neither.
    return row ?? { isEqual: true, isHeld: false }
  }

  return { due, take, releaseAll, held, expire, note, settled, refused, explain, stateOf }
}
