/**
 * How long HTTP has to wait while clients of the embedded directory send the filters that take longest to read: pings of
 * the service without an attack, and with 24 hostile connections from another process. Run `npm run build` first.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { element, octetString, sequence } from '../../src/ldap-server/protocol/ber.ts'
import { bindRequest, message, rawConnection, searchRequest } from '../../test/ldap-server/raw-connection.ts'

const connections = 24
/** Milliseconds of each measurement, and what HTTP may take. */
const duration = 6_000
const goal = 100
const baseDn = 'dc=steward,dc=local'
const password = 'seven-quiet-lanterns'

const equality = (attribute: string, value: string): Buffer => element(0xa3, octetString(attribute), octetString(value))
const either = (count: number, part: (n: number) => Buffer): Buffer =>
  element(0xa1, ...Array.from({ length: count }, (_, n) => part(n)))

const filters: Readonly<Record<string, Buffer>> = {
  'long DNs': either(5, (n) => equality('member', `cn=${n}${',cn=\\61'.repeat(900)}`)),
  'combining marks': equality('cn', `a${'\u0315\u0300'.repeat(15)}`.repeat(520)),
  'unknown attributes': either(390, () => equality('x'.repeat(200), 'y')),
  substrings: either(990, () => element(0xa4, octetString('cn'), sequence(octetString('zzz', 0x81)))),
}

/** Sends one filter again and again over each connection, as soon as it is answered; tells the codes of the answers. */
const attack = async (port: number, filter: Buffer): Promise<void> => {
  const stage = { teardown: () => {} } as unknown as Test
  const codes = new Set<number | null>()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = await rawConnection(stage, port)
      client.send(message(1, bindRequest(`uid=bob,ou=people,${baseDn}`, password)))
      const bound = await client.answerTo(1)
      if (bound.code !== 0) throw new Error(`the bind was answered with ${bound.code}`)
      process.send?.('bound')
      for (let id = 2; ; id++) {
        client.send(message(id, searchRequest(baseDn, filter)))
        codes.add((await client.answerTo(id)).code)
        client.answers.length = 0
        process.send?.([...codes])
      }
    }),
  )
}

const [role, port = '', kind = ''] = process.argv.slice(2)
if (role === 'attack') await attack(Number(port), filters[kind] ?? Buffer.alloc(0))

const folder = await mkdtemp(join(tmpdir(), 'steward-bench-'))
const server = spawn(process.execPath, [fileURLToPath(new URL('../../dist/main/server.js', import.meta.url))], {
  env: {
    ...process.env,
    ...{ DATA_DIR: join(folder, 'data'), PORT: '0', EMBEDDED_LDAP_PORT: '0', LOG_LEVEL: 'warn' },
    ADMIN_PASSWORD: password,
  },
  stdio: ['ignore', 'pipe', 'inherit'],
})
let printed = ''
let [url, ldapPort]: (string | undefined)[] = []
for await (const chunk of server.stdout) {
  printed += String(chunk)
  url = /listens on (\S+)/.exec(printed)?.[1]
  ldapPort = / directory +ldap:\/\/[^:]+:(\d+)/.exec(printed)?.[1]
  if (url && ldapPort) break
}

const post = async (path: string, body: object, token = ''): Promise<{ code: number; data: never }> => {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const answer = await fetch(`${url}/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const reply = (await answer.json()) as { code: number; msg: string; data: never }
  if (reply.code !== 0) throw new Error(`${path}: ${reply.code} ${reply.msg}`)
  return reply
}

/** Milliseconds that pings took, one after the other. */
const pings = async (): Promise<number[]> => {
  const took: number[] = []
  for (const until = Date.now() + duration; Date.now() < until; await sleep(5)) {
    const at = performance.now()
    await (await fetch(`${url}/api/base/ping`)).text()
    took.push(performance.now() - at)
  }
  return took.sort((a, b) => a - b)
}

const tell = (what: string, took: number[], codes = ''): void => {
  const at = (share: number): string => (took[Math.floor((took.length - 1) * share)] ?? Number.NaN).toFixed(1)
  console.log(`${what.padEnd(20)} median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms ${codes}`)
}

const ended = async (child: ChildProcess): Promise<void> => {
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

try {
  const { data } = await post('base/login', { username: 'admin', password })
  const { token } = data as { token: string }
  const bob = { username: 'bob', nickname: 'Bob', mail: '', mobile: '', jobNumber: '', departmentId: [], roleIds: [] }
  await post('user/add', { ...bob, password }, token)
  await pings()
  tell('no attack', await pings())
  let longest = 0
  for (const each of Object.keys(filters)) {
    const attacker = fork(fileURLToPath(import.meta.url), ['attack', String(ldapPort), each], {
      execArgv: process.execArgv,
    })
    let bound = 0
    let codes = ''
    attacker.on('message', (told) => {
      if (told === 'bound') bound += 1
      else codes = `(answered with ${told})`
    })
    while (bound < connections && attacker.exitCode === null) await sleep(50)
    const took = await pings()
    await ended(attacker)
    tell(each, took, codes)
    longest = Math.max(longest, took.at(-1) ?? 0)
  }
  console.log(`longest under attack: ${longest.toFixed(1)} ms, goal ${goal} ms: ${longest <= goal ? 'met' : 'not met'}`)
} finally {
  await ended(server)
  await rm(folder, { recursive: true, force: true })
}
process.exit()
