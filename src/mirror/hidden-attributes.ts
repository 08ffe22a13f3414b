import { sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { declaredAttributes } from '../db/schema.ts'
import { isUnavailable } from '../db/unavailable.ts'
import { resultCodes } from '../ldap/result-code.ts'
import { LdapError } from '../ldap-server/result.ts'
import type { HiddenFromPeople } from '../ldap-server/rights.ts'

const isHidden = sql`${declaredAttributes.ldapAttribute} <> ''
  and (${declaredAttributes.own} = 'hidden' or ${declaredAttributes.seeRoles} <> '[]'::jsonb)`

/**
 * The declared attributes that are for some roles only, or that people may not see of themselves. One that was removed
 * stays hidden until the entries have lost it. Callers at one time share a query that begins after they called. While the
 * database is away, the last result holds; without one the directory answers that it is unavailable.
 */
export const openHiddenAttributes = (db: Db): HiddenFromPeople => {
  let last: readonly string[] | null = null
  let running: Promise<readonly string[]> | null = null
  let next: Promise<readonly string[]> | null = null

  const read = async (): Promise<readonly string[]> => {
    try {
      const rows = await db.select({ name: declaredAttributes.ldapAttribute }).from(declaredAttributes).where(isHidden)
      last = rows.map(({ name }) => name)
    } catch (error) {
      if (!isUnavailable(error)) throw error
      if (last === null) throw new LdapError(resultCodes.unavailable, 'the database is away')
    }
    return last
  }

  const begin = (): Promise<readonly string[]> => {
    const reading = read().finally(() => {
      if (running === reading) running = null
    })
    running = reading
    return reading
  }

  const after = async (earlier: Promise<unknown>): Promise<readonly string[]> => {
    await earlier.catch(() => {})
    next = null
    return begin()
  }

  return () => {
    if (running === null) return begin()
    next ??= after(running)
    return next
  }
}
