import { mayCall, needsGrant } from '../access/may-call.ts'
import type { LoadedPrincipal } from '../access/principal-query.ts'
import type { Principals } from '../access/principals.ts'
import { reasons as access } from '../access/reasons.ts'
import { wasCarriedOut } from '../access/standing.ts'
import type { Admitted, Authenticate } from '../contract/authenticate.ts'
import type { Principal } from '../contract/handler.ts'
import { currentTime } from '../runtime/clock.ts'
import type { ConsoleSessions } from './console-sessions.ts'
import { reasons } from './reasons.ts'
import type { Tokens } from './tokens.ts'

/** Milliseconds after its sign-in for which a session may be used to enrol. */
const enrolmentTime = 900_000

export interface CallersOptions {
  tokens: Pick<Tokens, 'verify'>
  principals: Pick<Principals, 'find' | 'generation' | 'standing'>
  consoleSessions: Pick<ConsoleSessions, 'admit'>
  now?: () => number
}

/** Whether a caller has lost a role, or has a lower rank than before. */
const isLess = (now: Principal, before: Principal): boolean =>
  now.rank > before.rank || before.roleIds.some((id) => !now.roleIds.includes(id))

/** Who calls: by a bearer token, or by the cookie of the web console. A request with a cached caller makes no query. */
export const openCallers = ({
  tokens,
  principals,
  consoleSessions,
  now = currentTime,
}: CallersOptions): { authenticate: Authenticate } => {
  const byToken = async (token: string | null): Promise<LoadedPrincipal> => {
    const claims = tokens.verify(token)
    const loaded = claims && (await principals.find(claims))
    if (!loaded || loaded.console) throw access.not_signed_in()
    return loaded
  }

  /**
   * @param principal of this request alone: what is carried out for it is noted of it
   * @param from what had been announced when the caller was looked up
   */
  const admit = (principal: Principal, { method, path }: { method: string; path: string }, from: number): Admitted => {
    let checkedGeneration = from
    const lookUpAgain = async (decide: (now: Principal) => void): Promise<void> => {
      const generation = principals.generation()
      const now = await principals.standing(principal.sessionId)
      if (now === null) throw access.session_over()
      if (!mayCall(now, method, path)) throw access.not_granted()
      decide(now)
      checkedGeneration = generation
    }
    const renewed = (now: Principal): void => void Object.assign(principal, now)
    const unlessLess = (now: Principal): void => {
      if (isLess(now, principal)) throw access.roles_lost()
    }
    const isAsKnown = (): boolean => principals.generation() === checkedGeneration
    return {
      principal,
      renew: () => (isAsKnown() ? null : lookUpAgain(renewed)),
      recheck: () => (isAsKnown() || wasCarriedOut(principal) ? null : lookUpAgain(unlessLess)),
    }
  }

  return {
    async authenticate(credential, operation, events) {
      const { method, path } = operation
      const from = principals.generation()
      const { principal, openedAt } =
        credential.kind === 'bearer'
          ? await byToken(credential.token)
          : await consoleSessions.admit(credential, events.onCookieRenewed)
      events.onIdentified(principal)
      if (principal.required === 'enrolment' && openedAt.getTime() + enrolmentTime <= now())
        throw reasons.enrolment_late()
      if (mayCall(principal, method, path))
        return admit(
          { ...principal, ...(needsGrant(principal, operation) && { operation: { method, path } }) },
          operation,
          from,
        )
      throw principal.required === 'enrolment' ? reasons.enrolment_required() : access.not_granted()
    },
  }
}
