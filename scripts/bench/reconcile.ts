import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { testSlapd } from '../../test/slapd.ts'
import { addPeople, benchDatabase, connectTo, ldapTool } from './people.ts'
import { onStage, report, type Stage, timed, type Verdict } from './stage.ts'

/**
 * New people written to slapd by the reconciler, against `ldapadd -c` of the same entries into an equal slapd. Both
 * sync every commit to disk. Once with LDAP transactions (RFC 5805), once as if the server had none. Disks do not stay as
 * fast as they are: `ldapadd` runs before and after the latter, and both are compared with the mean.
 */
const count = Number(process.argv[2] ?? 20_000)

const ours = async (stage: Stage, transactions: boolean): Promise<{ milliseconds: number; ldif: string }> => {
  const { db } = await benchDatabase(stage)
  const slapd = await testSlapd(stage, { durable: true })
  const { reconciler } = connectTo(stage, db, slapd, { transactions })
  await reconciler.synchronize('user', 'pending')
  await addPeople(db, count)
  const milliseconds = await timed(async () => {
    const run = await reconciler.synchronize('user', 'pending')
    if (run.added !== count) throw new Error(`${run.added} of ${count} people arrived`)
  })
  const [left] = await db.execute<{ count: string }>(
    sql`select count(*) from directory_entries where version <> synced_version`,
  )
  if (left?.count !== '0') throw new Error('some people are not in sync')
  const ldif = await slapd.ldapsearch('-b', `ou=people,${slapd.baseDn}`, '-s', 'one', '*')
  return { milliseconds, ldif }
}

const ldapadd = async (stage: Stage, ldif: string): Promise<number> => {
  const slapd = await testSlapd(stage, { durable: true })
  const folder = await mkdtemp(join(tmpdir(), 'steward-bench-'))
  stage.teardown(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'people.ldif')
  await writeFile(file, `dn: ou=people,${slapd.baseDn}\nobjectClass: organizationalUnit\nou: people\n\n${ldif}`)
  return timed(() => ldapTool(slapd, 'ldapadd', ['-c', '-f', file]))
}

await onStage(async (stage) => {
  const perSecond = (milliseconds: number) => `${Math.round((count / milliseconds) * 1000)}/s`
  const verdicts: Verdict[] = []
  const inTransactions = await ours(stage, true)
  const before = await ldapadd(stage, inTransactions.ldif)
  const oneByOne = await ours(stage, false)
  const baseline = (before + (await ldapadd(stage, inTransactions.ldif))) / 2
  console.log(
    `${count} people: reconciler ${perSecond(inTransactions.milliseconds)} in transactions, ` +
      `${perSecond(oneByOne.milliseconds)} without, ldapadd -c ${perSecond(baseline)}`,
  )
  const add = (what: string, milliseconds: number, least: number): void => {
    const ratio = baseline / milliseconds
    verdicts.push({ what, ratio, goal: `≥ ${least} × ldapadd`, met: ratio >= least })
  }
  add('reconcile, with LDAP transactions', inTransactions.milliseconds, 5)
  add('reconcile, without LDAP transactions', oneByOne.milliseconds, 1)
  report(verdicts)
})
