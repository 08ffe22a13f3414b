import type { DingtalkSettings } from './dingtalk.ts'
import type { FeishuSettings } from './feishu.ts'
import type { LdapSourceSettings } from './ldap.ts'
import type { Slot } from './slot.ts'
import type { Connector } from './source.ts'
import type { WecomSettings } from './wecom.ts'

/** The settings of a connector. */
export type SourceConfig =
  | { connector: 'dingtalk'; settings: DingtalkSettings }
  | { connector: 'feishu'; settings: FeishuSettings }
  | { connector: 'wecom'; settings: WecomSettings }
  | { connector: 'ldap'; settings: LdapSourceSettings }

export interface SourcesConfig {
  /** EXTA_CONNECTOR and so on; set even if nothing else is. */
  connectors: Readonly<Record<Slot, Connector>>
  /** null: not configured. */
  sources: Readonly<Record<Slot, SourceConfig | null>>
  /** EXTA_SCHEDULE and so on: cron expressions, read in TIME_ZONE; null: runs are started by hand only. */
  schedules: Readonly<Record<Slot, string | null>>
}

/** The settings of each connector, without the slot they begin with. */
export const settingsOf: Readonly<Record<Connector, { required: readonly string[]; optional: readonly string[] }>> = {
  dingtalk: { required: ['APP_KEY', 'APP_SECRET'], optional: ['URL', 'API_URL'] },
  feishu: { required: ['APP_ID', 'APP_SECRET'], optional: ['URL'] },
  wecom: { required: ['CORP_ID', 'SECRET'], optional: ['URL'] },
  ldap: {
    required: ['URL', 'BIND_DN', 'BIND_PASSWORD', 'BASE_DN'],
    optional: ['USER_FILTER', 'GROUP_FILTER', 'PRESET', 'NESTED_GROUPS', 'CA_FILE', 'STARTTLS', 'TIMEOUT'],
  },
}

export const variable = (slot: Slot, setting: string): string => `${slot.toUpperCase()}_${setting}`

/** The variables without which a slot is not configured. */
export const requiredVariables = (slot: Slot, connector: Connector): string[] =>
  settingsOf[connector].required.map((setting) => variable(slot, setting))
