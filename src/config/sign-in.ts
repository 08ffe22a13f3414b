import { type SecondFactorPolicy, secondFactorPolicies } from '../access/second-factor-policy.ts'
import { hasPasswordLength } from '../text/password-rules.ts'
import { day, longestDuration, type Variables } from './variables.ts'

export interface SignInConfig {
  /** ADMIN_PASSWORD: used by the first start only. */
  adminPassword: string | null
  /** JWT_SECRET; null: generated and stored in dataDir. */
  jwtSecret: string | null
  /** JWT_SECRET_PREVIOUS: earlier values of JWT_SECRET; they open the secrets of authenticator apps, but no token. */
  previousJwtSecrets: string[]
  /** TOKEN_TTL, seconds. */
  tokenTtl: number
  /** SESSION_MAX, milliseconds: a session ends this long after its sign-in, however often it is used. */
  sessionMax: number
  /** SECOND_FACTOR: who has to enrol an authenticator app at the next sign-in. */
  secondFactor: SecondFactorPolicy
  /** PASSWORD_WORDS: names that may not make up a password, such as the organisation's. */
  passwordWords: string[]
  /** PASSWORD_TOOLS: whether encryptpwd and decryptpwd are enabled. */
  passwordTools: boolean
}

/** How people sign in, and for how long. */
export const readSignIn = (variables: Variables): SignInConfig => {
  const { problems, read, parse, oneOf, flag, duration, secrets } = variables
  const adminPassword = read('ADMIN_PASSWORD')
  if (adminPassword !== null && !hasPasswordLength(adminPassword)) {
    problems.push('ADMIN_PASSWORD: expected 8 to 128 characters')
  }
  return {
    adminPassword,
    jwtSecret: parse<string | null>(
      'JWT_SECRET',
      null,
      (value) => (value.length >= 32 ? value : undefined),
      'at least 32 characters',
    ),
    previousJwtSecrets: secrets('JWT_SECRET_PREVIOUS'),
    tokenTtl: duration('TOKEN_TTL', 1_800_000, 1000, longestDuration) / 1000,
    sessionMax: duration('SESSION_MAX', 30 * day, 60_000, longestDuration),
    secondFactor: oneOf('SECOND_FACTOR', secondFactorPolicies, 'optional'),
    passwordWords: parse('PASSWORD_WORDS', [], toWords, 'words of at least 3 characters, separated by commas'),
    passwordTools: flag('PASSWORD_TOOLS', true),
  }
}

const toWords = (value: string): string[] | undefined => {
  const words = value.split(',').map((word) => word.trim())
  return words.every((word) => [...word].length >= 3) ? words : undefined
}
