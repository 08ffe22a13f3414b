import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Principal } from '../contract/handler.ts'
import type { Queryable, Tx } from '../db/client.ts'
import { anyOfIds } from '../db/id-list.ts'
import { recoveryCodes, secondFactors, sessions, users } from '../db/schema.ts'
import type { AppError, Challenge } from '../failures/errors.ts'
import { isMailAddress } from '../text/identity-keys.ts'
import { reasons } from './reasons.ts'
import { noteRequired } from './required.ts'

/** Seconds that a step-up counts. */
export const stepUpAge = 300

/** Of a row of sessions: until when its step-up counts, in milliseconds since 1970; null: it has none that counts. */
export const steppedUpUntil = sql<number | null>`
  case when ${sessions.steppedUpAt} > now() - make_interval(secs => ${stepUpAge})
    then extract(epoch from ${sessions.steppedUpAt})::float8 * 1000 + ${stepUpAge * 1000}::float8 end`

/** RFC 3339, UTC, with milliseconds. */
export const timestamp = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : new Date(milliseconds).toISOString()

export type StepUpMethod = Challenge['methods'][number]

export interface StepUpState {
  /** RFC 3339; null: there is no step-up, or none that still counts. */
  until: string | null
  methods: StepUpMethod[]
}

/**
 * How a session stands with the second factor, by the database's clock, so that all instances agree.
 * @throws AppError (unauthenticated) when the session has ended meanwhile
 */
export const stepUpState = async (db: Queryable, { sessionId }: Pick<Principal, 'sessionId'>): Promise<StepUpState> => {
  const [row] = await db.execute<{ until: number | null; totp: boolean; recovery: boolean; mail: string }>(sql`
    select ${steppedUpUntil} as until,
      exists (select from ${secondFactors} where user_id = ${users.id} and confirmed_at is not null) as totp,
      exists (select from ${recoveryCodes} where user_id = ${users.id} and used_at is null) as recovery,
      ${users.mail} as mail
    from ${sessions} join ${users} on ${users.id} = ${sessions.userId}
    where ${sessions.id} = ${sessionId} and ${sessions.endedAt} is null`)
  if (row === undefined) throw sessionOver()
  const { until, totp, recovery, mail } = row
  return {
    until: timestamp(until),
    methods: totp ? ['totp', ...(recovery ? (['recovery'] as const) : [])] : isMailAddress(mail) ? ['mail'] : [],
  }
}

/**
 * Refuses a session that has not proven the second factor within the last 5 minutes. A change is committed only while that has
 * not been taken away.
 * @throws AppError (unauthenticated) with the challenge that says how to
 */
export const requireStepUp = async (db: Queryable, user: Pick<Principal, 'sessionId'>): Promise<void> => {
  const { until, methods } = await stepUpState(db, user)
  if (until === null) throw stepUpNeeded(methods)
  noteRequired(user, 'a step-up')
}

/**
 * Before a factor is added or the address of the mailed code is changed: a user with a factor proves it first. A user
 * with neither an app nor a mail address has no factor to prove, so the first one is accepted without proof.
 * @throws AppError (unauthenticated) with the challenge that says how to
 */
export const requirePresentFactor = async (db: Queryable, user: Pick<Principal, 'sessionId'>): Promise<void> => {
  const { until, methods } = await stepUpState(db, user)
  if (until !== null) noteRequired(user, 'a step-up')
  else if (methods.length > 0) throw stepUpNeeded(methods)
}

const stepUpNeeded = (methods: readonly StepUpMethod[]): AppError => {
  const refusal = methods.length > 0 ? reasons.step_up : reasons.step_up_without_factor
  return refusal({ challenge: { required: 'second_factor', methods, maxAge: stepUpAge } })
}

/**
 * Holds a user until the transaction ends, before anything that belongs to them is changed: a deletion of the user
 * comes to that afterwards.
 */
export const holdUser = async (tx: Tx, { userId }: Pick<Principal, 'userId'>): Promise<void> => {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('key share')
}

/** Like `holdUser`, before the user's own row is changed too: other changes of the user wait. */
export const holdUserToChange = async (tx: Tx, { userId }: Pick<Principal, 'userId'>): Promise<void> => {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
}

/**
 * Holds a session until the transaction ends. It comes before what is used up of its proof: whatever ends sessions
 * comes to their codes after them.
 * @throws AppError (unauthenticated) when the session has ended meanwhile
 */
export const holdSession = async (tx: Tx, { sessionId }: Pick<Principal, 'sessionId'>): Promise<void> => {
  const held = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), isNull(sessions.endedAt)))
    .for('no key update')
  if (held.length === 0) throw sessionOver()
}

/**
 * Marks a session as having proven the second factor now. Call it inside the transaction that uses up the proof.
 * @throws AppError (unauthenticated) when the session has ended meanwhile
 */
export const markSteppedUp = async (tx: Queryable, { sessionId }: Pick<Principal, 'sessionId'>): Promise<void> => {
  const marked = await tx
    .update(sessions)
    .set({ steppedUpAt: sql`now()` })
    .where(and(eq(sessions.id, sessionId), isNull(sessions.endedAt)))
    .returning({ id: sessions.id })
  if (marked.length === 0) throw sessionOver()
}

/**
 * Takes away the step-ups of users whose app is removed, or whose mail address is changed: the former one may be in the hands of
 * others. Call it in the transaction of that.
 * @param except a session that keeps its own
 */
export const endStepUps = async (tx: Tx, userIds: readonly number[], except: string | null): Promise<void> => {
  await tx
    .update(sessions)
    .set({ steppedUpAt: null })
    .where(
      and(
        sql`${sessions.userId} = ${anyOfIds(userIds)}`,
        isNotNull(sessions.steppedUpAt),
        isNull(sessions.endedAt),
        sql`${sessions.id} is distinct from ${except}::uuid`,
      ),
    )
}

const sessionOver = (): AppError => reasons.session_over()
