import type { Principal } from '../contract/handler.ts'
import type { Db } from '../db/client.ts'
import { requireExisting } from '../db/existing.ts'
import { itemOf } from '../db/request-fields.ts'
import type { GroupsHandlers, UsersHandlers } from '../generated/directory.ts'
import type { DirectoryRun } from '../mirror/comparison/directory-run.ts'
import type { Reconciler } from '../mirror/reconciler.ts'
import type { RecordKind } from '../mirror/touch.ts'
import type { Slot } from '../sources/slot.ts'
import type { Importer } from './importer.ts'
import type { RunKind } from './run-request.ts'
import { reportOrFailure } from './run-response.ts'
import type { RunOutcome, Runs, RunWork } from './runs.ts'

export interface RunStartOptions {
  db: Db
  reconciler: Pick<Reconciler, 'synchronize'>
  runs: Runs
  importer: Pick<Importer, 'run'>
}

/** A comparison of directory and SQL, with its result, in the shape of a run. */
export const comparing =
  (
    reconciler: Pick<Reconciler, 'synchronize'>,
    kind: RecordKind,
    which: Parameters<Reconciler['synchronize']>[1],
  ): RunWork =>
  async ({ progress }) =>
    outcomeOf(
      await reconciler.synchronize(kind, which, (done, of) =>
        progress(of === null ? 'reading' : 'comparing', done, of),
      ),
    )

/** What a comparison came to, as the outcome of a run. */
export const outcomeOf = ({ completed, ...counts }: DirectoryRun): RunOutcome => ({
  state: completed ? 'done' : 'failed',
  ...counts,
})

type Starting<Handlers> = Pick<Handlers, Extract<keyof Handlers, `sync${string}`>>

const starting =
  (importer: Pick<Importer, 'run'>, kind: RunKind) =>
  (slot: Slot) =>
  async ({ user }: { user: Principal }) =>
    reportOrFailure(await importer.run({ slot, kind, dryRun: false, creator: user.username, actor: user }))

/** Imports people, and updates the entries of people from their records. */
export const userRunStartHandlers = ({ db, reconciler, runs, importer }: RunStartOptions): Starting<UsersHandlers> => {
  const start = starting(importer, 'users')
  return {
    async syncSqlUsers({ body, user }) {
      const userIds = [...new Set(body.userIds)]
      await db.transaction((tx) => requireExisting(tx, 'user', body.userIds, itemOf('userIds')))
      const run = { source: 'sql', kind: 'users', exclusive: false, creator: user.username, author: user } as const
      return reportOrFailure(await runs.report(run, comparing(reconciler, 'user', userIds)))
    },
    syncExtAUsers: start('exta'),
    syncExtBUsers: start('extb'),
    syncExtCUsers: start('extc'),
    syncExtLdapUsers: start('extldap'),
  }
}

/** Imports departments, and updates the entries of groups, or of everything, from their records. */
export const groupRunStartHandlers = ({
  db,
  reconciler,
  runs,
  importer,
}: RunStartOptions): Starting<GroupsHandlers> => {
  const start = starting(importer, 'groups')
  return {
    async syncSqlGroups({ body, user }) {
      const groupIds = 'groupIds' in body ? body.groupIds : undefined
      const run = { source: 'sql', kind: 'groups', creator: user.username, author: user } as const
      if (groupIds === undefined) {
        return reportOrFailure(await runs.report({ ...run, exclusive: true }, comparing(reconciler, 'group', 'all')))
      }
      await db.transaction((tx) => requireExisting(tx, 'group', groupIds, itemOf('groupIds')))
      const wanted = [...new Set(groupIds)]
      return reportOrFailure(await runs.report({ ...run, exclusive: false }, comparing(reconciler, 'group', wanted)))
    },
    syncExtADepts: start('exta'),
    syncExtBDepts: start('extb'),
    syncExtCDepts: start('extc'),
    syncExtLdapDepts: start('extldap'),
  }
}
