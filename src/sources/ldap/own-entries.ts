import { normalizeDn } from '../../ldap/dn.ts'
import { disabledDn, peopleDn } from '../../mirror/places.ts'
import { slots } from '../slot.ts'
import { isBelow } from './entry-key.ts'
import type { Located } from './located.ts'
import type { LdapSourceSettings } from './settings.ts'
import type { IsOwn } from './subtree.ts'

/** The directory that this service mirrors people and groups into. */
export interface MirrorPlace {
  url: string
  baseDn: string
  /** Which of these the service wrote; default: all among its people. */
  oursAmong?: (entries: readonly Place[]) => Promise<ReadonlySet<Place>>
}

/** An entry, and its id at the source. */
export interface Place {
  dn: string
  id: string
}

/** Whether the service writes to the tree that the source reads. */
export const overlaps = (settings: Pick<LdapSourceSettings, 'url' | 'baseDn'>, mirror: MirrorPlace | null): boolean => {
  if (mirror === null || endpoint(settings.url) !== endpoint(mirror.url)) return false
  const [source, target] = [normalizeDn(settings.baseDn), normalizeDn(mirror.baseDn)]
  return isBelow(source, target) || isBelow(target, source)
}

/**
 * If the service writes to the tree that the source reads, its own entries must not be read: every run would find the
 * entries of the run before, and add them again. So its people, parked or not, and the groups of imported organisations
 * are left out. People who were there before the service are read, also once their entries were adopted.
 */
export const ownEntries = (settings: LdapSourceSettings, mirror: MirrorPlace | null): IsOwn => {
  if (mirror === null || !overlaps(settings, mirror)) return async () => new Set()
  const base = normalizeDn(mirror.baseDn)
  const containers = [peopleDn(mirror.baseDn), disabledDn(mirror.baseDn)].map(normalizeDn)
  const isPerson = (key: string): boolean => containers.some((above) => key !== above && isBelow(key, above))
  // The name of a slot's group ends with a number where the name was taken.
  const slotGroup = new RegExp(`(?:^|,)ou=(?:${slots.join('|')})\\d*$`)
  return async (entries) => {
    const below = entries.filter(({ key }) => isBelow(key, base))
    const people = below.filter(({ key }) => isPerson(key))
    const ours = await (mirror.oursAmong?.(people) ?? new Set<Place>(people))
    const isOwn = (entry: Located): boolean =>
      isPerson(entry.key)
        ? ours.has(entry)
        : containers.includes(entry.key) || slotGroup.test(entry.key.slice(0, -base.length - 1))
    return new Set(below.filter(isOwn))
  }
}

/** @param hostname as URL has it */
export const isThisMachine = (hostname: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\]|)$/i.test(hostname)

/** Host and port; every name of this machine is the same one. */
const endpoint = (url: string): string => {
  const { protocol, hostname, port } = new URL(url)
  return `${isThisMachine(hostname) ? 'localhost' : hostname.toLowerCase()}:${port || (protocol === 'ldaps:' ? 636 : 389)}`
}
