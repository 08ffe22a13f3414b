import type { Change, Directory } from '../../ldap/directory.ts'
import { parseDn } from '../../ldap/dn.ts'
import { asidePlace } from '../entry/places.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { RecordKind } from '../touch.ts'
import type { Plan } from './plan.ts'

// In Active Directory the names of accounts are unique in the whole domain, among people and groups together.

/**
 * Gives an entry temporary names, if it is an account: another record needs those it has.
 * @param dn of the entry
 * @param aside the DN whose name it gets
 */
export const giveUpAccountName = async (
  { write }: Pick<Directory, 'write'>,
  { item, found }: Plan,
  dn: string,
  aside: string,
): Promise<void> => {
  const names = ['sAMAccountName', 'userPrincipalName'].filter((name) => found?.entry.attributes[name] !== undefined)
  if (item.wanted?.attributes.sAMAccountName === undefined || names.length === 0) return
  const value = parseDn(aside)[0]?.[0]?.value ?? ''
  const changes = names.map((attribute): Change => ({ operation: 'replace', attribute, values: [value] }))
  await write({ kind: 'modify', dn, changes })
}

export interface LeaveAccountNameOptions {
  directory: Pick<Directory, 'write'>
  ledger: Pick<Ledger, 'accountNameWanted'>
  kind: RecordKind
}

/**
 * A person and a group that exchange their names are in different places, so that each gets its DN, and waits for the
 * name of the account of the other. The name that another record waits for is given up.
 * @param dn at which the entry is by now; null: it has no entry
 * @returns whether it was given up @throws DirectoryError
 */
export const leaveAccountName = async (
  { directory, ledger, kind }: LeaveAccountNameOptions,
  one: Plan,
  dn: string | null,
): Promise<boolean> => {
  const [present] = one.found?.entry.attributes.sAMAccountName ?? []
  if (dn === null || present === undefined || !(await ledger.accountNameWanted(kind, one.item.id, present)))
    return false
  await giveUpAccountName(directory, one, dn, asidePlace(kind, one.item.id, dn))
  return true
}
