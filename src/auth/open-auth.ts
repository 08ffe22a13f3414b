// The room auth.
// Who the caller is: sign-in, sessions, tokens, passwords, lockout, mailed codes, the second factor.
// It never decides what the caller may do: that is the room access.

import type { Access } from '../access/open-access.ts'
import type { SecondFactorPolicy } from '../access/second-factor-policy.ts'
import type { Alerting } from '../alerts/open-alerting.ts'
import type { Audit } from '../audit/open-audit.ts'
import type { Background } from '../concurrency/background.ts'
import type { Database } from '../db/client.ts'
import type { Mail } from '../mail/open-mail.ts'
import type { Mirror } from '../mirror/open-mirror.ts'
import type { FreshPasswords } from '../mirror/passwords/fresh-passwords.ts'
import type { OtherHashes } from '../mirror/passwords/other-hashes.ts'
import type { Reconciler } from '../mirror/reconciler.ts'
import type { Logger } from '../runtime/log.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { adoptedPasswords } from './adopted-passwords.ts'
import { openCallers } from './callers.ts'
import { consoleHandlers } from './console-handlers.ts'
import { openConsoleSessions } from './console-sessions.ts'
import { countedBinds } from './counted-binds.ts'
import { directoryPasswordChanges } from './directory-password-changes.ts'
import { openKnownBinders } from './known-binders.ts'
import { openMailCodes } from './mail-codes.ts'
import { openPasswords, type PasswordsOptions } from './passwords.ts'
import { openProvenPasswords } from './proven-passwords.ts'
import { publicHandlers } from './public-handlers.ts'
import { factorNotices } from './second-factor/notices.ts'
import { openStepUpCodes } from './second-factor/step-up-codes.ts'
import { totpFactors } from './second-factor/totp-factors.ts'
import { factorsHandlers } from './second-factor-handlers.ts'
import { sessionsHandlers } from './session-handlers.ts'
import { openSignInProof } from './sign-in-proof.ts'
import { stepUpHandlers } from './step-up-handlers.ts'
import { openThrottle } from './throttle.ts'
import { openTokens } from './tokens.ts'
import { transportCipher } from './transport-cipher.ts'

export interface AuthOptions {
  database: Database
  secrets: Secrets
  access: Pick<Access, 'principals'>
  alerting: Pick<Alerting, 'attempts' | 'sessions' | 'outbox'>
  audit: Pick<Audit, 'operationLog' | 'journal'>
  mail: Mail
  background: Background
  /** The directory, which is opened after this room: it asks who may bind. */
  mirror: () => Pick<Mirror, 'reconciler'>
  /** Where passwords in clear text are for a moment. */
  fresh: FreshPasswords
  otherHashes: OtherHashes
  config: {
    passwordScheme: PasswordsOptions['scheme']
    passwordWords: NonNullable<PasswordsOptions['words']>
    /** PASSWORD_TOOLS */
    passwordTools: boolean
    /** TOKEN_TTL, seconds. */
    tokenTtl: number
    /** SESSION_MAX, milliseconds. */
    sessionMax: number
    /** SECOND_FACTOR */
    secondFactor: SecondFactorPolicy
    timeZone: string
  }
  log: Logger
  /** Milliseconds since 1970; default: the host's clock. */
  now?: () => number
}

export type Auth = ReturnType<typeof openAuth>

/** Everything that tells who is calling. */
export const openAuth = (options: AuthOptions) => {
  const { database, secrets, access, alerting, audit, mail, background, mirror, fresh, otherHashes, config, log, now } =
    options
  const { db } = database
  const { principals } = access
  const { outbox } = alerting
  const { timeZone, tokenTtl, sessionMax, secondFactor, passwordTools } = config
  const reconciler: Pick<Reconciler, 'earlyClaim' | 'settle' | 'verifies' | 'passwordUsed'> = {
    settle: (...change) => mirror().reconciler.settle(...change),
    earlyClaim: () => mirror().reconciler.earlyClaim(),
    verifies: (...proof) => mirror().reconciler.verifies(...proof),
    passwordUsed: (...used) => mirror().reconciler.passwordUsed(...used),
  }
  const openOwnThrottle = () => openThrottle({ db, report: alerting.attempts })
  const { operationLog, journal } = audit
  const cipher = transportCipher(secrets.transportKey)
  const tokens = openTokens({ secret: secrets.jwt, ttl: tokenTtl })
  const sessionAlerts = alerting.sessions
  const consoleSessions = openConsoleSessions({ db, tokens, principals, sessionAlerts, sessionMax })
  const passwords = openPasswords({
    ...{ cipher, fresh, otherHashes, scheme: config.passwordScheme, words: config.passwordWords },
  })
  const throttleBind = countedBinds({
    ...{ throttle: openOwnThrottle(), known: openKnownBinders(db), journal, admits: operationLog.admits },
  })
  const provenPasswords = openProvenPasswords({ db, otherHashes, passwords, background, reconciler })
  const shared = {
    ...{
      db,
      principals,
      reconciler,
      passwords,
      provenPasswords,
      tokens,
      cipher,
      sessionAlerts,
      consoleSessions,
      sessionMax,
      secondFactor,
    },
    throttle: openOwnThrottle(),
    mailCodes: openMailCodes({ db, key: secrets.mailCodeKey }),
    totp: totpFactors(secrets.factorKey, secrets.previousFactorKeys),
    stepUpCodes: openStepUpCodes({ db, key: secrets.stepUpCodeKey }),
    noticeFactor: factorNotices({ outbox, timeZone }),
    ...{ mail, background, log, passwordTools },
  }
  const signing = { ...shared, signInProof: openSignInProof(shared), ...(now && { now }) }
  const adopting = { db, principals, passwords, outbox, operationLog, timeZone, log }
  const changing = { ...adopting, journal, admits: operationLog.admits, throttleBind, settle: reconciler.settle }
  return {
    /** Tells who calls, for every request. */
    callers: openCallers({ tokens, principals, consoleSessions }),
    ...{ consoleSessions, tokens, passwords },
    throttle: shared.throttle,
    mailCodes: shared.mailCodes,
    /** What the directory asks: who may bind, and what becomes of passwords that are changed there. */
    forDirectory: {
      throttleBind,
      personBound: provenPasswords.bound,
      changePassword: directoryPasswordChanges(changing),
      adoptPassword: adoptedPasswords(adopting),
    },
    handlers: {
      base: publicHandlers(signing),
      console: consoleHandlers(signing),
      secondFactor: factorsHandlers(shared),
      stepUp: stepUpHandlers(shared),
      sessions: sessionsHandlers(shared),
    },
  }
}
