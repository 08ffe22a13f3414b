import { adminPassword, adminToken, newFolder, startService } from './service.ts'
import { median, onStage, report, timed } from './stage.ts'

/**
 * Additions of people on the embedded database and directory, until the directory has them: per second for one caller,
 * and into a department of many people beside one of ten.
 * Arguments: how many people the large department has, and how many are added to each.
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
  const times: Record<'many' | 'few', number[]> = { many: [], few: [] }
  for (let n = 0; n < measured; n++) {
    times.few.push(await timed(() => add(few[n % few.length] ?? 0)))
    times.many.push(await timed(() => add(many)))
  }
  const [inMany, inFew] = [median(times.many), median(times.few)]
  const perSecond = 1000 / inFew
  console.log(`median of one addition: ${inFew.toFixed(1)} ms among ${small}, ${inMany.toFixed(1)} ms among ${large}`)
  report([
    { what: 'additions/s of one caller, over 60', ratio: perSecond / goal, goal: '≥ 1', met: perSecond >= goal },
    {
      what: `time among ${large} over time among ${small}`,
      ratio: inMany / inFew,
      goal: '≤ 1.5',
      met: inMany <= 1.5 * inFew,
    },
  ])
})
