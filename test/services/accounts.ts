import { sql } from 'drizzle-orm'
import type { TestSteward } from '../steward.ts'

/** What an administrator does with service accounts; every session has just been stepped up. */
export const accountsOf = async ({ db, take }: TestSteward) => {
  const stepUp = async (): Promise<void> => {
    await db.execute(sql`update sessions set stepped_up_at = now()`)
  }
  await stepUp()
  return {
    stepUp,
    create: (body: { name: string } & Record<string, unknown>) => take('createServiceAccount', { body }),
    update: (id: number, body: object) => take('updateServiceAccount', { params: { id }, body }),
    rotate: (id: number, body: object = {}) => take('rotateServicePassword', { params: { id }, body }),
    find: async (id: number) => {
      const { accounts } = await take('listServiceAccounts')
      const account = accounts.find((each) => each.id === id)
      if (account === undefined) throw new Error(`service account ${id} does not exist`)
      return account
    },
  }
}
