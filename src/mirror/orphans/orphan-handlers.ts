import { requireHighestRank } from '../../access/seniority.ts'
import { requirePresentFactor } from '../../access/step-up.ts'
import type { Db } from '../../db/client.ts'
import { type PageQuery, pageOf } from '../../db/paging.ts'
import type { OrphansHandlers } from '../../generated/operations.ts'
import { reasons } from '../reasons.ts'
import type { Reconciler } from '../reconciler.ts'
import type { Orphan, OrphanFilter, Orphans, Selection } from './orphan.ts'

export interface OrphansOptions {
  db: Db
  orphans: Orphans
  reconciler: Pick<Reconciler, 'earlyClaim' | 'settle'>
}

/** Decisions about orphan entries. Only users with a role of sort 1 may make them. */
export const orphansHandlers = ({ db, orphans, reconciler }: OrphansOptions): OrphansHandlers => {
  return {
    async listOrphans({ query, user }) {
      await requireHighestRank(db, user)
      const found = await orphans.list({ ...query, state: query.state ?? 'open' }, page(query))
      return { total: found.total, orphans: found.orphans.map(record) }
    },

    async previewOrphans({ body: { action, filter }, user }) {
      await requireHighestRank(db, user)
      const preview = await orphans.preview(action, filter)
      return { ...preview, orphans: preview.orphans.map(record) }
    },

    async adoptOrphans({ body, user }) {
      await requireHighestRank(db, user)
      // Before the directory is searched.
      await requirePresentFactor(db, user)
      const { records } = await orphans.adopt(selection(body), user)
      await reconciler.settle(records)
      return { total: records.length }
    },

    async ignoreOrphans({ body, user }) {
      await requireHighestRank(db, user)
      return { total: await orphans.ignore(selection(body), user, user.username) }
    },

    async heedOrphans({ body: { dns }, user }) {
      await requireHighestRank(db, user)
      return { total: await orphans.stopIgnoring(dns, user) }
    },
  }
}

const page = (query: PageQuery) => pageOf({ pageNum: query.pageNum ?? 1, ...query }) ?? { limit: 10, offset: 0 }

const record = ({ dn, kind, objectClasses, record, obstacle, ignored }: Orphan) => ({
  ...{ dn, kind, objectClasses, ignored },
  obstacle: obstacle?.text ?? null,
  stated: obstacle,
  recordId: record?.id ?? null,
  recordName: record?.name ?? '',
})

/** @throws AppError (invalid) unless the selection is made in exactly one of the two ways */
const selection = (body: { dns?: string[]; filter?: OrphanFilter; hash?: string }): Selection => {
  const { dns, filter, hash } = body
  if (dns !== undefined && filter === undefined && hash === undefined) return { dns }
  if (dns !== undefined) throw reasons.names_or_filter.at('dns')
  if (filter === undefined) throw reasons.filter_required.at('filter')
  if (hash === undefined) throw reasons.hash_required.at('hash')
  return { filter, hash }
}
