import { sql } from 'drizzle-orm'
import t from 'tap'
import { idList } from '../../src/db/id-list.ts'
import { lastInOrder } from '../../src/db/in-order.ts'
import { touch, touchDeleted, touchLists } from '../../src/mirror/touch.ts'
import { postgresMissing } from '../database.ts'
import { eventually } from '../eventually.ts'
import { skipWithoutSlapd } from '../slapd.ts'
import { type Stage, type StageOptions, stage } from './stage.ts'

// What a long list has of someone who leaves may not be what the ledger says: the server lets it follow their entry, or
// another change of theirs is on its way.

t.setTimeout(240_000)
const skip = skipWithoutSlapd || postgresMissing

const groupOf = async (t: Parameters<typeof stage>[0], options: StageOptions) => {
  const s = await stage(t, options)
  const ids = (await s.addUsers(...Array.from({ length: 30 }, (_, n) => `p${n}`))).map(({ id }) => id)
  const touched = await s.addGroup('All', { members: ids })
  await s.reconciler.settle(touched)
  await s.quiet()
  return { s, id: ids[3] ?? 0, group: touched.find(({ kind }) => kind === 'group')?.id ?? 0 }
}

const isGone = async (t: Parameters<typeof stage>[0], s: Stage): Promise<void> => {
  await s.quiet()
  const members = (await s.find('(cn=All)', 'member')).match(/^member:.*$/gm) ?? []
  t.equal(members.length, 29)
  t.notMatch(members.join('\n'), /uid=(p3|other),/)
  t.match(await s.reconciler.synchronize('group', 'all'), { unchanged: 1, failed: 0 })
}

t.test('the server lets lists follow their members', { skip }, async (t) => {
  for (const what of ['disabled', 'deleted'] as const) {
    await t.test(`who is ${what} is not listed`, async (t) => {
      const reads: string[] = []
      const { s, id, group } = await groupOf(t, {
        overlays: { refint: true },
        faults: (real) => ({
          read: (dn, attributes) => {
            if (attributes.includes('member')) reads.push(dn)
            return real.read(dn, attributes)
          },
        }),
      })
      reads.splice(0)
      const touched = await s.db.transaction(async (tx) => {
        const people = what === 'deleted' ? await touchDeleted(tx, 'user', [id]) : await touch(tx, 'user', [id])
        const lists = await touchLists(tx, idList([group]), { about: [id] })
        await tx.execute(
          what === 'deleted'
            ? sql`delete from users where id = ${id}`
            : sql`update users set status = 2 where id = ${id}`,
        )
        return [...people, ...lists]
      })
      t.equal(await s.reconciler.settle(touched), true)
      if (what === 'deleted') t.same(reads, [], 'their value went with the entry')
      await isGone(t, s)
    })
  }
})

for (const what of ['renamed', 'enabled'] as const) {
  t.test(`who leaves while they are being ${what} is not listed`, { skip }, async (t) => {
    let gate = Promise.resolve()
    let asked = 0
    const { s, id, group } = await groupOf(t, {
      faults: (real) => ({
        async read(dn, attributes) {
          if (dn.startsWith('uid=p3,')) {
            asked += 1
            await gate
          }
          return real.read(dn, attributes)
        },
      }),
    })
    const change = async (set: ReturnType<typeof sql>, about: readonly number[]) => {
      const earlyClaim = s.reconciler.earlyClaim()
      const touched = await s.db.transaction(async (tx) => {
        await tx.execute(sql`update users set ${set} where id = ${id}`)
        const all = [...(await touch(tx, 'user', [id])), ...(await touchLists(tx, idList([group]), { about }))]
        await lastInOrder(tx, await earlyClaim.complete(tx, all))
        return all
      })
      return s.reconciler.settle(touched, undefined, earlyClaim)
    }
    if (what === 'enabled') await change(sql`status = 2`, [id])
    await s.quiet()
    let open = (): void => {}
    gate = new Promise((resolve) => {
      open = resolve
    })
    asked = 0
    const changing =
      what === 'enabled' ? change(sql`status = 1`, [id]) : change(sql`username = 'other', username_key = 'other'`, [])
    await eventually(async () => asked > 0, 'it is claimed, and its place not stored yet')
    const left = await s.db.transaction(async (tx) => {
      await tx.execute(sql`delete from group_members where group_id = ${group} and user_id = ${id}`)
      const people = await touch(tx, 'user', [id])
      return [...people, ...(await touchLists(tx, idList([group]), { withdraws: true, about: [id] }))]
    })
    open()
    await changing
    await s.reconciler.settle(left)
    await isGone(t, s)
  })
}
