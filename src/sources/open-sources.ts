// The room sources.
// DingTalk, Feishu, WeCom and LDAP: each yields departments and people, and can be diagnosed.
// It never writes, neither to the sources nor to the database.

import type { Db } from '../db/client.ts'
import { groupLayoutIn } from '../mirror/entry/group-layout.ts'
import { writtenAmong } from '../mirror/ledger/written-entries.ts'
import type { Mirror } from '../mirror/open-mirror.ts'
import { mainDirectory } from '../mirror/touch.ts'
import type { MirrorPlace } from './ldap/own-entries.ts'
import { openSource, type SourceOptions } from './open-source.ts'
import type { SourcesConfig } from './settings.ts'
import { type Slot, slots } from './slot.ts'
import type { Source } from './source.ts'

export interface OpenSources {
  /** null: the slot is not configured. */
  bySlot: Readonly<Record<Slot, Source | null>>
  close: () => Promise<void>
}

/** All configured organisations. Makes no request yet. */
export const openSources = (sources: SourcesConfig['sources'], options: SourceOptions): OpenSources => {
  const open = slots.map((slot) => {
    const config = sources[slot]
    return [slot, config === null ? null : openSource(config, options)] as const
  })
  return {
    bySlot: Object.fromEntries(open) as Record<Slot, Source | null>,
    async close() {
      await Promise.all(open.map(([, source]) => source?.close()))
    },
  }
}

/** The directory that this service mirrors to, as a source on the same server needs to know it. */
export const mirrorPlace = (db: Db, { address }: Pick<Mirror, 'address'>): MirrorPlace | null =>
  address && {
    ...address,
    oursAmong: writtenAmong(db, 'extldap'),
    isFlat: async () => (await groupLayoutIn({ db, directory: mainDirectory })) === 'flat',
  }
