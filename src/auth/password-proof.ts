import { eq } from 'drizzle-orm'
import type { Principal, RequestContext } from '../contract/handler.ts'
import type { Db } from '../db/client.ts'
import { users } from '../db/schema.ts'
import { accountKey, addressKey } from '../text/throttle-keys.ts'
import type { Passwords } from './passwords.ts'
import { reasons } from './reasons.ts'
import type { Throttle } from './throttle.ts'

/**
 * Checks the caller's own password and returns the hash that it matches. A wrong one counts like a failed sign-in.
 * @param field the body's field with the password, as a transport text or in plain text
 * @throws AppError invalid, naming the field: it is not their password; limited: too many were wrong
 */
export type PasswordProof = (
  caller: { user: Principal; request: RequestContext },
  field: string,
  value: string,
) => Promise<string>

export interface PasswordProofOptions {
  db: Db
  passwords: Passwords
  throttle: Throttle
}

export const passwordProof =
  ({ db, passwords, throttle }: PasswordProofOptions): PasswordProof =>
  async ({ user, request }, field, value) => {
    const password = passwords.accept(field, value)
    const counted = [accountKey(user.username), addressKey(request.address)]
    const who = { username: user.username, address: request.address }
    const proven = await throttle.run({ counted, cleared: counted.slice(0, 1), who }, async () => {
      const [row] = await db.select({ hash: users.passwordHash }).from(users).where(eq(users.id, user.userId))
      const hash = row?.hash ?? null
      return (await passwords.verify(hash, password)) ? hash : null
    })
    if (proven === null) throw reasons.wrong_password.at(field)
    return proven
  }
