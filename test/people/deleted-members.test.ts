import { sql } from 'drizzle-orm'
import t from 'tap'
import { inTime } from '../../src/concurrency/in-time.ts'
import type { Tx } from '../../src/db/client.ts'
import { touch, touchLists } from '../../src/mirror/touch.ts'
import { postgresMissing, testServerDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { heldOpen, lockWaiters } from '../held-open.ts'
import { skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { steward } from '../steward.ts'
import { person } from './console.ts'

t.test(
  'no list keeps someone who joins a group while they are deleted',
  { skip: postgresMissing || skipWithoutSlapd },
  async (t) => {
    const slapd = await testSlapd(t)
    const database = await testServerDatabase(t)
    const { db } = database
    const service = await steward(t, { directory: slapd, database })
    const holding = async (work: (tx: Tx) => Promise<unknown>) => (await heldOpen(db, work)).end
    const blocked = (count: number) => lockWaiters(db, count)

    for (const how of ['deleteUsers', 'bulk'] as const) {
      const groupName = `Crew of ${how}`
      const fields = { groupName, groupType: 'cn', parentId: 0, remark: '' }
      const { id: group } = await service.take('addGroup', { body: fields })
      const { id: first } = await service.take('addUser', { body: person(`first-${how.toLowerCase()}`) })
      const { id: second } = await service.take('addUser', { body: person(`second-${how.toLowerCase()}`) })
      const userIds = [first, second]

      const join = await holding(async (tx) => {
        await tx.execute(sql`insert into group_members (group_id, user_id) values (${group}, ${first})`)
        await touch(tx, 'user', [first])
        await touchLists(tx, [group], { joined: [first] })
      })
      const letGo = await holding((tx) => tx.execute(sql`select from users where id = ${second} for key share`))
      const deletion =
        how === 'deleteUsers'
          ? service.take('deleteUsers', { body: { userIds } })
          : service.take('changePeople', { body: { action: 'delete', ids: userIds } })
      await blocked(1)
      await join()
      // The list is written while the deletion waits, unless the deletion holds it.
      const written = service.take('updateGroup', { body: { ...fields, id: group, remark: 'written' } })
      await inTime(1500, written, () => {})
      await letGo()
      await Promise.all([deletion, written])
      const list = () => slapd.ldapsearch('-b', slapd.baseDn, `(cn=${groupName})`, 'member')
      await eventually(async () => !(await list()).includes('uid='), `${how}: the list is empty`, 20_000)
      t.match(await list(), 'member: ', how)
    }
  },
)
