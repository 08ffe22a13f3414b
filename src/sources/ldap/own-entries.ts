import { normalizeDn } from '../../ldap/dn.ts'
import { disabledDn, groupsDn, peopleDn } from '../../mirror/entry/places.ts'
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
  /** Whether all its groups are directly below one entry; default: they are not. */
  isFlat?: () => Promise<boolean>
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
 * are left out; where all groups are below one entry, all that the service wrote there. What was there before the
 * service is read, also once it was adopted.
 */
export const ownEntries = (settings: LdapSourceSettings, mirror: MirrorPlace | null): IsOwn => {
  if (mirror === null || !overlaps(settings, mirror)) return async () => new Set()
  const base = normalizeDn(mirror.baseDn)
  const containers = [peopleDn(mirror.baseDn), disabledDn(mirror.baseDn)].map(normalizeDn)
  const isPerson = (key: string): boolean => containers.some((above) => key !== above && isBelow(key, above))
  // The name of a slot's group ends with a number where the name was taken.
  const slotGroup = new RegExp(`(?:^|,)ou=(?:${slots.join('|')})\\d*$`)
  const groups = normalizeDn(groupsDn(mirror.baseDn))
  return async (entries) => {
    const isFlat = (await mirror.isFlat?.()) ?? false
    const units = isFlat ? [...containers, groups] : containers
    const isWritten = (key: string): boolean => isPerson(key) || (isFlat && key !== groups && isBelow(key, groups))
    const below = entries.filter(({ key }) => isBelow(key, base))
    const asked = below.filter(({ key }) => isWritten(key))
    const ours = await (mirror.oursAmong?.(asked) ?? new Set<Place>(asked))
    const isOwn = (entry: Located): boolean =>
      isWritten(entry.key)
        ? ours.has(entry)
        : units.includes(entry.key) || slotGroup.test(entry.key.slice(0, -base.length - 1))
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
