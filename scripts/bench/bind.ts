import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash, verify } from '@node-rs/argon2'
import { sql } from 'drizzle-orm'
import { openDirectory, type Write } from '../../src/ldap/directory.ts'
import { BerReader, element, octetString, sequence } from '../../src/ldap-server/protocol/ber.ts'
import { MessageFrames } from '../../src/ldap-server/protocol/framing.ts'
import { openEmbeddedDirectory } from '../../src/ldap-server/server.ts'
import { directoryPassword } from '../../src/mirror/passwords/password-scheme.ts'
import { writeInBulk } from '../../test/bulk-writes.ts'
import { silent } from '../../test/database.ts'
import { defaults, identity } from '../../test/ldap-server/embedded-directory.ts'
import { bindRequest, message, searchRequest } from '../../test/ldap-server/raw-connection.ts'
import { type TestSlapd, testSlapd } from '../../test/slapd.ts'
import { addPeople, benchDatabase, connectTo } from './people.ts'
import { median, onStage, report, type Stage, type Verdict } from './stage.ts'

/**
 * Sign-ins by bind: slapd with the entries that Steward writes, beside a bare slapd that has nothing but as many
 * accounts with the same hashes; the embedded directory beside the hash alone. Searches of a login form: the embedded directory beside
 * slapd, with the same people. Servers have processes of their own.
 */
const people = Number(process.argv[2] ?? 50_000)
const rounds = 5
const seconds = 3
const accounts = 200
const password = 'correct horse battery'
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

type Place = Pick<TestSlapd, 'url' | 'bindDn' | 'bindPassword' | 'baseDn'>

const portOf = ({ url }: Place): number => Number(new URL(url).port)

/** A process of its own for the embedded directory. */
const serveEmbedded = async (folder: string): Promise<void> => {
  const { url } = await openEmbeddedDirectory({ folder, ...defaults() })
  process.send?.(url)
}

const startEmbedded = async (stage: Stage) => {
  const folder = await mkdtemp(join(tmpdir(), 'steward-bench-'))
  stage.teardown(() => rm(folder, { recursive: true, force: true }))
  const child = fork(import.meta.filename, ['0', folder])
  stage.teardown(() => child.kill())
  const [url] = (await once(child, 'message')) as [string]
  return { ...identity, url, pid: child.pid ?? 0 }
}

/** Steward's reconciler writes the people; the first accounts have a password of each scheme. */
const mirrored = async (stage: Stage, place: Place): Promise<void> => {
  const phc = await hash(password, cost)
  const ssha512 = await directoryPassword('ssha512', password, phc)
  const { db } = await benchDatabase(stage)
  const { reconciler } = connectTo(stage, db, place as TestSlapd)
  await reconciler.synchronize('user', 'pending')
  await addPeople(db, people)
  await db.execute(sql`
    update users set password_hash = ${phc}, directory_password = case when id % 2 = 0 then ${ssha512}::text end
    where id <= ${2 * accounts}`)
  const { added } = await reconciler.synchronize('user', 'pending')
  if (added !== people) throw new Error(`${added} of ${people} people arrived`)
}

/** As many entries, each with as few attributes as an account can have, and the same hashes. */
const bareEntries = function* (place: Place, phc: string, ssha512: string): Generator<Write> {
  const unit = { objectClass: ['organizationalUnit'], ou: ['people'] }
  yield { kind: 'add', dn: `ou=people,${place.baseDn}`, attributes: unit }
  for (let number = 1; number <= people; number += 1) {
    const userPassword = [number % 2 === 1 ? `{ARGON2}${phc}` : ssha512]
    const attributes = { objectClass: ['account', 'simpleSecurityObject'], uid: [`user${number}`], userPassword }
    yield { kind: 'add', dn: dnOf(place, number), attributes }
  }
}

const fillBare = async (stage: Stage, place: Place): Promise<void> => {
  const phc = await hash(password, cost)
  const ssha512 = await directoryPassword('ssha512', password, phc)
  const directory = openDirectory({ ...place, ca: null, startTls: false, timeout: 60_000, log: silent })
  stage.teardown(() => directory.close())
  await writeInBulk(directory, bareEntries(place, phc, ssha512))
}

const dnOf = ({ baseDn }: Place, number: number): string => `uid=user${number},ou=people,${baseDn}`

/** Operations per second, over some connections that each have some requests on their way. */
const rate = async (
  place: Place,
  { connections, window, bound }: { connections: number; window: number; bound: string | null },
  request: (count: number) => Buffer,
): Promise<number> => {
  let done = 0
  let count = 0
  const next = (): Buffer => {
    count += 1
    return request(count)
  }
  const until = performance.now() + seconds * 1000
  const started = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(portOf(place), '127.0.0.1').setNoDelay()
      await once(socket, 'connect')
      const frames = new MessageFrames(() => 2 ** 24)
      let [id, open] = [0, 0]
      const send = (operation: Buffer): void => {
        id += 1
        open += 1
        socket.write(message(id, operation))
      }
      await new Promise<void>((resolve, reject) => {
        socket.on('error', reject)
        socket.on('data', (chunk: Buffer) => {
          for (const bytes of frames.push(chunk)) {
            const reader = new BerReader(bytes).sequence()
            reader.integer()
            const { tag, content } = reader.element()
            if (tag === 0x64) continue
            const code = new BerReader(content).integer(0x0a)
            if (code !== 0) return reject(new Error(`answered with ${code}`))
            open -= 1
            done += 1
            if (performance.now() < until) while (open < window) send(next())
            else if (open === 0) return resolve()
          }
        })
        send(bound === null ? next() : bindRequest(bound, password))
      })
      socket.destroy()
    }),
  )
  return (done / (performance.now() - started)) * 1000
}

/** Odd accounts have argon2, even ones ssha512. */
const binds = (place: Place, scheme: 'argon2' | 'ssha512'): Promise<number> =>
  rate(place, { connections: 8, window: 1, bound: null }, (count) => {
    const number = 2 * (count % accounts) + (scheme === 'argon2' ? 1 : 2)
    return bindRequest(dnOf(place, number), password)
  })

const equality = (attribute: string, value: string): Buffer => element(0xa3, octetString(attribute), octetString(value))

/** The filter of a login form: `(&(objectClass=person)(|(uid=…)(mail=…)))`. */
const searches = (place: Place): Promise<number> =>
  rate(place, { connections: 4, window: 8, bound: dnOf(place, 2) }, (count) => {
    const name = `user${((count * 7919) % people) + 1}`
    const either = element(0xa1, equality('uid', name), equality('mail', `${name}@example.org`))
    return searchRequest(place.baseDn, element(0xa0, equality('objectClass', 'person'), either), 2, sequence())
  })

/** Hashes per second, two at a time: as many as the embedded directory checks at one time. */
const hashes = async (): Promise<number> => {
  const phc = await hash(password, cost)
  const started = performance.now()
  let done = 0
  const work = async (): Promise<void> => {
    for (; performance.now() - started < seconds * 1000; done += 1) await verify(phc, password)
  }
  await Promise.all([work(), work()])
  return (done / (performance.now() - started)) * 1000
}

/** Resident memory of a process, MB. */
const memoryOf = async (pid: number): Promise<number> => {
  const [, kilobytes = ''] = /^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

/** Turn by turn, so that both meet the same machine; the first round warms up. */
const compared = async (ours: () => Promise<number>, baseline: () => Promise<number>) => {
  const pairs: [number, number][] = []
  for (let round = 0; round <= rounds; round++) {
    const pair: [number, number] = [await ours(), await baseline()]
    if (round > 0) pairs.push(pair)
  }
  return {
    ours: median(pairs.map(([each]) => each)),
    baseline: median(pairs.map(([, each]) => each)),
    ratio: median(pairs.map(([each, other]) => each / other)),
  }
}

if (process.argv[3] !== undefined) {
  await serveEmbedded(process.argv[3])
} else {
  await onStage(async (stage) => {
    const [slapd, bare, embedded] = [await testSlapd(stage), await testSlapd(stage), await startEmbedded(stage)]
    await mirrored(stage, slapd)
    await mirrored(stage, embedded)
    await fillBare(stage, bare)
    console.log(
      `${people} people: embedded directory ${(await memoryOf(embedded.pid)).toFixed(0)} MB, slapd ${(await memoryOf(slapd.pid ?? 0)).toFixed(0)} MB`,
    )
    const verdicts: Verdict[] = []
    const compare = async (what: string, least: number, ...sides: Parameters<typeof compared>): Promise<void> => {
      const { ours, baseline, ratio } = await compared(...sides)
      console.log(`${what.padEnd(44)} ${ours.toFixed(0)}/s beside ${baseline.toFixed(0)}/s`)
      verdicts.push({ what, ratio, goal: `≥ ${least}`, met: ratio >= least })
    }
    for (const scheme of ['argon2', 'ssha512'] as const) {
      await compare(
        `slapd binds, ${scheme}, over a bare slapd`,
        0.9,
        () => binds(slapd, scheme),
        () => binds(bare, scheme),
      )
    }
    await compare('embedded binds, argon2, over the hash alone', 0.8, () => binds(embedded, 'argon2'), hashes)
    await compare(
      'embedded searches over those of slapd',
      0.5,
      () => searches(embedded),
      () => searches(slapd),
    )
    console.log(`after it: embedded directory ${(await memoryOf(embedded.pid)).toFixed(0)} MB`)
    report(verdicts)
  })
}
