import { mayCall } from '../access/may-call.ts'
import type { LoadedPrincipal } from '../access/principal-query.ts'
import type { Principals } from '../access/principals.ts'
import { reasons as access } from '../access/reasons.ts'
import { currentTime } from '../clock.ts'
import type { Authenticate } from '../contract/authenticate.ts'
import type { ConsoleSessions } from './console-sessions.ts'
import { reasons } from './reasons.ts'
import type { Tokens } from './tokens.ts'

/** Milliseconds after its sign-in for which a session may be used to enrol. */
const enrolmentTime = 900_000

export interface CallersOptions {
  tokens: Pick<Tokens, 'verify'>
  principals: Pick<Principals, 'find'>
  consoleSessions: Pick<ConsoleSessions, 'admit'>
  now?: () => number
}

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

  return {
    async authenticate(credential, { method, path }, told) {
      const { principal, openedAt } =
        credential.kind === 'bearer'
          ? await byToken(credential.token)
          : await consoleSessions.admit(credential, told.renewed)
      told.identified(principal)
      if (principal.required === 'enrolment' && openedAt.getTime() + enrolmentTime <= now())
        throw reasons.enrolment_late()
      if (mayCall(principal, method, path)) return principal
      throw principal.required === 'enrolment' ? reasons.enrolment_required() : access.not_granted()
    },
  }
}
