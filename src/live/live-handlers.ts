import { entryPath } from '../contract/document.ts'
import { type NoticesHandlers, operationsDocument, type ProgressHandlers } from '../generated/operations.ts'
import type { Live } from './open-live.ts'
import type { ProgressSnapshot, Work, WorkKind } from './progress.ts'
import { reasons } from './reasons.ts'

export interface LiveHandlersOptions {
  live: Pick<Live, 'progress' | 'notices' | 'streams'>
}

/** An operation as API entries name it. */
const entryOf = (id: string): { method: string; path: string } => {
  const operation = operationsDocument.operations.find((each) => each.id === id)
  if (operation === undefined) throw new Error(`The document has no operation ${id}`)
  return { method: operation.method, path: entryPath(operationsDocument, operation) }
}

interface WorkFilter {
  kind?: WorkKind
  id?: number
}

/** The progress of long work, as a stream and for polling. */
export const progressHandlers = ({ live: { progress, streams } }: LiveHandlersOptions): ProgressHandlers => {
  /** The part of a snapshot that passes the filter. @throws AppError not_found, or invalid for an id without a kind */
  const viewOf = async ({ kind, id }: WorkFilter): Promise<(snapshot: ProgressSnapshot) => ProgressSnapshot> => {
    if (id === undefined) {
      return ({ at, work }) => ({ at, work: kind === undefined ? work : work.filter((each) => each.kind === kind) })
    }
    if (kind === undefined) throw reasons.kind_required.at('kind')
    let known: Work | null = await progress.find(kind, id)
    if (known === null) throw reasons.work_not_found.at('id', { kind, id })
    return ({ at, work }) => {
      known = work.find((each) => each.kind === kind && each.id === id) ?? known
      return { at, work: known === null ? [] : [known] }
    }
  }
  const operation = entryOf('watchProgress')

  return {
    async watchProgress({ query, user }) {
      const view = await viewOf(query)
      return streams.open({ user, operation, event: 'progress', feed: progress, view })
    },

    async getProgress({ query }) {
      const view = await viewOf(query)
      return view(await progress.read())
    },
  }
}

/** What is urgent, as a stream and for polling. */
export const noticesHandlers = ({ live: { notices, streams } }: LiveHandlersOptions): NoticesHandlers => {
  const operation = entryOf('watchNotices')
  return {
    watchNotices: ({ user }) =>
      streams.open({ user, operation, event: 'notices', feed: notices, view: (list) => list }),
    listNotices: () => notices.read(),
  }
}
