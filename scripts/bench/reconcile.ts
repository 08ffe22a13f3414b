import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { testSlapd } from '../../test/slapd.ts'
import { addPeople, benchDatabase, connectTo, ldapTool } from './people.ts'
import { onStage, report, type Stage, timed, type Verdict } from './stage.ts'

/**
 * New people written to slapd by the reconciler, once with LDAP transactions (RFC 5805) and once as if the server had
 * none, against `ldapadd -c` of the same entries. Each of the three has a slapd of its own, which syncs every commit to
 * disk. Disks do not stay as fast as they are from one minute to the next, so the three take turns, and each is written
 * the same part of the people in a turn.
 */
const count = Number(process.argv[2] ?? 20_000)
const turns = 10
const perTurn = Math.ceil(count / turns)

/** Milliseconds that the people of one turn take, from `first` on. */
type Turn = (first: number) => Promise<number>

/** @returns also the entries of the last turn, as LDIF */
const ours = async (stage: Stage, transactions: boolean): Promise<{ turn: Turn; added: () => Promise<string> }> => {
  const { db } = await benchDatabase(stage)
  const slapd = await testSlapd(stage, { durable: true })
  const { reconciler } = connectTo(stage, db, slapd, { transactions })
  await reconciler.synchronize('user', 'pending')
  const turn: Turn = async (first) => {
    await addPeople(db, perTurn, first)
    const milliseconds = await timed(async () => {
      const run = await reconciler.synchronize('user', 'pending')
      if (run.added !== perTurn) throw new Error(`${run.added} of ${perTurn} people arrived`)
    })
    const [left] = await db.execute<{ count: string }>(
      sql`select count(*) from directory_entries where version <> synced_version`,
    )
    if (left?.count !== '0') throw new Error('some people are not in sync')
    return milliseconds
  }
  const seen = new Set<string>()
  const added = async (): Promise<string> => {
    const ldif = await slapd.ldapsearch(
      '-LLL',
      '-o',
      'ldif-wrap=no',
      '-b',
      `ou=people,${slapd.baseDn}`,
      '-s',
      'one',
      '*',
    )
    const entries = ldif.split('\n\n').filter((entry) => entry.trim() !== '' && !seen.has(entry))
    for (const entry of entries) seen.add(entry)
    return `${entries.join('\n\n')}\n`
  }
  return { turn, added }
}

/** @returns adds the entries, and gives the milliseconds it takes */
const ldapadd = async (stage: Stage): Promise<(ldif: string) => Promise<number>> => {
  const slapd = await testSlapd(stage, { durable: true })
  const folder = await mkdtemp(join(tmpdir(), 'steward-bench-'))
  stage.teardown(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'people.ldif')
  const add = async (ldif: string): Promise<number> => {
    await writeFile(file, ldif)
    return timed(() => ldapTool(slapd, 'ldapadd', ['-c', '-f', file]))
  }
  await add(`dn: ou=people,${slapd.baseDn}\nobjectClass: organizationalUnit\nou: people\n`)
  return add
}

await onStage(async (stage) => {
  const inTransactions = await ours(stage, true)
  const oneByOne = await ours(stage, false)
  const baseline = await ldapadd(stage)
  const took = { inTransactions: 0, oneByOne: 0, baseline: 0 }
  for (let turn = 0; turn < turns; turn++) {
    const first = turn * perTurn + 1
    took.inTransactions += await inTransactions.turn(first)
    const ldif = await inTransactions.added()
    // Who comes first would pay alone for what is left over from the turn before.
    const second = async () => {
      took.oneByOne += await oneByOne.turn(first)
    }
    const third = async () => {
      took.baseline += await baseline(ldif)
    }
    for (const run of turn % 2 === 0 ? [second, third] : [third, second]) await run()
  }
  const all = perTurn * turns
  const perSecond = (milliseconds: number) => `${Math.round((all / milliseconds) * 1000)}/s`
  console.log(
    `${all} people: reconciler ${perSecond(took.inTransactions)} in transactions, ` +
      `${perSecond(took.oneByOne)} without, ldapadd -c ${perSecond(took.baseline)}`,
  )
  const verdict = (what: string, milliseconds: number, least: number): Verdict => {
    const ratio = took.baseline / milliseconds
    return { what, ratio, goal: `≥ ${least} × ldapadd`, met: ratio >= least }
  }
  report([
    verdict('reconcile, with LDAP transactions', took.inTransactions, 5),
    verdict('reconcile, without LDAP transactions', took.oneByOne, 1),
  ])
})
