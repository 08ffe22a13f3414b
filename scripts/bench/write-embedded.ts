import { adminPassword, adminToken, newFolder, startService } from './service.ts'
import { median, onStage, report, timed, type Verdict } from './stage.ts'

/**
 * Changes of people on the embedded database and directory, until the directory has them: additions per second for one
 * caller, and each change in a department of many people beside one of ten.
 * Arguments: how many people the large department has, and how many are changed in each.
 */
const [large = 10_000, measured = 100] = process.argv.slice(2).map(Number)
const goal = 60
const small = 10

await onStage(async (stage) => {
  const url = await startService(stage, {
    DATA_DIR: await newFolder(stage),
    ADMIN_PASSWORD: adminPassword,
    EMBEDDED_LDAP_PORT: '0',
    LOG_LEVEL: 'warn',
    PORT: '0',
  })
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${await adminToken(url)}` }
  const post = async (path: string, body: object): Promise<number> => {
    const reply = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const { code, msg, data } = (await reply.json()) as { code: number; msg: string; data: { id: number } }
    if (code !== 0 || msg.includes('follows')) throw new Error(`${path}: ${code} ${msg}`)
    return data.id
  }
  const department = (groupName: string): Promise<number> =>
    post('/api/group/add', { groupName, groupType: 'cn', parentId: 0, remark: '' })
  let added = 0
  const add = (departmentId: number): Promise<number> => {
    const username = `p${++added}`
    const contact = { nickname: username, mail: '', mobile: '', jobNumber: '' }
    return post('/api/user/add', { username, ...contact, departmentId: [departmentId], roleIds: [] })
  }
  const fill = async (id: number, count: number): Promise<void> => {
    let left = count
    const caller = async (): Promise<void> => {
      while (left-- > 0) await add(id)
    }
    await Promise.all(Array.from({ length: 8 }, caller))
  }

  const many = await department('Many')
  await fill(many, large)
  console.log(`${large} people in one department`)
  const few = await Promise.all(Array.from({ length: Math.ceil(measured / small) }, (_, n) => department(`Few ${n}`)))
  for (const id of few) await fill(id, small)
  /** What is done with each person, in this order. */
  const changes = {
    add: async (departmentId: number) => {
      last = await add(departmentId)
    },
    leave: (groupId: number) => post('/api/group/removeuser', { groupId, userIds: [last] }),
    join: (groupId: number) => post('/api/group/adduser', { groupId, userIds: [last] }),
    disable: () => post('/api/user/changeUserStatus', { id: last, status: 2 }),
    enable: () => post('/api/user/changeUserStatus', { id: last, status: 1 }),
    delete: () => post('/api/user/delete', { userIds: [last] }),
  } as const
  let last = 0
  const kinds = Object.keys(changes) as (keyof typeof changes)[]
  const times = Object.fromEntries(kinds.map((kind) => [kind, { many: [] as number[], few: [] as number[] }]))
  for (let n = 0; n < measured; n++) {
    for (const [where, department] of [
      ['few', few[n % few.length] ?? 0],
      ['many', many],
    ] as const) {
      for (const kind of kinds)
        times[kind]?.[where].push(await timed(async () => void (await changes[kind](department))))
    }
  }
  const verdicts = kinds.map((kind): Verdict => {
    const [inMany, inFew] = [median(times[kind]?.many ?? []), median(times[kind]?.few ?? [])]
    console.log(`median of one ${kind}: ${inFew.toFixed(1)} ms among ${small}, ${inMany.toFixed(1)} ms among ${large}`)
    const ratio = inMany / inFew
    return { what: `${kind}: time among ${large} over ${small}`, ratio, goal: '≤ 1.5', met: ratio <= 1.5 }
  })
  const perSecond = 1000 / median(times.add?.few ?? [])
  const ratio = perSecond / goal
  report([{ what: 'additions/s of one caller, over 60', ratio, goal: '≥ 1', met: ratio >= 1 }, ...verdicts])
})
