import { sql } from 'drizzle-orm'
import t from 'tap'
import type { Tx } from '../../src/db/client.ts'
import { inOrder } from '../../src/db/in-order.ts'
import { roles } from '../../src/db/schema.ts'
import { testDatabase } from '../database.ts'

const { db } = await testDatabase(t)
await db.execute(sql`create sequence places`)

/** The place of a statement among those of its transaction. */
const raw = (tx: Tx) => tx.execute<{ place: string }>(sql`select nextval('places') as place`)
const inFunction = async (tx: Tx): Promise<number> => {
  const [row] = await raw(tx)
  return Number(row?.place)
}
const deeper = (tx: Tx): Promise<number> => inFunction(tx)
const built = (tx: Tx) => tx.select({ place: sql<string>`nextval('places')` }).from(sql`(values (1)) as one`)

t.test('statements are sent in their order, however they are made', async (t) => {
  for (let time = 0; time < 5; time++) {
    const places = await db.transaction(async (tx) => {
      const [a, [b], c, [d], e, [f]] = await inOrder(
        () => inFunction(tx),
        () => raw(tx),
        async () => time >= 0 && deeper(tx),
        () => built(tx),
        async () => {
          const [one, two] = await inOrder(
            () => inFunction(tx),
            () => deeper(tx),
          )
          return [one, two]
        },
        () => raw(tx),
      )
      return [a, b?.place, c, d?.place, ...e, f?.place].map(Number)
    })
    t.strictSame(
      places,
      [1, 2, 3, 4, 5, 6, 7].map((place) => place + 7 * time),
    )
  }
})

t.test('the first that fails, in their order, is what is thrown, after all have ended', async (t) => {
  let ended = 0
  const failing = async (tx: Tx): Promise<void> => {
    await tx.execute(sql`select 1/0`)
  }
  const late = async (): Promise<never> => {
    throw new Error('later')
  }
  await t.rejects(
    db.transaction((tx) =>
      inOrder(
        () => tx.select({ id: roles.id }).from(roles),
        () => failing(tx).finally(() => ended++),
        late,
        () => inFunction(tx).finally(() => ended++),
      ),
    ),
    { cause: { message: /division by zero/ } },
  )
  t.equal(ended, 2)
})
