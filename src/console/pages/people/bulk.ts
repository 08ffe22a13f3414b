import { type Body, call, type Data, Failure } from '../../app/api.ts'
import { withSecondFactor } from '../../app/step-up.ts'

export type PeopleAction = Body<'changePeople'>['action'] | 'resetPassword'
export type Changed = Data<'changePeople'>

/** Whom an action is for, as the list knows them. */
export interface Target {
  id: number
  name: string
  username: string
  mail: string
  access: { change: boolean; reason: string | null }
}

export type Wanted = Pick<Body<'changePeople'>, 'roleIds' | 'groupIds' | 'from' | 'to'>

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

const most = 1000

/** Does an action to people, or says what it would do; the service takes 1000 at a time. @throws Failure */
export const changePeople = async (
  { action, targets, wanted }: { action: PeopleAction; targets: readonly Target[]; wanted: Wanted },
  dryRun: boolean,
): Promise<Changed> => {
  if (action === 'resetPassword') return resetPasswords(targets, dryRun)
  const parts: Changed[] = []
  for (let start = 0; start < targets.length; start += most) {
    const ids = targets.slice(start, start + most).map(({ id }) => id)
    const body = { action, ids, dryRun, ...wanted }
    parts.push((await withSecondFactor(() => call('changePeople', { body }))).data)
  }
  return together(parts, dryRun)
}

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

type PersonChanged = Changed['people'][number]

/** Mails links one by one. There is no dry run of it: what the records say of access and address is what is known before. */
const resetPasswords = async (targets: readonly Target[], dryRun: boolean): Promise<Changed> => {
  const people: PersonChanged[] = []
  for (const { id, name, access, mail } of targets) {
    const one: PersonChanged = { id, name, result: 'changed', reason: null, params: {}, message: null }
    if (!access.change) people.push({ ...one, result: 'refused', reason: access.reason })
    else if (mail === '') people.push({ ...one, result: 'refused', reason: noMail })
    else if (dryRun) people.push(one)
    else people.push({ ...one, ...(await resetOne(id)) })
  }
  const count = (wanted: PersonChanged['result']): number => people.filter(({ result }) => result === wanted).length
  return { dryRun, people, effect: { ...nothing, changed: count('changed'), refused: count('refused') } }
}

/** Stands for the refusal that is foreseen before the service says it. */
export const noMail = 'console.no_mail'

const resetOne = async (id: number): Promise<Partial<PersonChanged>> => {
  try {
    await withSecondFactor(() => call('resetUserPassword', { path: { id }, body: { way: 'link' } }))
    return {}
  } catch (error) {
    // Without the second factor none of them can be done.
    if (!(error instanceof Failure) || error.challenge !== null) throw error
    return { result: 'refused', reason: error.reason, params: { ...error.params }, message: error.message }
  }
}
