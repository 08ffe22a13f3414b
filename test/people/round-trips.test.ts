import t from 'tap'
import { openDatabase } from '../../src/db/client.ts'
import { postgresMissing, silent, testPostgres } from '../database.ts'
import { skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { steward } from '../steward.ts'
import { watchedWire } from '../watched-wire.ts'
import { person } from './console.ts'

// How often a change of one person goes to the database until the directory has it, and with how many statements. What the
// service does beside it only adds to that, so the least of many counts.

/** By kind of change: round trips, and statements with those that begin and end transactions. */
const max = { add: [4, 17], update: [4, 10], join: [4, 11], disable: [5, 20], remove: [4, 13] } as const
const people = 40
/** How often a statement is sent before it is prepared, for good; a few more where several processes are counted. */
const unplanned = 5

t.setTimeout(240_000)

t.test(
  'a change of one person takes few round trips to the database',
  { skip: postgresMissing || skipWithoutSlapd },
  async (t) => {
    const slapd = await testSlapd(t)
    const wire = await watchedWire(t, (await testPostgres(t)).url)
    const database = await openDatabase({ url: wire.url, dataDir: '', log: silent })
    const service = await steward(t, { directory: slapd, database })
    const atStart = new Map(wire.unprepared)
    const groups: number[] = []
    for (const groupName of ['One', 'Two']) {
      const body = { groupName, groupType: 'cn', parentId: 0, remark: '' }
      groups.push((await service.take('addGroup', { body })).id)
    }
    const [one = 0, two = 0] = groups
    const counts: Record<keyof typeof max, [trips: number, statements: number][]> = {
      ...{ add: [], update: [], join: [], disable: [], remove: [] },
    }
    const now = (): [number, number] => [wire.trips(), wire.statements()]
    const count = async <T>(kind: keyof typeof max, change: Promise<T>, before = now()): Promise<T> => {
      const result = await change
      const [trips, statements] = now()
      counts[kind].push([trips - before[0], statements - before[1]])
      return result
    }
    for (let n = 0; n < people; n++) {
      const fields = person(`p${n}`, { departmentId: [one] })
      const { id } = await count('add', service.take('addUser', { body: fields }))
      await count('update', service.take('updateUser', { body: { ...fields, id, nickname: `New ${n}` } }))
      await count('join', service.take('addGroupUsers', { body: { groupId: two, userIds: [id] } }))
      await count('disable', service.take('changeUserStatus', { body: { id, status: 2 } }))
      await count('remove', service.take('deleteUsers', { body: { userIds: [id] } }))
    }
    for (const [kind, limits] of Object.entries(max) as [keyof typeof max, readonly [number, number]][])
      for (const [at, what] of [
        [0, 'round trips'],
        [1, 'statements'],
      ] as const) {
        const least = Math.min(...counts[kind].map((one) => one[at]))
        t.ok(least <= limits[at], `${kind}: ${least} ${what}, at most ${limits[at]}`)
      }
    await Promise.all(
      Array.from({ length: 8 }, async (_, caller) => {
        for (let n = 0; n < people / 4; n++) {
          const fields = person(`c${caller}n${n}`, { departmentId: [one] })
          const { id } = await service.take('addUser', { body: fields })
          await service.take('updateUser', { body: { ...fields, id, nickname: `New ${n}` } })
          await service.take('addGroupUsers', { body: { groupId: two, userIds: [id] } })
          await service.take('changeUserStatus', { body: { id, status: 2 } })
          await service.take('deleteUsers', { body: { userIds: [id] } })
        }
      }),
    )
    const often = [...wire.unprepared].filter(([text, times]) => times - (atStart.get(text) ?? 0) > unplanned)
    t.same(often, [], 'none is parsed and planned again for each change')
  },
)
