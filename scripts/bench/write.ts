import { fork } from 'node:child_process'
import { once } from 'node:events'
import { directorySettings, testSlapd } from '../../test/slapd.ts'
import { adminToken, endedBy, serviceSettings, startService } from './service.ts'
import { onStage, report, type Stage, type Verdict } from './stage.ts'

/**
 * Writes per second of the service, until the directory has them, against bare Fastify routes that write the same rows in
 * one transaction and then the same to LDAP. Each has a PostgreSQL and a slapd of its own, which sync every commit to the
 * disk, as installed ones do; with `memory` as the second argument none of them does, and the processors alone count. One
 * caller, and eight, after a round that warms up: a process that has just started is compiled as it runs, for some
 * thousand writes, and plans every statement on every connection.
 */
const perCaller = Number(process.argv[2] ?? 100)
const durable = process.argv[3] !== 'memory'
const warmUps = 2000
const goal = 0.6
const departments = 100

interface Person {
  username: string
  id: number
  groups: number[]
}

/** One kind of write: what ours is asked, and what the baseline is asked. */
interface Kind {
  name: string
  ours: (person: Person) => [method: string, path: string, body: object]
  bare: (person: Person) => [path: string, body: object]
}

const second = ({ groups }: Person): number => groups[1] ?? 0

const kinds: readonly Kind[] = [
  {
    name: 'add',
    ours: ({ username, groups }) => [
      'POST',
      '/api/user/add',
      {
        username,
        nickname: username,
        mail: '',
        mobile: '',
        jobNumber: '',
        departmentId: [groups[0]],
        roleIds: [],
      },
    ],
    bare: ({ username, groups }) => ['/add', { username, groupId: groups[0] }],
  },
  {
    name: 'update',
    ours: ({ id, username, groups }) => [
      'POST',
      '/api/user/update',
      {
        id,
        username,
        nickname: `New ${username}`,
        mail: '',
        mobile: '',
        jobNumber: '',
        departmentId: [groups[0]],
        roleIds: [],
      },
    ],
    bare: ({ username }) => ['/update', { username }],
  },
  {
    name: 'membership',
    ours: (person) => ['POST', '/api/group/adduser', { groupId: second(person), userIds: [person.id] }],
    bare: (person) => ['/membership', { username: person.username, groupId: second(person), groups: person.groups }],
  },
  {
    name: 'status',
    ours: ({ id }) => ['POST', '/api/user/changeUserStatus', { id, status: 2 }],
    bare: ({ username, groups }) => ['/status', { username, groups }],
  },
  {
    name: 'delete',
    ours: ({ id }) => ['POST', '/api/user/delete', { userIds: [id] }],
    bare: ({ username }) => ['/delete', { username }],
  },
]

interface Reply {
  code: number
  msg: string
  data: { id?: number } | null
}

/** Writes that were answered before the directory had them. */
let late = 0

type Ask = (method: string, path: string, body: object) => Promise<Reply>

const asker =
  (url: string, token: string | null): Ask =>
  async (method, path, body) => {
    const headers = { 'content-type': 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) }
    const reply = (await (await fetch(url + path, { method, headers, body: JSON.stringify(body) })).json()) as Reply
    if (reply.code !== 0) throw new Error(`${path} ${JSON.stringify(body)}: ${JSON.stringify(reply)}`)
    if (reply.msg?.includes('follows')) late += 1
    return reply
  }

const startBare = async (stage: Stage, env: Record<string, string>): Promise<string> => {
  const child = fork(new URL('write-bare.ts', import.meta.url), { env: { ...process.env, ...env } })
  endedBy(stage, child)
  const [{ port }] = await once(child, 'message')
  return `http://127.0.0.1:${port}`
}

/** Writes per second. */
const rate = async (people: readonly Person[], callers: number, write: (person: Person) => Promise<void>) => {
  const started = performance.now()
  const queue = people.values()
  const caller = async (): Promise<void> => {
    for (const person of queue) await write(person)
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return people.length / ((performance.now() - started) / 1000)
}

type Settings = Record<string, string>

/** A PostgreSQL and a slapd. */
const place = async (stage: Stage): Promise<Settings> => ({
  ...(await serviceSettings(stage, { durable })),
  ...directorySettings(await testSlapd(stage, { durable })),
})

/** A service in such a place, with departments. */
const inhabit = async (stage: Stage, env: Settings): Promise<{ ask: Ask; groups: number[] }> => {
  const url = await startService(stage, env)
  const ask = asker(url, await adminToken(url))
  const groups: number[] = []
  for (let n = 1; n <= departments; n++) {
    const body = { groupName: `Group ${n}`, groupType: 'cn', parentId: 0, remark: '' }
    groups.push((await ask('POST', '/api/group/add', body)).data?.id ?? 0)
  }
  return { ask, groups }
}

await onStage(async (stage) => {
  const mine = await inhabit(stage, await place(stage))
  const theirs = await place(stage)
  // A service makes the tables, the layout and the departments of the baseline, and ends.
  await onStage(async (short) => void (await inhabit(short, theirs)))
  const bare = asker(await startBare(stage, theirs), null)

  const verdicts: Verdict[] = []
  const rounds = [
    { callers: 8, writes: warmUps, isMeasured: false },
    { callers: 1, writes: perCaller, isMeasured: true },
    { callers: 8, writes: 8 * perCaller, isMeasured: true },
  ]
  for (const [round, { callers, writes, isMeasured }] of rounds.entries()) {
    const people = Array.from({ length: writes }, (_, n): Person => {
      const of = (offset: number): number => mine.groups[(n + offset) % departments] ?? 0
      return { username: `p${round}x${n}`, id: 0, groups: [of(0), of(37)] }
    })
    for (const { name, ours, bare: bareOf } of kinds) {
      const oursNow = await rate(people, callers, async (person) => {
        const { data } = await mine.ask(...ours(person))
        if (name === 'add') person.id = data?.id ?? 0
      })
      const bareNow = await rate(people, callers, async (person) => {
        await bare('POST', ...bareOf(person))
      })
      if (!isMeasured) continue
      console.log(`${name}, ${callers} at once: ${oursNow.toFixed(0)}/s, bare ${bareNow.toFixed(0)}/s`)
      const ratio = oursNow / bareNow
      verdicts.push({ what: `${name}, callers: ${callers}`, ratio, goal: `≥ ${goal} of bare`, met: ratio >= goal })
    }
  }
  console.log(`answered before the directory had them: ${late}`)
  report(verdicts)
})
