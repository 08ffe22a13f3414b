import type { Logger } from '../runtime/log.ts'
import { dingtalkSource } from './dingtalk.ts'
import { feishuSource } from './feishu.ts'
import type { MirrorPlace } from './ldap/own-entries.ts'
import { ldapSource } from './ldap.ts'
import type { SourceConfig } from './settings.ts'
import type { Source } from './source.ts'
import { wecomSource } from './wecom.ts'

export interface SourceOptions {
  log: Logger
  /** The directory that this service mirrors to, if any: its own entries are never read as a source's. */
  mirror: MirrorPlace | null
}

/** The organisation of a slot. Makes no request yet; the caller must close it. */
export const openSource = (config: SourceConfig, { log, mirror }: SourceOptions): Source => {
  switch (config.connector) {
    case 'dingtalk':
      return dingtalkSource(config.settings, { log })
    case 'feishu':
      return feishuSource(config.settings, { log })
    case 'wecom':
      return wecomSource(config.settings, { log })
    case 'ldap':
      return ldapSource(config.settings, { log, mirror })
  }
}
