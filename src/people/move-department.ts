import { sql } from 'drizzle-orm'
import { permitGroups } from '../access/permits/groups.ts'
import { updateRow } from '../access/rows.ts'
import type { Tx } from '../db/client.ts'
import { requireExisting } from '../db/existing.ts'
import { requireRoomBelow } from '../db/hierarchy.ts'
import { requireVersion } from '../db/record-versions.ts'
import { only } from '../db/request-fields.ts'
import { groupMembers, groups } from '../db/schema.ts'
import { AppError } from '../failures/errors.ts'
import type { DepartmentsHandlers } from '../generated/operations.ts'
import type { components } from '../generated/operations.types.ts'
import { type MirroredOptions, mirroredChange } from '../mirror/mirrored.ts'
import { touchRearranged } from '../mirror/touch.ts'
import { DryRunRollback } from './dry-run.ts'
import { groupColumns } from './group-fields.ts'
import { lockGroup, parentsOf, subtreeOf } from './group-writes.ts'
import { groupClashes } from './reasons.ts'

type DepartmentMove = components['schemas']['DepartmentMove']

/** Moves a department with all below it, or reports what would happen. */
export const moveDepartment = (options: MirroredOptions): DepartmentsHandlers['moveDepartment'] => {
  const change = mirroredChange(options)

  return async ({ params: { id }, body: { parent, dryRun = false, version }, user }) => {
    let reach = { departments: 0, people: 0 }
    const move = () =>
      change(user, async (tx) => {
        // Until the commit no other request changes the tree: two moves could make a circle together.
        await tx.execute(sql`lock table ${groups} in share row exclusive mode`)
        const group = await lockGroup(tx, id, 'id')
        await requireVersion(tx, 'group', id, version)
        reach = await reachOf(tx, id)
        if (parent !== null) await requireExisting(tx, 'group', [parent], only('parent'))
        const permit = await permitGroups(tx, user, { ids: [id], reach: 'subtree', field: only('id') })
        if (parent !== null) await requireRoomBelow(tx, 'group', parent, { moved: id, field: 'parent' })
        // A name that is free elsewhere may be reserved directly under the base.
        groupColumns({ groupName: group.groupName }, group.groupType, parent)
        await updateRow(permit, groups, id, { parentId: parent }, groupClashes)
        if (dryRun) throw new DryRunRollback()
        return {
          data: { dryRun, ...reach, obstacle: null } satisfies DepartmentMove,
          touched: await touchRearranged(tx, { subtrees: subtreeOf(id), formerParents: parentsOf([group]) }),
        }
      })
    if (!dryRun) return move()
    const obstacle = await move().then(
      () => null,
      (error: unknown) => obstacleOf(error),
    )
    return { dryRun, ...reach, obstacle }
  }
}

/** Why the move would fail; null: it would succeed. Errors of the request itself are thrown again. */
const obstacleOf = (error: unknown): DepartmentMove['obstacle'] => {
  if (error instanceof DryRunRollback) return null
  if (!(error instanceof AppError) || error.kind === 'not_found') throw error
  const { reason, params, message } = error.details?.[0] ?? error
  return { reason: reason as NonNullable<DepartmentMove['obstacle']>['reason'], params, message }
}

const reachOf = async (tx: Tx, id: number): Promise<{ departments: number; people: number }> => {
  const [row] = await tx.execute<{ departments: number; people: number }>(sql`
    with below as materialized (${subtreeOf(id)})
    select (select count(*)::int from below) as departments,
      (select count(distinct m.user_id)::int from ${groupMembers} m where m.group_id in (select id from below)) as people`)
  return row ?? { departments: 0, people: 0 }
}
