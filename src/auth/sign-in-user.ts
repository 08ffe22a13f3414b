import { sql } from 'drizzle-orm'
import { mayDoEverything } from '../access/seniority.ts'
import type { StepUpMethod } from '../access/step-up.ts'
import { jsonObject } from '../db/json-record.ts'
import { recoveryCodes, secondFactors, users } from '../db/schema.ts'
import type { StoredPassword } from './passwords.ts'

/** A user with this name, as an attempt finds them when it begins. */
export interface FoundUser {
  id: number
  username: string
  name: string
  mail: string
  status: number
  mustChangePassword: boolean
  passwordHash: string | null
  directoryPassword: string | null
  administrator: boolean
  /** Whether they have an authenticator app. */
  hasApp: boolean
  /** Whether they have unused recovery codes. */
  hasRecoveryCodes: boolean
}

/** Reads the user of a name. */
export const userByName = sql`
  select ${jsonObject<FoundUser>({
    id: users.id,
    username: users.username,
    name: users.nickname,
    mail: users.mail,
    status: users.status,
    mustChangePassword: users.mustChangePassword,
    passwordHash: users.passwordHash,
    directoryPassword: users.directoryPassword,
    administrator: mayDoEverything(sql`${users.id}`),
    hasApp: sql`exists (select from ${secondFactors} f where f.user_id = ${users.id} and f.confirmed_at is not null)`,
    hasRecoveryCodes: sql`exists (select from ${recoveryCodes} c where c.user_id = ${users.id} and c.used_at is null)`,
  })}
  from ${users} where ${users.usernameKey} = ${sql.placeholder('usernameKey')}`

/** A user whose password was just proven. */
export interface ProvenUser {
  id: number
  username: string
  name: string
  mail: string
  administrator: boolean
  passwordHash: string
  /** What is stored of the password; null: it was stored anew. */
  kept: StoredPassword | null
  mustChangePassword: boolean
  /** How the user proves the second factor; empty: it is not asked for. */
  methods: StepUpMethod[]
  mustEnrol: boolean
}
