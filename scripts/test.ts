import { spawnSync } from 'node:child_process'
import { appendFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { nightly, turnOf } from '../test/nightly.ts'
import { makeQueue, notPassed } from '../test/workers/queue.ts'

// npm test [-- FILE … | OPTION …]: the test files given, or those of the day: all that are short, and of the long and the
// seldom ones those whose turn it is; with NIGHTLY=1 all. Three processes of tap take one file after another. Options are
// tap's. `npx tap FILE` runs a file in a process of its own. With TEST_FAILED=<file> the paths of the test files that did
// not pass are written there, a line each.

/** What ends and starts processes many times, each for minutes: one or two of these a day. */
const seldom = [
  'backups/restore-command',
  'commands/move',
  'commands/move-disk-full',
  'console/faults',
  'db/embedded',
  'faults/backups',
  'faults/instances',
  'faults/large-lists',
  'faults/load-balancing',
  'faults/restarts',
  'faults/sync',
  'faults/sync-kills',
  'faults/layout-kills',
  'faults/patroni',
  'faults/scope-kills',
  'mirror/active-directory',
  'services/kills',
]

/** What takes half a minute or more on two slow processors: a ninth of these a day. */
const long = [
  'mirror/reconciler',
  'fuzz',
  'commands/command-line',
  'console/directory',
  'console/pages',
  'console/runs',
  'demo',
  'audit/log-hardening',
  'console/jobs',
  'faults/directory',
  'faults/database-failover',
  'commands/doctor-silence',
  'faults/pgbouncer',
  'faults/database-replica',
  'sync/platforms',
  'console/sign-in',
  'mirror/moved-groups',
  'audit/operation-log',
  'console/leaving',
  'commands/move-source',
  'console/security',
  'console/people',
  'ldap-server/conformance',
  'backups/backup-files',
  'console/conflicts',
  'console/service-accounts',
  'alerts/notifications',
  'faults/redis',
  'faults/redis-sentinel',
  'console/backups',
  'console/instances',
  'commands/doctor',
  'sync/ext-ldap',
  'client',
  'console/notices',
  'auth/sign-in',
  'console/first-hour',
  'mirror/catches-up',
  'mirror/ns-slapd',
  'db/primary',
  'people/attributes',
  'services/slapd',
  'ldap-server/hardening',
  'services/embedded',
  'console/hosts',
  'live/streams',
  'people/users',
  'faults/comparison-kills',
  'mirror/member-of',
  'mirror/passwords',
  'mirror/mirror',
  'mirror/failover',
  'db/postgres',
  'people/identity-keys',
  'posture/report',
  'mirror/nested-groups',
  'sources/platforms',
  'console/diet',
  'auth/console-proofs',
  'console/restart',
  'mirror/foreign-passwords',
  'sync/operations',
  'mirror/group-layout',
  'sync/engine',
  'sources/ldap',
  'backups/backups',
  'alerts/alerts',
  'backups/hostile-backups',
  'mirror/dry-run',
  'mirror/posix',
  'mirror/directory-claims',
  'audit/log-search',
  'mirror/active-directory-instances',
  'audit/syslog',
  'mirror/own-scheme',
  'metrics/metrics',
  'console/attributes',
  'mirror/leaving',
  'console/backup-progress',
  'services/embedded-kills',
  'faults/file-systems',
  'console/focus',
  'console/firefox',
  'mirror/refused-passwords',
  'db/upgrade',
  'console/steady',
  'console/demo',
  'mirror/despite-refusal',
  'console/unread',
  'console/zoomed',
  'faults/database-lacks',
  'faults/refusal-kills',
  'mirror/early-claim',
  'console/long-names',
  'mirror/scope',
  'jobs/schedule',
  'mirror/hidden-passwords',
  'console/log',
  'contract/site',
  'posture/overview',
  'mirror/several-directories',
  'mirror/nt-hash',
  'sync/declared-attributes',
  'services/other-address',
  'mirror/list-notes',
  'backups/restored-callers',
  'ldap-server/floods',
  'console/rights',
  'faults/clocks',
]

/** It measures its process, whose heap is small as long as no other file has run in it. */
const first = 'audit/log-hardening'

/** More do not make it faster on two processors, and each waits longer for its turn. */
const workerNames = ['1', '2', '3']

const pathOf = (name: string): string => `test/${name}.test.ts`

/** Those that are long begin first, so that at the end no processor is idle for long. */
const filesOfTheDay = (): string[] => {
  const all = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join('test', file))
  const slow = [...seldom, ...long].map(pathOf)
  const gone = slow.filter((file) => !all.includes(file))
  if (gone.length > 0) throw new Error(`scripts/test.ts names files that do not exist: ${gone.join(', ')}`)
  const comment = (...text: string[]): void => console.log(`# ${text.join(' ')}`)
  const chosen = [
    ...turnOf({ comment }, 'seldom files', seldom.map(pathOf), 12),
    ...turnOf({ comment }, 'long files', long.map(pathOf), 9),
  ]
  const rank = (file: string): number => (file === pathOf(first) ? -1 : chosen.indexOf(file))
  return [...chosen.sort((a, b) => rank(a) - rank(b)), ...all.filter((file) => !slow.includes(file)).sort()]
}

const given = process.argv.slice(2)
const options = given.filter((argument) => argument.startsWith('-'))
const named = given.filter((argument) => !argument.startsWith('-'))
const files = named.length > 0 ? named : filesOfTheDay()

const queue = makeQueue(files)
const workers = workerNames.slice(0, files.length).map((name) => `test/workers/${name}.ts`)
/** Seconds after which a process of test files is killed, so that one which is stuck in a loop does not hang all. */
const limit = nightly ? 28_800 : 2400
const { status } = spawnSync('tap', [`--timeout=${limit}`, ...options, ...workers], {
  stdio: 'inherit',
  env: { ...process.env, TEST_QUEUE: queue, TEST_FILE_TIMEOUT: process.env.TAP_TIMEOUT ?? '600' },
})
const failed = notPassed(queue)
rmSync(queue, { recursive: true, force: true })
for (const file of failed) {
  console.log(`failed: ${file}`)
  if (process.env.TEST_FAILED !== undefined) appendFileSync(process.env.TEST_FAILED, `${file}\n`)
}
process.exitCode = failed.length > 0 ? 1 : (status ?? 1)
