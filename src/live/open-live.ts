// The room live.
// What is shown as it happens: the progress of long work, and what is urgent. Streams of events, and the same for polling.
// It never changes anything, and never reads for one viewer what it can read once for all.

import type { Access } from '../access/open-access.ts'
import type { Database } from '../db/client.ts'
import type { NoticesHandlers, ProgressHandlers } from '../generated/operations.ts'
import type { Tasks } from '../jobs/tasks.ts'
import type { Logger } from '../runtime/log.ts'
import { type Feed, openFeed } from './feed.ts'
import { noticesHandlers, progressHandlers } from './live-handlers.ts'
import { type NoticeList, readNotices } from './notices.ts'
import { openStreams, type Streams } from './open-streams.ts'
import { type ProgressSnapshot, progressReader } from './progress.ts'

export interface Live {
  progress: Feed<ProgressSnapshot> & Pick<ReturnType<typeof progressReader>, 'find'>
  notices: Feed<NoticeList>
  streams: Streams
  handlers: { progress: ProgressHandlers; notices: NoticesHandlers }
  /** Ends all streams and stops listening. */
  close(): Promise<void>
}

export interface LiveOptions {
  database: Pick<Database, 'db' | 'kind' | 'listen'>
  tasks: Pick<Tasks, 'own' | 'onProgress'>
  access: Pick<Access, 'principals'>
  /** Seconds that a token lives; a stream lives as long. */
  config: { tokenTtl: number }
  log: Logger
}

/** Where triggers tell of changes; the payload is the table's name. */
const channel = 'steward_live'

/** Milliseconds between two readings where the database cannot tell of changes. */
const pollInterval = 1000
/** Milliseconds after which what is watched is read again without a change: locks run out, ended work is left out. */
const refreshInterval = 15_000

/** Opens the feeds. Nothing is read while there is no viewer. */
export const openLive = async ({ database, tasks, access, config, log }: LiveOptions): Promise<Live> => {
  const { db } = database
  const reader = progressReader({ db, tasks })
  const progress = openFeed({ read: reader.read, what: 'the progress of work', log })
  const notices = openFeed({ read: () => readNotices(db), what: 'what is urgent', log })
  const bothChanged = (): void => {
    progress.changed()
    notices.changed()
  }
  const changed: Readonly<Record<string, () => void>> = {
    tasks: progress.changed,
    runs: bothChanged,
    alerts: notices.changed,
    throttles: notices.changed,
  }
  const stopListening = await database.listen?.(channel, (table) => changed[table]?.(), bothChanged)
  const timer = setInterval(bothChanged, database.listen ? refreshInterval : pollInterval)
  timer.unref()
  const forget = tasks.onProgress(progress.changed)
  const streams = openStreams({ principals: access.principals, lifetime: config.tokenTtl * 1000 })
  const live = { progress: { ...progress, find: reader.find }, notices, streams }

  return {
    ...live,
    handlers: { progress: progressHandlers({ live }), notices: noticesHandlers({ live }) },
    async close() {
      streams.close()
      clearInterval(timer)
      forget()
      await stopListening?.()
    },
  }
}
