import type { EmbeddedPlace, ExternalDirectory } from '../mirror/directory-settings.ts'
import { toInteger, type Variables } from './variables.ts'

/** The directory that people and groups are mirrored into; null: no directory. */
export const readDirectory = (variables: Variables): ExternalDirectory | EmbeddedPlace | null => {
  const { problems, read, parse, url, dn, required, flag, file, duration } = variables
  const ldapUrl = url('LDAP_URL', ['ldap:', 'ldaps:'])
  const port = parse<number | 'off'>(
    'EMBEDDED_LDAP_PORT',
    1389,
    (value) => (value === 'off' ? 'off' : toInteger(value, 0, 65_535)),
    'a port from 0 to 65535, or off',
  )
  if (read('LDAP_URL') === null) {
    return port === 'off' ? null : { kind: 'embedded', port, baseDn: 'dc=steward,dc=local' }
  }
  const ca = file('LDAP_CA_FILE')
  const startTls = flag('LDAP_STARTTLS', false)
  if (startTls && ldapUrl?.startsWith('ldaps:'))
    problems.push('LDAP_STARTTLS: is allowed with ldap:// only, not with ldaps://')
  const why = 'when LDAP_URL is set'
  return {
    kind: 'external',
    url: ldapUrl ?? '',
    baseDn: required('LDAP_BASE_DN', why) && dn('LDAP_BASE_DN'),
    bindDn: required('LDAP_BIND_DN', why),
    bindPassword: required('LDAP_BIND_PASSWORD', why),
    ca,
    startTls,
    timeout: duration('LDAP_TIMEOUT', 15_000, 100),
    transactions: flag('LDAP_TRANSACTIONS', true),
  }
}
