// The room auth.
// Who the caller is: sign-in, sessions, tokens, passwords, lockout, mailed codes, the second factor.
// It never decides what the caller may do: that is the room access.

import { openPrincipals, type Principals } from '../access/principals.ts'
import type { SecondFactorPolicy } from '../access/second-factor-policy.ts'
import type { Outbox } from '../alerts/notifications/outbox.ts'
import type { Alerting } from '../alerts/open-alerting.ts'
import type { SessionAlerts } from '../alerts/session-alerts.ts'
import type { Audit } from '../audit/open-audit.ts'
import type { Journal } from '../contract/journal.ts'
import type { Database } from '../db/client.ts'
import type { BindThrottle } from '../ldap-server/bind-throttle.ts'
import type { Lifetime } from '../lifetime.ts'
import type { Secrets } from '../secrets.ts'
import { openCallers } from './callers.ts'
import { type ConsoleSessions, openConsoleSessions } from './console-sessions.ts'
import { countedBinds } from './counted-binds.ts'
import { type MailCodes, openMailCodes } from './mail-codes.ts'
import { openPasswords, type Passwords, type PasswordsOptions } from './passwords.ts'
import { openPurposeCodes, type PurposeCodes } from './purpose-codes.ts'
import { factorNotices, type NoticeFactor } from './second-factor/notices.ts'
import { openStepUpCodes, type StepUpCodes } from './second-factor/step-up-codes.ts'
import { type TotpFactors, totpFactors } from './second-factor/totp-factors.ts'
import { openThrottle, type Throttle } from './throttle.ts'
import { openTokens, type Tokens } from './tokens.ts'
import { type TransportCipher, transportCipher } from './transport-cipher.ts'

export interface AuthOptions extends Pick<Lifetime, 'atEnd'> {
  database: Database
  secrets: Secrets
  alerting: Pick<Alerting, 'attempts' | 'sessions'>
  outbox: Outbox
  audit: Pick<Audit, 'operationLog'>
  journal: Pick<Journal, 'note'>
  /** Called when grants may have changed that this process was not told of. */
  droppedAll: () => void
  config: {
    passwordScheme: PasswordsOptions['scheme']
    passwordWords: NonNullable<PasswordsOptions['words']>
    /** TOKEN_TTL, seconds. */
    tokenTtl: number
    /** SESSION_MAX, milliseconds. */
    sessionMax: number
    /** SECOND_FACTOR */
    secondFactor: SecondFactorPolicy
    timeZone: string
  }
}

export interface Auth {
  /** Tells who calls, for every request. */
  callers: ReturnType<typeof openCallers>
  consoleSessions: ConsoleSessions
  purposeCodes: PurposeCodes
  secondFactor: SecondFactorPolicy
  sessionMax: number
  sessionAlerts: SessionAlerts
  cipher: TransportCipher
  passwords: Passwords
  tokens: Tokens
  principals: Principals
  throttle: Throttle
  /** Counts binds to the embedded directory. */
  throttleBind: BindThrottle
  mailCodes: MailCodes
  totp: TotpFactors
  stepUpCodes: StepUpCodes
  noticeFactor: NoticeFactor
}

/** Everything that tells who is calling. */
export const openAuth = async (options: AuthOptions): Promise<Auth> => {
  const { database, secrets, alerting, outbox, audit, journal, droppedAll, config, atEnd } = options
  const { db } = database
  const cipher = transportCipher(secrets.transportKey)
  const tokens = openTokens({ secret: secrets.jwt, ttl: config.tokenTtl })
  const { secondFactor, sessionMax } = config
  const principals = openPrincipals({ database, secondFactor, droppedAll })
  const sessionAlerts = alerting.sessions
  const consoleSessions = openConsoleSessions({ db, tokens, principals, sessionAlerts, sessionMax })
  atEnd(await principals.listen())
  const openOwnThrottle = () => openThrottle({ db, report: alerting.attempts })
  return {
    callers: openCallers({ tokens, principals, consoleSessions }),
    consoleSessions,
    purposeCodes: openPurposeCodes({ db, key: secrets.mailCodeKey }),
    secondFactor,
    sessionMax,
    sessionAlerts,
    cipher,
    passwords: openPasswords({ cipher, scheme: config.passwordScheme, words: config.passwordWords }),
    tokens,
    principals,
    throttle: openOwnThrottle(),
    throttleBind: countedBinds({ throttle: openOwnThrottle(), journal, admits: audit.operationLog.admits }),
    mailCodes: openMailCodes({ db, key: secrets.mailCodeKey }),
    totp: totpFactors(secrets.factorKey, secrets.previousFactorKeys),
    stepUpCodes: openStepUpCodes({ db, key: secrets.stepUpCodeKey }),
    noticeFactor: factorNotices({ outbox, timeZone: config.timeZone }),
  }
}
