import { type Body, call, type Data, Failure } from '../../app/api.ts'
import { withSecondFactor } from '../../app/step-up.ts'
import type { Choice } from '../../ui/RecordPicker.tsx'

/** What the service does to many people, and the two ways to reset their passwords. */
export type PeopleAction = Body<'changePeople'>['action'] | keyof typeof resets
export type PersonChanged = Data<'changePeople'>['people'][number] &
  Partial<Pick<Data<'resetUserPasswords'>['people'][number], 'username' | 'password'>>
export type Changed = Omit<Data<'changePeople'>, 'people'> & { people: PersonChanged[] }

/** Whom an action is for, as the list knows them. */
export interface Target {
  id: number
  name: string
  username: string
}

export type Wanted = Pick<Body<'changePeople'>, 'roleIds' | 'groupIds' | 'from' | 'to'>

/** An action on one person or many, as a page asks for it. */
export interface Bulk {
  action: PeopleAction
  targets: readonly Target[]
  /** The department that they are shown in, which a move ends the membership of. */
  from?: Choice | undefined
  /** What is asked for already, and not to be changed. */
  given?: Wanted
  known?: readonly Choice[]
}

/** What an action needs beside the people. */
export const needsOf = (action: PeopleAction): 'roles' | 'groups' | 'places' | null => {
  if (action === 'addRoles' || action === 'removeRoles') return 'roles'
  if (action === 'addGroups' || action === 'removeGroups') return 'groups'
  return action === 'move' ? 'places' : null
}

export const isComplete = (action: PeopleAction, { roleIds, groupIds, from, to }: Wanted): boolean => {
  const needs = needsOf(action)
  if (needs === 'roles') return (roleIds?.length ?? 0) > 0
  if (needs === 'groups') return (groupIds?.length ?? 0) > 0
  return needs === null || (from !== undefined && to !== undefined && from !== to)
}

const resets = { resetPassword: 'link', showPassword: 'shown' } as const

const isReset = (action: PeopleAction): action is keyof typeof resets => action in resets

interface Asked {
  action: PeopleAction
  targets: readonly Target[]
  wanted: Wanted
}

const changeSome = async ({ action, targets, wanted }: Asked, dryRun: boolean): Promise<Changed> => {
  const ids = targets.map(({ id }) => id)
  if (isReset(action)) return (await call('resetUserPasswords', { body: { way: resets[action], ids, dryRun } })).data
  return (await call('changePeople', { body: { action, ids, dryRun, ...wanted } })).data
}

/**
 * Does an action to people, or says what it would do; the service takes a certain number at a time. When a part fails after
 * another was done, the rest is refused: what was done, and a password that is shown once, is not lost.
 * @throws Failure
 */
export const changePeople = async (asked: Asked, dryRun: boolean): Promise<Changed> => {
  const { action, targets } = asked
  const max = isReset(action) ? 100 : 1000
  const parts: Changed[] = []
  for (let start = 0; start < targets.length; start += max) {
    const part = { ...asked, targets: targets.slice(start, start + max) }
    try {
      parts.push(await withSecondFactor(() => changeSome(part, dryRun)))
    } catch (error) {
      if (dryRun || start === 0 || !(error instanceof Failure)) throw error
      parts.push(refusedAll(targets.slice(start), error))
      break
    }
  }
  return together(parts, dryRun)
}

const refusedAll = (targets: readonly Target[], { reason, params, message }: Failure): Changed => ({
  dryRun: false,
  effect: { ...nothing, refused: targets.length },
  people: targets.map(({ id, name }) => ({ id, name, result: 'refused', reason, params: { ...params }, message })),
})

const nothing: Changed['effect'] = {
  changed: 0,
  unchanged: 0,
  refused: 0,
  sessionsEnded: 0,
  membershipsEnded: 0,
  membershipsAdded: 0,
  administrators: 0,
}

const together = (parts: readonly Changed[], dryRun: boolean): Changed => ({
  dryRun,
  people: parts.flatMap(({ people }) => people),
  effect: parts.reduce(
    (sum, { effect }) => ({
      changed: sum.changed + effect.changed,
      unchanged: sum.unchanged + effect.unchanged,
      refused: sum.refused + effect.refused,
      sessionsEnded: sum.sessionsEnded + effect.sessionsEnded,
      membershipsEnded: sum.membershipsEnded + effect.membershipsEnded,
      membershipsAdded: sum.membershipsAdded + effect.membershipsAdded,
      administrators: sum.administrators + effect.administrators,
    }),
    nothing,
  ),
})
