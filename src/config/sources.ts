import { isCron } from '../jobs/cron.ts'
import { parseFilter } from '../ldap/filter-text.ts'
import { requiredVariables, type SourceConfig, type SourcesConfig, settingsOf, variable } from '../sources/settings.ts'
import type { Slot } from '../sources/slot.ts'
import type { Connector } from '../sources/source.ts'
import { readAuthorities } from './certificates.ts'
import { isLoopback, readable, type Variables, withoutBrackets } from './variables.ts'

/** Cloud platforms; each of them can be connected to any of the slots A, B and C. */
const platforms = ['dingtalk', 'feishu', 'wecom'] as const

/** Reads the settings of all slots. A slot with some settings, but without the required ones, is a problem. */
export const readSources = (variables: Variables): SourcesConfig => {
  const bySlot = <T>(read: (slot: Slot) => T): Record<Slot, T> => ({
    exta: read('exta'),
    extb: read('extb'),
    extc: read('extc'),
    extldap: read('extldap'),
  })
  const connectors: Record<Slot, Connector> = {
    exta: variables.oneOf('EXTA_CONNECTOR', platforms, 'dingtalk'),
    extb: variables.oneOf('EXTB_CONNECTOR', platforms, 'feishu'),
    extc: variables.oneOf('EXTC_CONNECTOR', platforms, 'wecom'),
    extldap: 'ldap',
  }
  return {
    connectors,
    sources: bySlot((slot) => readSource(variables, slot, connectors[slot])),
    schedules: bySlot((slot) =>
      variables.parse<string | null>(
        variable(slot, 'SCHEDULE'),
        null,
        (value) => (isCron(value) ? value : undefined),
        'a cron expression of five fields such as 30 2 * * *',
      ),
    ),
  }
}

const readSource = (variables: Variables, slot: Slot, connector: Connector): SourceConfig | null => {
  const { problems, read } = variables
  const { required, optional } = settingsOf[connector]
  for (const setting of foreignSettings(connector)) {
    const name = variable(slot, setting)
    if (slot !== 'extldap' && read(name) !== null) {
      problems.push(
        `${name}: is not a setting of ${connector}, the connector of ${slot} (${variable(slot, 'CONNECTOR')})`,
      )
    }
  }
  const given = [...required, ...optional, 'SCHEDULE'].filter((setting) => read(variable(slot, setting)) !== null)
  if (given.length === 0) return null
  const source = readers[connector](variables, slot)
  for (const name of requiredVariables(slot, connector)) {
    if (read(name) === null) problems.push(`${name}: required for ${slot} (${connector}), which has other settings`)
  }
  return source
}

/** Settings that belong to other platforms. */
const foreignSettings = (connector: Connector): string[] => {
  const own = settingsOf[connector]
  const all = platforms.flatMap((platform) => [...settingsOf[platform].required, ...settingsOf[platform].optional])
  return [...new Set(all)].filter((setting) => !own.required.includes(setting) && !own.optional.includes(setting))
}

/**
 * Missing texts are empty here: they have been reported as problems, and a configuration with problems is never used.
 */
const readers: Readonly<Record<Connector, (variables: Variables, slot: Slot) => SourceConfig>> = {
  dingtalk: (variables, slot) => ({
    connector: 'dingtalk',
    settings: {
      appKey: text(variables, slot, 'APP_KEY'),
      appSecret: text(variables, slot, 'APP_SECRET'),
      url: platformUrl(variables, slot, 'URL', 'https://oapi.dingtalk.com'),
      apiUrl: platformUrl(variables, slot, 'API_URL', 'https://api.dingtalk.com'),
    },
  }),
  feishu: (variables, slot) => ({
    connector: 'feishu',
    settings: {
      appId: text(variables, slot, 'APP_ID'),
      appSecret: text(variables, slot, 'APP_SECRET'),
      url: platformUrl(variables, slot, 'URL', 'https://open.feishu.cn'),
    },
  }),
  wecom: (variables, slot) => ({
    connector: 'wecom',
    settings: {
      corpId: text(variables, slot, 'CORP_ID'),
      secret: text(variables, slot, 'SECRET'),
      url: platformUrl(variables, slot, 'URL', 'https://qyapi.weixin.qq.com'),
    },
  }),
  ldap: (variables, slot) => {
    const url = variables.url(variable(slot, 'URL'), ['ldap:', 'ldaps:']) ?? ''
    const startTls = variables.flag(variable(slot, 'STARTTLS'), false)
    if (startTls && url.startsWith('ldaps:')) {
      variables.problems.push(`${variable(slot, 'STARTTLS')}: is allowed with ldap:// only, not with ldaps://`)
    }
    return {
      connector: 'ldap',
      settings: {
        url,
        bindDn: text(variables, slot, 'BIND_DN'),
        bindPassword: text(variables, slot, 'BIND_PASSWORD'),
        baseDn: variables.dn(variable(slot, 'BASE_DN')),
        userFilter: variables.parse(variable(slot, 'USER_FILTER'), '', filterText, aFilter),
        groupFilter: variables.parse(variable(slot, 'GROUP_FILTER'), '', filterText, aFilter),
        preset: variables.oneOf(variable(slot, 'PRESET'), ['openldap', 'posix', 'ad'], 'openldap'),
        nestedGroups: variables.flag(variable(slot, 'NESTED_GROUPS'), false),
        ca: readAuthorities(variables, variable(slot, 'CA_FILE')),
        startTls,
        timeout: variables.duration(variable(slot, 'TIMEOUT'), 15_000, 100),
      },
    }
  },
}

const aFilter = 'a search filter such as (&(objectClass=person)(mail=*))'

const filterText = readable((text: string): string => {
  parseFilter(text)
  return text
})

const text = ({ read }: Variables, slot: Slot, setting: string): string => read(variable(slot, setting)) ?? ''

/** A base URL without a slash at its end. Secrets are sent to it: unencrypted only to this machine. */
const platformUrl = ({ parse }: Variables, slot: Slot, setting: string, fallback: string): string =>
  parse(variable(slot, setting), fallback, toPlatformUrl, 'a URL starting with https:// (or http:// to this machine)')

const toPlatformUrl = (value: string): string | undefined => {
  if (!URL.canParse(value)) return undefined
  const { protocol, hostname, username, password, search, hash } = new URL(value)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(withoutBrackets(hostname)))
  return isSafe && `${username}${password}${search}${hash}` === '' ? value.replace(/\/+$/, '') : undefined
}
