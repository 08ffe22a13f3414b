import { reasonsOf } from '../reason-table.ts'

/** Why a proof of identity is refused. The texts say no more than the owner needs. */
export const reasons = reasonsOf('auth', {
  wrong_credentials: { kind: 'unauthenticated', text: 'the username or the password is wrong' },
  token_invalid: { kind: 'unauthenticated', text: 'the token is not valid: sign in again' },
  too_many_attempts: { kind: 'limited', text: 'too many attempts: try again in {seconds} s' },
  wrong_password: { kind: 'invalid', text: 'is not your password' },
  wrong_mail_code: { kind: 'invalid', text: 'is wrong, used up or expired: ask for a new one' },
  wrong_factor_code: { kind: 'invalid', text: 'is wrong, used already, or expired' },
  session_not_found: { kind: 'not_found', text: 'there is no such session, or it has ended' },

  password_tools_off: { kind: 'forbidden', text: 'encrypting and decrypting passwords is switched off here' },
  not_encrypted: { kind: 'invalid', text: 'is no encrypted password, not ours, or has expired' },
  encrypted_text_void: { kind: 'invalid', text: 'the encrypted text has expired or is not ours' },

  app_not_found: { kind: 'not_found', text: 'no authenticator app is enrolled' },
  user_without_app: { kind: 'not_found', text: 'this user has no authenticator app' },
  app_enrolled: { kind: 'conflict', text: 'an authenticator app is enrolled already: give it up first' },
  no_app_enrolled: { kind: 'conflict', text: 'no authenticator app is enrolled' },
  no_app_to_confirm: { kind: 'conflict', text: 'there is no app to confirm: enrol one first' },
  app_key_changed: {
    kind: 'conflict',
    text: 'the secret of your authenticator app was kept under another key: use a recovery code',
  },
  other_step_up_method: { kind: 'conflict', text: '{method} is not for you now: step up by {methods}' },
  no_step_up_method: {
    kind: 'conflict',
    text: '{method} is not for you now: enrol an authenticator app first',
  },
})
