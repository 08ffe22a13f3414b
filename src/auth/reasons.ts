import { reasonsOf } from '../failures/reason-table.ts'

/** Why a proof of identity is refused. The texts say no more than the owner needs. */
export const reasons = reasonsOf('auth', {
  wrong_credentials: { kind: 'unauthenticated', text: 'the username or the password is wrong' },
  token_invalid: { kind: 'unauthenticated', text: 'the token is not valid: sign in again' },
  too_many_attempts: { kind: 'limited', text: 'too many attempts: try again in {seconds} s' },
  wrong_password: { kind: 'invalid', text: 'is not your current password' },
  wrong_mail_code: { kind: 'invalid', text: 'is wrong, expired or already used: request a new code' },
  wrong_factor_code: { kind: 'invalid', text: 'is wrong, expired or already used' },
  session_not_found: { kind: 'not_found', text: 'the session does not exist, or it has ended' },
  second_factor_required: { kind: 'unauthenticated', text: 'a code of the second factor is required' },
  new_password_required: {
    kind: 'unauthenticated',
    text: 'the password was set by an administrator: choose a new one',
  },
  same_password: { kind: 'invalid', text: 'must differ from the current password' },
  no_code_asked: { kind: 'conflict', text: 'this sign-in does not need a code' },
  no_mailed_code: { kind: 'conflict', text: 'no code is mailed for this sign-in: use {methods}' },
  enrolment_required: {
    kind: 'forbidden',
    text: 'enrol an authenticator app first: your sign-in requires one',
  },
  enrolment_late: { kind: 'unauthenticated', text: 'the time to enrol an authenticator app has ended: sign in again' },
  link_void: { kind: 'invalid', text: 'is wrong, expired or already used: request a new link' },
  session_signed_out: { kind: 'unauthenticated', text: 'this session was signed out: sign in again' },
  session_ended_password: {
    kind: 'unauthenticated',
    text: 'the session ended because the password changed: sign in again',
  },
  session_ended_disabled: { kind: 'unauthenticated', text: 'the session ended because the user was disabled' },
  session_ended_theft: {
    kind: 'unauthenticated',
    text: 'the session ended because an old copy of its cookie was used: sign in again',
  },
  session_ended_elsewhere: { kind: 'unauthenticated', text: 'the session was ended in another session: sign in again' },
  session_ended_restore: {
    kind: 'unauthenticated',
    text: 'the session ended because a backup was restored: sign in again',
  },
  session_too_old: { kind: 'unauthenticated', text: 'the session has reached its maximum duration: sign in again' },

  password_tools_off: {
    kind: 'forbidden',
    text: 'encrypting and decrypting passwords is switched off (PASSWORD_TOOLS)',
  },
  not_encrypted: { kind: 'invalid', text: 'was not encrypted by this service, or has expired' },
  encrypted_text_void: { kind: 'invalid', text: 'was not encrypted by this service, or has expired' },

  app_not_found: { kind: 'not_found', text: 'no authenticator app is enrolled' },
  user_without_app: { kind: 'not_found', text: 'this user has no authenticator app' },
  app_enrolled: { kind: 'conflict', text: 'an authenticator app is already enrolled: remove it first' },
  no_app_enrolled: { kind: 'conflict', text: 'no authenticator app is enrolled' },
  no_app_to_confirm: { kind: 'conflict', text: 'no authenticator app waits for confirmation: enrol one first' },
  app_key_changed: {
    kind: 'conflict',
    text: 'the secret of your authenticator app was encrypted with another key: use a recovery code',
  },
  other_step_up_method: { kind: 'conflict', text: '{method} is not available to you now: step up by {methods}' },
  no_step_up_method: {
    kind: 'conflict',
    text: '{method} is not available to you now: enrol an authenticator app first',
  },
})
