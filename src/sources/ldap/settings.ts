import type { Filter } from 'ldapts'
import type { Statement } from '../../failures/statement.ts'
import { DnSyntaxError, normalizeDn } from '../../ldap/dn.ts'
import { FilterSyntaxError, parseFilter } from '../../ldap/filter-text.ts'
import { SourceError } from '../source.ts'
import { statements } from '../statements.ts'
import { type Preset, type PresetName, presets } from './presets.ts'

/** EXTLDAP_URL and so on. */
export interface LdapSourceSettings {
  /** ldap://host[:port] or ldaps://host[:port] */
  url: string
  bindDn: string
  bindPassword: string
  baseDn: string
  /** The filter for people (RFC 4515); empty: that of the preset. */
  userFilter: string
  /** The filter for departments, organizational units included; empty: that of the preset. */
  groupFilter: string
  preset: PresetName
  /** Whether people of a group that another group lists are in that one too. Default: false. */
  nestedGroups?: boolean
  /** PEM text of the authorities to trust, as it is now; null: those that the system trusts. */
  ca: (() => string) | null
  startTls: boolean
  /** Milliseconds for one page. */
  timeout: number
}

/** The part of the settings that decides what is read. */
export interface Subject {
  preset: Preset
  baseDn: string
  /** The key of the base DN. */
  baseKey: string
  people: Filter
  departments: Filter
  nestedGroups: boolean
}

/** @throws SourceError naming the wrong setting */
export const readSubject = (settings: LdapSourceSettings): Subject => {
  const { preset: name, baseDn, userFilter, groupFilter, nestedGroups = false } = settings
  const preset = presets[name]
  return {
    preset,
    baseDn,
    baseKey: checked('EXTLDAP_BASE_DN', statements.set_dn, () => normalizeDn(baseDn)),
    people: filter('EXTLDAP_USER_FILTER', userFilter || preset.userFilter),
    departments: filter('EXTLDAP_GROUP_FILTER', groupFilter || preset.groupFilter),
    nestedGroups,
  }
}

const filter = (setting: string, text: string): Filter =>
  checked(setting, statements.set_filter, () => parseFilter(text))

const checked = <T>(setting: string, advised: (values: { setting: string }) => Statement, parse: () => T): T => {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof DnSyntaxError || error instanceof FilterSyntaxError)) throw error
    const stated = statements.setting_wrong({ setting, problem: error.message })
    throw new SourceError(stated, { advised: advised({ setting }), cause: error })
  }
}
