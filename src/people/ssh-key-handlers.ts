import { sql } from 'drizzle-orm'
import { permitOwn, permitUser } from '../access/permits/users.ts'
import { requirePresentFactor } from '../access/step-up.ts'
import type { Principal } from '../contract/handler.ts'
import type { Db, Queryable, Tx } from '../db/client.ts'
import { reasons as missing } from '../db/reasons.ts'
import { type SshKey, type SshKeys, users } from '../db/schema.ts'
import type { Reason } from '../failures/reason-table.ts'
import type { MeHandlers, PeopleHandlers } from '../generated/operations.ts'
import type { components } from '../generated/operations.types.ts'
import { maxKeys } from '../mirror/entry/ssh-keys.ts'
import { type MirroredOptions, type Mutation, mirroredChange } from '../mirror/mirrored.ts'
import { touch } from '../mirror/touch.ts'
import { currentTime } from '../runtime/clock.ts'
import { readSshKey, type SshKeyProblem } from '../text/ssh-key.ts'
import { reasons } from './reasons.ts'
import { updateOwn, updateUser } from './user-writes.ts'

type Schemas = components['schemas']

export interface SshKeysOptions extends MirroredOptions {
  db: Db
}

const problems: Readonly<Record<SshKeyProblem, Reason<string>>> = {
  private: reasons.ssh_key_private,
  options: reasons.ssh_key_options,
  type: reasons.ssh_key_type,
  short: reasons.ssh_key_short,
  broken: reasons.ssh_key_broken,
}

const shown = ({ blob: _, ...key }: SshKey): Schemas['SshKey'] => key

/** @throws AppError (not_found) naming `id` */
const keysOf = async (db: Queryable, id: number, lock = false): Promise<SshKeys | null> => {
  const [row] = await db.execute<{ keys: SshKeys | null }>(sql`
    select ssh_keys as keys from ${users} where id = ${id} ${lock ? sql`for no key update` : sql``}`)
  if (row === undefined) throw missing.user_not_found.at('id', { id })
  return row.keys
}

const listed = async (db: Db, id: number): Promise<Schemas['SshKeyList']> => {
  const present = await keysOf(db, id)
  return { keys: (present?.keys ?? []).map(shown), takesOver: present === null }
}

/** @throws AppError (invalid) naming `key` */
const keyOf = ({ name, key: text }: Schemas['AddSshKey']): SshKey => {
  const key = readSshKey(text)
  if (typeof key === 'string') throw problems[key].at('key')
  return { name: name.trim(), ...key, addedAt: new Date(currentTime()).toISOString() }
}

/** Writes the keys of a person, after the permit was issued. */
type WriteKeys = (keys: SshKeys) => Promise<void>

const add = async (tx: Tx, id: number, key: SshKey, write: WriteKeys): Promise<Mutation<Schemas['SshKey']>> => {
  const present = await keysOf(tx, id, true)
  const keys = present?.keys ?? []
  if (keys.some(({ fingerprint }) => fingerprint === key.fingerprint)) throw reasons.ssh_key_known.at('key')
  if (keys.length >= maxKeys) throw reasons.ssh_key_limit({ limit: maxKeys })
  await write(present === null ? { keys: [key], takesOver: true } : { ...present, keys: [...keys, key] })
  return { data: shown(key), touched: await touch(tx, 'user', [id]) }
}

const remove = async (tx: Tx, id: number, fingerprint: string, write: WriteKeys): Promise<Mutation<null>> => {
  const present = await keysOf(tx, id, true)
  const keys = (present?.keys ?? []).filter((key) => key.fingerprint !== fingerprint)
  if (present === null || keys.length === present.keys.length) throw reasons.ssh_key_not_found.at('fingerprint')
  await write({ ...present, keys })
  // A key that was lost has to be gone from every host.
  return { data: null, touched: await touch(tx, 'user', [id], { withdraws: true }) }
}

/** The SSH keys of other people. */
export const personSshKeyHandlers = (
  options: SshKeysOptions,
): Pick<PeopleHandlers, 'listPersonSshKeys' | 'addPersonSshKey' | 'removePersonSshKey'> => {
  const { db } = options
  const change = mirroredChange(options)
  const permitted = async (tx: Tx, user: Principal, id: number): Promise<WriteKeys> => {
    const permit = await permitUser(tx, user, id)
    return (sshKeys) => updateUser(permit, id, { sshKeys })
  }
  return {
    listPersonSshKeys: ({ params: { id } }) => listed(db, id),

    async addPersonSshKey({ params: { id }, body, user }) {
      const key = keyOf(body)
      return change(user, async (tx) => {
        const write = await permitted(tx, user, id)
        // It signs in as that person on every host.
        await requirePresentFactor(tx, user)
        return add(tx, id, key, write)
      })
    },

    removePersonSshKey: ({ params: { id }, body: { fingerprint }, user }) =>
      change(user, async (tx) => remove(tx, id, fingerprint, await permitted(tx, user, id))),
  }
}

/** The caller's own SSH keys. */
export const ownSshKeyHandlers = (
  options: SshKeysOptions,
): Pick<MeHandlers, 'listMySshKeys' | 'addMySshKey' | 'removeMySshKey'> => {
  const { db } = options
  const change = mirroredChange(options)
  const permitted = (tx: Tx, { userId }: Principal): WriteKeys => {
    const permit = permitOwn(tx, userId, 'a session')
    return (sshKeys) => updateOwn(permit, userId, { sshKeys })
  }
  return {
    listMySshKeys: ({ user }) => listed(db, user.userId),

    async addMySshKey({ body, user }) {
      const key = keyOf(body)
      return change(user, async (tx) => {
        await requirePresentFactor(tx, user)
        return add(tx, user.userId, key, permitted(tx, user))
      })
    },

    removeMySshKey: ({ body: { fingerprint }, user }) =>
      change(user, (tx) => remove(tx, user.userId, fingerprint, permitted(tx, user))),
  }
}
