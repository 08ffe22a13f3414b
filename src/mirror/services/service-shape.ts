import type { Attributes } from '../../ldap/directory.ts'
import { serviceAccountPlace } from '../entry/places.ts'
import type { Account } from './service-ledger.ts'

/** What the entry of a service account is to be. */
export interface WantedEntry {
  dn: string
  attributes: Attributes
}

const everything = '(objectClass=*)'

/**
 * What the entry of an account is to be; null: there is to be none. An account that is disabled or has no password has no
 * entry, so that it cannot bind, whatever the server.
 */
export const wantedOf = (
  baseDn: string,
  embedded: boolean,
  row: Account,
  passwords: readonly string[],
): WantedEntry | null => {
  const { name, description, enabled } = row
  if (name === null || !enabled || passwords.length === 0) return null
  const rights = {
    stewardPeopleFilter: row.people ? [row.people_filter || everything] : [],
    stewardGroupFilter: row.groups ? [row.group_filter || everything] : [],
    stewardReadsNtHashes: row.nt_hashes ? ['TRUE'] : [],
  }
  return {
    dn: serviceAccountPlace(baseDn, name),
    attributes: {
      objectClass: [
        ...['top', 'applicationProcess', 'simpleSecurityObject'],
        ...(embedded ? ['stewardServiceAccount'] : []),
      ],
      cn: [name],
      description: description === '' ? [] : [description],
      userPassword: [...passwords],
      ...(embedded && rights),
    },
  }
}
