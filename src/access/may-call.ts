import type { Principal } from '../contract/handler.ts'

/**
 * The operations of every signed-in user, whatever their roles: to read themselves and to change their own password.
 */
export const everybodys: ReadonlySet<string> = new Set([
  'GET /user/info',
  'POST /user/changePwd',
  'GET /v1/operations/me',
  'GET /v1/operations/me/grants',
])

/** What a user may do who has to enrol an authenticator app first, whatever their roles: signing out is public. */
const enrolment: ReadonlySet<string> = new Set([
  'GET /v1/operations/me',
  'GET /v1/operations/me/grants',
  'GET /v1/operations/second-factor',
  'POST /v1/operations/second-factor/totp',
  'POST /v1/operations/second-factor/totp/confirm',
  'POST /v1/operations/step-up',
  'POST /v1/operations/step-up/mail',
])

/** Whether a user may call an operation now; `path` is relative to `/api`. */
export const mayCall = (user: Principal, method: string, path: string): boolean => {
  const name = `${method} ${path}`
  if (user.required === 'enrolment') return enrolment.has(name)
  return everybodys.has(name) || user.may(method, path)
}

/** Whether a user may call an operation only because a role grants it, so that it ends with the grant. */
export const needsGrant = (user: Principal, { method, path }: { method: string; path: string }): boolean =>
  user.required !== 'enrolment' && !everybodys.has(`${method} ${path}`)
