import type { Statement } from '../failures/statement.ts'
import type { AlertRule, AlertSubject } from './alert-rule.ts'
import { logAlertRules } from './log-alert-rules.ts'

interface Attempts {
  kind: string
  subject: string
  /** What was counted, such as `failed sign-ins`. */
  what: string
  failures: number
  address: string
}

/** Requests with one code of one caller. */
interface Burst {
  /** `user li.na` or `address 203.0.113.9`. */
  caller: string
  requests: number
  seconds: number
  address: string
}

interface AlertedRun {
  id: number
  source: string
  kind: string
}

interface AlertedDevice {
  id: number
  name: string
  location: string
}

/** Records: the names of the first ones, and the number of all. */
interface Named {
  names: readonly (string | Statement)[]
  total: number
}

const attemptCause = ({ kind, subject }: Pick<Attempts, 'kind' | 'subject'>): string => `attempts ${kind} ${subject}`
const attemptText = ({ failures, what, subject, address }: Omit<Attempts, 'kind'>): string =>
  `${failures} ${what} within 15 minutes for ${subject}, the last from ${address}`
const burstText = ({ caller, requests, seconds, address }: Burst, what: string): string =>
  `${requests} requests ${what} within ${seconds} s by ${caller}, the last from ${address}`
const atAddress = ({ address }: { address: string }): AlertSubject => ({ location: address })
const atSource = ({ source }: { source: string }): AlertSubject => ({ location: source })
/** What the sources and kinds of runs are called in texts; the names on the wire stay in `params`. */
const sourceNames = new Map([
  ['exta', 'ExtA'],
  ['extb', 'ExtB'],
  ['extc', 'ExtC'],
  ['extldap', 'ExtLdap'],
  ['sql', 'the comparison with the directory'],
])
const kindNames = new Map([
  ['users', 'people'],
  ['groups', 'departments'],
])
const runText = ({ id, source, kind }: AlertedRun): string =>
  `Run ${id} (${sourceNames.get(source) ?? source}, ${kindNames.get(kind) ?? kind})`
const atDevice = ({ id, location }: Pick<AlertedDevice, 'id' | 'location'>): AlertSubject => ({
  deviceId: id,
  location,
})
const listed = ({ names, total }: Named): string =>
  `${names.map((name) => (typeof name === 'string' ? name : name.text)).join(', ')}${total > names.length ? ` and ${total - names.length} more` : ''}`

/**
 * All rules of alerts. A new rule is an entry here, or in log-alert-rules.ts if it is about the operation log, and the line
 * that raises it: `raiseAlerts` in a transaction, otherwise `alerts.raise`. Where `closes` is set, `closeAlert` closes it.
 * `npm run generate` writes the table in docs/alerts-and-status.md. Limits that a text mentions are defined where the alert
 * is raised.
 */
export const alertRules = {
  attemptsRepeated: {
    when: '5 failed attempts within 15 minutes for an account, an address, a mail or a second factor',
    level: 'info',
    cause: attemptCause,
    title: ({ what }: Attempts) => `Repeated ${what}`,
    text: attemptText,
    about: atAddress,
    again: 'the next 5',
    closes: null,
  },
  attemptsLocked: {
    when: '10 failed attempts, which lock it for 15 minutes',
    level: 'warning',
    cause: attemptCause,
    title: ({ what }: Attempts) => `Locked after ${what}`,
    text: (attempts: Attempts) => `${attemptText(attempts)}; locked for 15 minutes`,
    about: atAddress,
    again: 'each lock',
    closes: null,
  },
  newAddress: {
    when: 'a user with a role of sort 1 signs in from an address that none of their sessions of the last 30 days had (IPv6: the /64 prefix)',
    level: 'warning',
    cause: ({ from, username }: { from: string; username: string }) => `new ${from} of ${username}`,
    title: () => 'Administrator at a new address',
    text: ({ username, address }: { username: string; address: string }) =>
      `${username} has signed in from ${address}, an address they have not used before`,
    about: atAddress,
    again: 'when no session from this address is stored any more',
    closes: null,
  },
  tokenReused: {
    when: 'a token is used again after it was exchanged for a new one',
    level: 'warning',
    cause: ({ username }: { username: string }) => `token reuse ${username}`,
    title: () => 'An exchanged token was used again',
    text: ({ username, address }: { username: string; address: string }) =>
      `A token of ${username} was used again after it was exchanged, from ${address}: it may be stolen. The session was ended`,
    about: atAddress,
    again: 'each time',
    closes: null,
  },
  forbiddenBurst: {
    when: '20 responses 403 within a minute to one user, or to one address without a sign-in',
    level: 'warning',
    cause: ({ caller }: Pick<Burst, 'caller'>) => `burst 403 ${caller}`,
    title: () => 'Many forbidden requests',
    text: (burst: Burst) => burstText(burst, 'that the roles of the caller do not grant'),
    about: atAddress,
    again: 'every minute while it continues',
    closes: null,
  },
  limitBurst: {
    when: '20 responses 429 within a minute to one user, or to one address without a sign-in',
    level: 'warning',
    cause: ({ caller }: Pick<Burst, 'caller'>) => `burst 429 ${caller}`,
    title: () => 'Many requests over a rate limit',
    text: (burst: Burst) => burstText(burst, 'over a rate limit'),
    about: atAddress,
    again: 'every minute while it continues',
    closes: null,
  },
  adoptedAdministratorPassword: {
    when: 'a password of a user with a role of sort 1 was changed in the directory and taken over',
    level: 'danger',
    cause: ({ username }: { username: string }) => `directory password of ${username}`,
    title: () => 'Administrator password changed in the directory',
    text: ({ username }: { username: string }) =>
      `The password of ${username}, who may do everything, was changed in the directory, not in Steward, and was taken over. All sessions of ${username} have ended. If ${username} did not change it, disable the account and check who may write userPassword in the directory`,
    again: 'each time',
    closes: null,
  },
  lateWithdrawals: {
    when: 'a user was disabled or deleted, or lost a password or a membership, and still has it in the directory after a minute',
    level: 'danger',
    cause: () => 'directory withdrawals late',
    title: () => 'Withdrawals are not in the directory',
    text: ({ reason, ...late }: Named & { reason: Statement }) =>
      `These withdrawals have not been in the directory for more than a minute: ${listed(late)}. Until they are, applications that use the directory still accept what was withdrawn. ${reason.text}`,
    again: 'when more users are affected',
    closes: 'the withdrawals are in the directory',
  },
  removalsHeld: {
    when: 'one change would remove more entries from a further directory than `LDAP_2_MAX_REMOVALS` allows, because people or groups left `LDAP_2_GROUPS`: the entries stay',
    level: 'warning',
    cause: () => 'directory removals held',
    title: () => 'Removals from a directory are held',
    text: ({ settings, ...held }: Named & { settings: readonly Statement[] }) =>
      `People and groups left what a further directory gets, more at once than its settings allow. Their entries are still there: ${listed(held)}. If it is a mistake, undo the change. If it is meant, set ${settings.map(({ text }) => text).join(', ')} and start Steward again: they are removed then`,
    again: 'when more are held',
    closes: 'the entries are removed, or the people and groups are back',
  },
  foreignPasswords: {
    when: 'the directory holds a password of a user that Steward does not know and cannot take over: a second password, a password in clear text, or a hash in another format',
    level: 'warning',
    cause: () => 'directory foreign passwords',
    title: () => 'Unknown passwords in the directory',
    text: (owners: Named) =>
      `The directory holds passwords that Steward does not know, and that may be accepted for a sign-in: ${listed(owners)}. The syncError of each user says which (GET /api/user/list). Remove them from the entries, or set a new password in Steward, which replaces all passwords of the entry`,
    again: 'when more users are affected',
    closes: 'the passwords are removed or replaced',
  },
  comparisonRefused: {
    when: 'the directory answers, and cannot be compared with the database as every `DRIFT_INTERVAL`, such as for a limit of its answers',
    level: 'warning',
    cause: () => 'directory comparison refused',
    title: () => 'The directory cannot be compared',
    text: ({ reason, advice }: { reason: Statement; advice: Statement }) =>
      `The comparison of the directory with the database has failed: ${reason.text}. Until it succeeds, what others change in the directory is neither found nor repaired. What to do: ${advice.text}`,
    again: 'each comparison that fails so',
    closes: 'a comparison succeeds',
  },
  peopleWithoutRecord: {
    when: 'a comparison finds entries of people that belong to no record, and are not ignored',
    level: 'warning',
    cause: () => 'directory people without record',
    title: () => 'Entries of people without a record',
    text: (entries: Named) =>
      `The directory has entries of people that belong to no record: ${listed(entries)}. Applications accept them. They may be of people who were deleted here, and are back since the directory was restored or another server is used. Delete them in the directory, or adopt or ignore them (GET /api/v1/operations/orphans)`,
    again: 'each comparison that finds some',
    closes: 'a comparison finds none',
  },
  otherServer: {
    when: 'the first server of `LDAP_URL` cannot be used, and another one is used in its place',
    level: 'warning',
    cause: () => 'directory on another server',
    title: () => 'The directory’s first server is not used',
    text: ({ preferred, current }: { preferred: string; current: string }) =>
      `Changes go to ${current}, because ${preferred} cannot be reached, accepts no changes, or lacks some that ${current} has. Steward returns to it by itself. The log has the reason`,
    again: 'at every check, about once a minute',
    closes: 'the first server has been in use for 3 minutes',
  },
  runHeld: {
    when: 'a run is held',
    level: 'warning',
    cause: ({ source, kind }: Omit<AlertedRun, 'id'>) => `run held ${source} ${kind}`,
    title: () => 'A run is held',
    text: ({ because, ...run }: AlertedRun & { because: readonly Statement[] }) =>
      [`${runText(run)} waits until its plan is confirmed or discarded`, ...because.map((each) => each.text)].join(
        '. ',
      ),
    about: atSource,
    again: 'each such run of this source and kind',
    closes: 'its plan is confirmed, discarded, or replaced by a run that is not held',
  },
  runFailed: {
    when: 'a run fails, or its instance died (a failure of `npm run sync` is only printed, and raises an alert only if the process died)',
    level: 'warning',
    cause: ({ source, kind }: Omit<AlertedRun, 'id'>) => `run failed ${source} ${kind}`,
    title: () => 'A run failed',
    text: ({ reason, ...run }: AlertedRun & { reason: Statement }) => `${runText(run)} failed: ${reason.text}`,
    about: atSource,
    again: 'each such run of this source and kind',
    closes: null,
  },
  deviceOffline: {
    when: 'a device sends no heartbeat for `DEVICE_TIMEOUT`, or reports `offline`',
    level: 'warning',
    cause: ({ id }: Pick<AlertedDevice, 'id'>) => `device offline:${id}`,
    title: () => 'Device offline',
    text: ({ name, why }: Pick<AlertedDevice, 'name'> & { why: Statement }) => `${name} is offline: ${why.text}`,
    about: atDevice,
    again: 'each time',
    closes: 'the device is removed',
  },
  batteryLow: {
    when: 'a battery is at 20 % or less',
    level: 'warning',
    cause: ({ id }: Pick<AlertedDevice, 'id'>) => `device battery:${id}`,
    title: () => 'Battery low',
    text: ({ name, battery }: Pick<AlertedDevice, 'name'> & { battery: number }) =>
      `${name} has ${battery} % of its battery left`,
    about: atDevice,
    again: 'after it was at 25 %',
    closes: 'it is at 25 %, or the device is removed',
  },
  backupFailed: {
    when: 'a backup fails',
    level: 'danger',
    cause: () => 'backup failed',
    title: () => 'A backup failed',
    text: ({ id, reason }: { id: number; reason: string }) =>
      `Backup ${id} failed: ${reason}. Earlier backups are not affected`,
    again: 'each time',
    closes: null,
  },
  backupMissing: {
    when: 'no backup was proven two hours after a backup was due (checked every hour)',
    level: 'danger',
    cause: () => 'backup missing',
    title: () => 'A backup is missing',
    text: ({ since }: { since: Date }) =>
      `No backup was proven since ${since.toISOString()}, although a backup was due (BACKUP_SCHEDULE)`,
    again: 'every hour until a backup is proven',
    closes: 'a backup is proven, or none is scheduled any more (checked every hour)',
  },
  restoredAtTerminal: {
    when: 'a backup was restored by the command `restore`',
    level: 'warning',
    cause: () => 'restored at the terminal',
    title: () => 'A backup was restored at the terminal',
    text: ({ taken, file }: { taken: string; file: string }) =>
      `The data of ${taken} was restored with the command restore (${file})`,
    again: 'each time',
    closes: null,
  },
  tokenSecretChanged: {
    when: 'an instance starts with another `JWT_SECRET` than the instance that started before it, and without the former one in `JWT_SECRET_PREVIOUS`',
    level: 'warning',
    cause: () => 'token secret changed',
    title: () => 'JWT_SECRET is another one',
    text: () =>
      'An instance has started with another JWT_SECRET than the one that started before it. Sessions, links and codes of the other secret are refused, authenticator apps that were enrolled with it do not work, and hashes that it sealed are made again. If the secret was changed, name the former one in JWT_SECRET_PREVIOUS. If several instances run, give all of them the same JWT_SECRET: without the setting each makes its own in DATA_DIR/secrets, which has to be kept',
    again: 'each such start',
    closes: null,
  },
  ...logAlertRules,
  emergency: {
    when: 'a user calls for help (`POST /api/v1/security/emergency`)',
    level: 'danger',
    cause: ({ id }: { id: number }) => `emergency ${id}`,
    title: ({ type }: { type: string }) => `Emergency: ${type}`,
    text: ({ username, description }: { username: string; description: string }) =>
      `${username} calls for help: ${description}`,
    about: atAddress,
    again: null,
    closes: null,
  },
} as const satisfies Record<string, AlertRule>
