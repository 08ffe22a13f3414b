import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import t from 'tap'

/**
 * What a request changes is changed by `changeFor` or `committedChange` (access/committed.ts), which commit it only while the
 * caller's session and grant stand. A bare transaction, or a change outside any, is for what does not depend on a caller's rights.
 * Each file that has one is listed here with the reason; a folder where nothing is done for a caller otherwise.
 */

const reads = 'it changes nothing'
const proof = 'a proof decides, which it compares or uses up: a password, a code, a token'
const service = 'the service does it in the name of no one'
const begun =
  'work that beginFor has begun, which goes on after a sign-out; each change of people is made by committedChange'

const reasons: Readonly<Record<string, string>> = {
  'src/access/committed.ts': 'the doors themselves',
  ...{ 'src/alerts/': service, 'src/audit/': service, 'src/mirror/': service },
  'src/commands/': 'the operator of the host does it',
  'src/auth/bearer-handlers.ts': proof,
  'src/auth/console-handlers.ts': proof,
  'src/auth/console-sessions.ts': proof,
  'src/auth/mail-codes.ts': proof,
  'src/auth/proven-passwords.ts': proof,
  'src/auth/sign-in-proof.ts': proof,
  'src/auth/second-factor/step-up-codes.ts': 'a code for a session, which is refused once the session has ended',
  'src/auth/second-factor/totp-factors.ts': 'it is handed the transaction of changeFor',
  'src/auth/sweep.ts': service,
  'src/backups/backup-registry.ts': service,
  'src/backups/tables/copy-tables.ts': 'it fills a database that is not in use yet',
  'src/backups/tables/snapshot.ts': reads,
  'src/devices/heartbeat.ts': proof,
  'src/devices/silence.ts': service,
  'src/jobs/schedule.ts': service,
  'src/jobs/tasks.ts': service,
  'src/main/bootstrap.ts': service,
  'src/people/mobile-keys.ts': service,
  'src/people/password-resets.ts': 'a dry run: it changes nothing',
  'src/posture/evidence/gather.ts': reads,
  'src/posture/report/history.ts': reads,
  'src/sync/apply.ts': begun,
  'src/sync/foreseeing.ts': begun,
  'src/sync/held-changes.ts': begun,
  'src/sync/importer.ts': begun,
  'src/sync/lease.ts': begun,
  'src/sync/run-start-handlers.ts': reads,
  'src/sync/watch.ts': service,
}

/** These may do what they want with a transaction that they are handed. */
const beginning = [/\.transaction\(/, /\b(db|database\.db)\s*\.(insert|update|delete)\(/]

const withoutComments = (text: string): string => text.replace(/^\s*(\/\/|\*|\/\*).*$/gm, '')
const begins = (file: string): boolean => {
  const text = withoutComments(readFileSync(file, 'utf8'))
  return beginning.some((pattern) => pattern.test(text))
}
const coveredBy = (listed: string, file: string): boolean =>
  listed.endsWith('/') ? file.startsWith(listed) && !file.endsWith('-handlers.ts') : file === listed

t.test('what does not go through the doors of changes has its reason', async (t) => {
  const found = execFileSync('git', ['ls-files', '--', 'src'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => file.endsWith('.ts') && !/^src\/(console|db)\//.test(file) && begins(file))
  const listed = Object.keys(reasons)
  t.same(
    found.filter((file) => !listed.some((one) => coveredBy(one, file))),
    [],
    'these begin a transaction of their own: use changeFor or committedChange, or say here why not',
  )
  t.same(
    listed.filter((one) => !found.some((file) => coveredBy(one, file))),
    [],
    'these have none any more: take them off the list',
  )
})

t.test('a handler changes rows only in a transaction that it is handed', async (t) => {
  const handlers = execFileSync('git', ['ls-files', '--', 'src/**/*-handlers.ts'], { encoding: 'utf8' }).split('\n')
  const writing =
    /\bdb\s*\.execute(<[^(]*>)?\(\s*sql`\s*(insert|update|delete|with[^`]*\b(insert into|update|delete from))\b/
  t.ok(handlers.length > 40, `${handlers.length} files of handlers`)
  t.same(
    handlers.filter((file) => file !== '' && writing.test(withoutComments(readFileSync(file, 'utf8')))),
    [],
  )
})
