import type { Principal } from '../contract/handler.ts'
import type { Db } from '../db/client.ts'
import { requireExisting } from '../db/existing.ts'
import { itemOf } from '../db/request-fields.ts'
import type { GroupsHandlers, UsersHandlers } from '../generated/directory.ts'
import type { Reconciler } from '../mirror/reconciler.ts'
import type { Slot } from '../sources/slot.ts'
import { comparing } from './comparing.ts'
import { answerRun } from './run-answer.ts'
import type { Runs } from './runs.ts'
import type { RunKind, Sync } from './sync.ts'

export interface RunHandlersOptions {
  db: Db
  reconciler: Pick<Reconciler, 'synchronize'>
  runs: Runs
  sync: Pick<Sync, 'run'>
}

type Starting<Handlers> = Pick<Handlers, Extract<keyof Handlers, `sync${string}`>>

const starting =
  (sync: Pick<Sync, 'run'>, kind: RunKind) =>
  (slot: Slot) =>
  async ({ user }: { user: Principal }) =>
    answerRun(await sync.run({ slot, kind, dryRun: false, creator: user.username, actor: user }))

/** Imports people, and updates the entries of people from their records. */
export const userRuns = ({ db, reconciler, runs, sync }: RunHandlersOptions): Starting<UsersHandlers> => {
  const syncing = starting(sync, 'users')
  return {
    async syncSqlUsers({ body, user }) {
      const userIds = [...new Set(body.userIds)]
      await db.transaction((tx) => requireExisting(tx, 'user', body.userIds, itemOf('userIds')))
      const run = { source: 'sql', kind: 'users', exclusive: false, creator: user.username } as const
      return answerRun(await runs.report(run, () => comparing(reconciler, 'user', userIds)))
    },
    syncExtAUsers: syncing('exta'),
    syncExtBUsers: syncing('extb'),
    syncExtCUsers: syncing('extc'),
    syncExtLdapUsers: syncing('extldap'),
  }
}

/** Imports departments, and updates the entries of groups, or of everything, from their records. */
export const groupRuns = ({ db, reconciler, runs, sync }: RunHandlersOptions): Starting<GroupsHandlers> => {
  const syncing = starting(sync, 'groups')
  return {
    async syncSqlGroups({ body, user }) {
      const groupIds = 'groupIds' in body ? body.groupIds : undefined
      const run = { source: 'sql', kind: 'groups', creator: user.username } as const
      if (groupIds === undefined) {
        return answerRun(await runs.report({ ...run, exclusive: true }, () => comparing(reconciler, 'group', 'all')))
      }
      await db.transaction((tx) => requireExisting(tx, 'group', groupIds, itemOf('groupIds')))
      const wanted = [...new Set(groupIds)]
      return answerRun(await runs.report({ ...run, exclusive: false }, () => comparing(reconciler, 'group', wanted)))
    },
    syncExtADepts: syncing('exta'),
    syncExtBDepts: syncing('extb'),
    syncExtCDepts: syncing('extc'),
    syncExtLdapDepts: syncing('extldap'),
  }
}
