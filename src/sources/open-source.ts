import type { Logger } from '../log.ts'
import { dingtalkSource } from './dingtalk.ts'
import { feishuSource } from './feishu.ts'
import type { MirrorPlace } from './ldap/own-entries.ts'
import { ldapSource } from './ldap.ts'
import type { SourceConfig } from './settings.ts'
import type { Source } from './source.ts'
import { wecomSource } from './wecom.ts'

export interface SourceOptions {
  log: Logger
  /** Where this service mirrors to, if anywhere: what it wrote there is never taken for a source's. */
  mirror: MirrorPlace | null
}

/** The organisation that a slot is connected to. Nothing is asked of it yet; whoever opens it closes it. */
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
