import { fork } from 'node:child_process'
import { once } from 'node:events'
import { openDirectory, type Write } from '../../src/ldap/directory.ts'
import { ldapSource } from '../../src/sources/ldap.ts'
import { writeInBulk } from '../../test/bulk-writes.ts'
import { silent } from '../../test/database.ts'
import { type TestSlapd, testSlapd } from '../../test/slapd.ts'
import { ldapTool } from './people.ts'
import { median, onStage, report, type Stage, timed } from './stage.ts'

/**
 * Reading a whole organisation from slapd, departments and then people, against `ldapsearch -E pr=1000/noprompt` of the
 * same subtree and attributes. The reading has a process of its own, so that its memory is what reading needs.
 */
const entries = Number(process.argv[2] ?? 50_000)
const rounds = 9
/** Of a hundred entries, how many are units and how many are groups; every person is listed by two groups. */
const [unitShare, groupShare] = [0.01, 0.01]

type Place = Pick<TestSlapd, 'url' | 'bindDn' | 'bindPassword' | 'baseDn'>

interface Round {
  milliseconds: number
  /** Peak resident memory of the process that reads, MB; before the first round what it needs without reading. */
  memory: number
}

const units = Math.round(entries * unitShare)
const groups = Math.round(entries * groupShare)
const people = entries - units - groups - 1

/** Units eight deep at most, with people in all of them. */
const organisation = function* ({ baseDn }: Place): Generator<Write> {
  const unitDns: string[] = []
  for (let n = 0; n < units; n++) {
    const parent = n < 8 ? baseDn : (unitDns[Math.floor(n / 4)] ?? baseDn)
    const dn = `ou=Unit ${n},${parent}`
    unitDns.push(dn)
    yield { kind: 'add', dn, attributes: { objectClass: ['organizationalUnit'], ou: [`Unit ${n}`] } }
  }
  const listed: string[][] = Array.from({ length: groups }, () => [])
  for (let n = 0; n < people; n++) {
    const uid = `user${n}`
    const dn = `uid=${uid},${unitDns[n % units] ?? baseDn}`
    listed[n % groups]?.push(dn)
    listed[(n * 7 + 3) % groups]?.push(dn)
    const attributes = {
      objectClass: ['inetOrgPerson'],
      uid: [uid],
      cn: [`用户 ${n}`],
      sn: ['用'],
      displayName: [`User Number ${n}`],
      givenName: ['User'],
      mail: [`${uid}@example.org`],
      mobile: [`+49 30 ${100_000 + n}`],
      employeeNumber: [String(n)],
      title: ['Engineer'],
    }
    yield { kind: 'add', dn, attributes }
  }
  for (const [n, member] of listed.entries()) {
    const attributes = { objectClass: ['groupOfNames'], cn: [`Group ${n}`], member: [...new Set(member)] }
    yield { kind: 'add', dn: `cn=Group ${n},${baseDn}`, attributes }
  }
}

const fill = async (stage: Stage, slapd: TestSlapd): Promise<void> => {
  const directory = openDirectory({ ...slapd, ca: null, startTls: false, timeout: 60_000, log: silent })
  stage.teardown(() => directory.close())
  await writeInBulk(directory, organisation(slapd))
}

/** Reads everything once for every message that comes, and answers how it went. */
const readOnDemand = (place: Place): void => {
  const source = ldapSource(
    { ...place, userFilter: '', groupFilter: '', preset: 'openldap', ca: null, startTls: false, timeout: 60_000 },
    { log: silent },
  )
  const reading = {
    signal: new AbortController().signal,
    gap: ({ text: reason }: { text: string }) => {
      throw new Error(reason)
    },
  }
  const readAll = async (): Promise<void> => {
    let [departments, users, places] = [0, 0, 0]
    for await (const batch of source.departments(reading)) departments += batch.length
    for await (const batch of source.users(reading)) {
      users += batch.length
      for (const { departmentIds } of batch) places += departmentIds.length
    }
    if (departments !== units + groups || users !== people || places < people * 2.9) {
      throw new Error(`${departments} departments, ${users} people in ${places} places were read`)
    }
  }
  const answer = (milliseconds: number): void => {
    process.send?.({ milliseconds, memory: process.resourceUsage().maxRSS / 1024 } satisfies Round)
  }
  process.on('message', async () => answer(await timed(readAll)))
  answer(0)
}

const startReader = async (stage: Stage, { url, bindDn, bindPassword, baseDn }: Place) => {
  const place = JSON.stringify({ url, bindDn, bindPassword, baseDn } satisfies Place)
  const child = fork(import.meta.filename, [String(entries), place])
  stage.teardown(() => child.kill())
  const gone = once(child, 'exit').then(() => [])
  const result = async (): Promise<Round> => {
    const [round] = await Promise.race([once(child, 'message'), gone])
    if (round === undefined) throw new Error('the reading failed')
    return round
  }
  const idle = await result()
  const read = (): Promise<Round> => {
    child.send('read')
    return result()
  }
  return { idle, read }
}

if (process.argv[3] !== undefined) {
  readOnDemand(JSON.parse(process.argv[3]))
} else {
  await onStage(async (stage) => {
    const slapd = await testSlapd(stage)
    await fill(stage, slapd)
    const search = ['-LLL', '-E', 'pr=1000/noprompt', '-b', slapd.baseDn, '(objectClass=*)', '*', 'entryUUID']
    const { idle, read } = await startReader(stage, slapd)
    const ours: number[] = []
    const baseline: number[] = []
    const ratios: number[] = []
    let memory = 0
    // Turn by turn, so that both meet the same machine. The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      const searched = await timed(() => ldapTool(slapd, 'ldapsearch', search))
      const { milliseconds, memory: peak } = await read()
      memory = peak
      if (round === 0) continue
      baseline.push(searched)
      ours.push(milliseconds)
      ratios.push(milliseconds / searched)
    }
    const ratio = median(ratios)
    console.log(
      `${entries} entries (${units + groups} departments, ${people} people): read in ${median(ours).toFixed(0)} ms, ` +
        `ldapsearch ${median(baseline).toFixed(0)} ms, peak memory ${memory.toFixed(0)} MB (${idle.memory.toFixed(0)} MB before)`,
    )
    report([
      { what: 'extldap, time over ldapsearch', ratio, goal: '≤ 2', met: ratio <= 2 },
      { what: 'extldap, memory over 300 MB', ratio: memory / 300, goal: '≤ 1', met: memory <= 300 },
    ])
  })
}
