import { normalizeDn } from '../../ldap/dn.ts'
import { disabledDn, peopleDn } from '../../ldap/places.ts'
import { slots } from '../../sync/sync.ts'
import { isBelow } from './entry-key.ts'
import type { LdapSourceSettings } from './settings.ts'
import type { IsOwn } from './subtree.ts'

/** The directory that this service mirrors people and groups into. */
export interface MirrorPlace {
  url: string
  baseDn: string
}

/** Whether the source is read from where the service writes to. */
export const overlaps = (settings: Pick<LdapSourceSettings, 'url' | 'baseDn'>, mirror: MirrorPlace | null): boolean => {
  if (mirror === null || endpoint(settings.url) !== endpoint(mirror.url)) return false
  const [source, target] = [normalizeDn(settings.baseDn), normalizeDn(mirror.baseDn)]
  return isBelow(source, target) || isBelow(target, source)
}

/**
 * What is read from where the service writes to must not be what it wrote: every run would find what the run before it
 * made, and make it once more. So its people, parked or not, and the groups that organisations were taken over into
 * are left out.
 */
export const ownEntries = (settings: LdapSourceSettings, mirror: MirrorPlace | null): IsOwn => {
  if (mirror === null || !overlaps(settings, mirror)) return () => false
  const base = normalizeDn(mirror.baseDn)
  const containers = [peopleDn(mirror.baseDn), disabledDn(mirror.baseDn)].map(normalizeDn)
  // A slot's group has a number behind its name where that was taken.
  const slotGroup = new RegExp(`(?:^|,)ou=(?:${slots.join('|')})\\d*$`)
  return (key) =>
    isBelow(key, base) &&
    (containers.some((container) => isBelow(key, container)) || slotGroup.test(key.slice(0, -base.length - 1)))
}

/** @param hostname as URL has it */
export const isThisMachine = (hostname: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\]|)$/i.test(hostname)

/** Host and port; every name of this machine is the same one. */
const endpoint = (url: string): string => {
  const { protocol, hostname, port } = new URL(url)
  return `${isThisMachine(hostname) ? 'localhost' : hostname.toLowerCase()}:${port || (protocol === 'ldaps:' ? 636 : 389)}`
}
