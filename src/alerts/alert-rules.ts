import type { AlertRule, AlertSubject } from './alert-rule.ts'

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

/** Records by their names: those that are named, of so many. */
interface Named {
  names: readonly string[]
  total: number
}

const attemptCause = ({ kind, subject }: Pick<Attempts, 'kind' | 'subject'>): string => `attempts ${kind} ${subject}`
const attemptText = ({ failures, what, subject, address }: Omit<Attempts, 'kind'>): string =>
  `${failures} ${what} within 15 minutes for ${subject}, the last from ${address}`
const burstText = ({ caller, requests, seconds, address }: Burst, what: string): string =>
  `${requests} requests ${what} within ${seconds} s by ${caller}, the last from ${address}`
const atAddress = ({ address }: { address: string }): AlertSubject => ({ location: address })
const atSource = ({ source }: { source: string }): AlertSubject => ({ location: source })
const atDevice = ({ id, location }: Pick<AlertedDevice, 'id' | 'location'>): AlertSubject => ({
  deviceId: id,
  location,
})
const listed = ({ names, total }: Named): string =>
  `${names.join(', ')}${total > names.length ? ` and ${total - names.length} more` : ''}`

/**
 * Everything an alert is raised for. A new rule is an entry here and the line that raises it; `npm run generate` writes
 * the table in docs/alerts-and-status.md. The limits that are said here are those of the places that raise.
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
    when: 'the 10th, which locks it for 15 minutes',
    level: 'warning',
    cause: attemptCause,
    title: ({ what }: Attempts) => `Locked after ${what}`,
    text: (attempts: Attempts) => `${attemptText(attempts)}; locked for 15 minutes`,
    about: atAddress,
    again: 'each lock',
    closes: null,
  },
  newAddress: {
    when: 'a user with a role of sort 1 signs in from an address none of their sessions of the last 30 days came from (IPv6: the /64)',
    level: 'warning',
    cause: ({ from, username }: { from: string; username: string }) => `new ${from} of ${username}`,
    title: () => 'Administrator at a new address',
    text: ({ username, address }: { username: string; address: string }) =>
      `${username} has signed in from ${address}, an address they have not used before`,
    about: atAddress,
    again: 'once no session from there is kept',
    closes: null,
  },
  tokenReused: {
    when: 'a rotated token comes back',
    level: 'warning',
    cause: ({ username }: { username: string }) => `token reuse ${username}`,
    title: () => 'A rotated token came back',
    text: ({ username, address }: { username: string; address: string }) =>
      `A token of ${username} came back after it was exchanged, from ${address}: it may be stolen. The session was ended`,
    about: atAddress,
    again: 'each time',
    closes: null,
  },
  forbiddenBurst: {
    when: '20 answers 403 within a minute to one user, or to one address without a sign-in',
    level: 'warning',
    cause: ({ caller }: Pick<Burst, 'caller'>) => `burst 403 ${caller}`,
    title: () => 'Many forbidden requests',
    text: (burst: Burst) => burstText(burst, 'that no role of the caller grants'),
    about: atAddress,
    again: 'every minute while it goes on',
    closes: null,
  },
  limitBurst: {
    when: '20 answers 429 within a minute, likewise',
    level: 'warning',
    cause: ({ caller }: Pick<Burst, 'caller'>) => `burst 429 ${caller}`,
    title: () => 'Many requests beyond a limit',
    text: (burst: Burst) => burstText(burst, 'beyond a limit'),
    about: atAddress,
    again: 'every minute while it goes on',
    closes: null,
  },
  adoptedAdministratorPassword: {
    when: 'a password of a user with a role of sort 1 was changed in the directory and taken over',
    level: 'danger',
    cause: ({ username }: { username: string }) => `directory password of ${username}`,
    title: () => 'Administrator password changed in the directory',
    text: ({ username }: { username: string }) =>
      `The password of ${username}, who may do everything, was changed in the directory, not here, and was taken over. All sessions of ${username} have ended. If ${username} did not do it, disable the account and see who may write userPassword in the directory`,
    again: 'each time',
    closes: null,
  },
  lateWithdrawals: {
    when: 'a user was disabled or deleted, or lost a password or a membership, and still has it in the directory after a minute',
    level: 'danger',
    cause: () => 'directory withdrawals late',
    title: () => 'Withdrawn, and still in the directory',
    text: ({ reason, ...late }: Named & { reason: string }) =>
      `For over a minute the directory has not followed what was taken away: ${listed(late)}. Until it does, applications that ask the directory still accept it. ${reason}`,
    again: 'for those that join them',
    closes: 'the directory has followed',
  },
  foreignPasswords: {
    when: 'the directory holds a password of a user that is not known here and cannot be taken over: a second one, one in clear text, or a hash of another form',
    level: 'warning',
    cause: () => 'directory foreign passwords',
    title: () => 'Passwords in the directory that are not known here',
    text: (owners: Named) =>
      `The directory holds a password that is not known here, and may let its owner in: ${listed(owners)}. The syncError of each says which (GET /api/user/list). Remove it from the entry, or set a new password here, which replaces all that the entry holds`,
    again: 'for those that join them',
    closes: 'no such password is left',
  },
  runHeld: {
    when: 'a run is held',
    level: 'warning',
    cause: ({ source, kind }: Omit<AlertedRun, 'id'>) => `run held ${source} ${kind}`,
    title: () => 'A run is held',
    text: ({ id, source, kind, because }: AlertedRun & { because: readonly string[] }) =>
      [`Run ${id} (${source}, ${kind}) waits until its plan is confirmed or discarded`, ...because].join('. '),
    about: atSource,
    again: 'each such run of that source and kind',
    closes: null,
  },
  runFailed: {
    when: 'a run fails, or its instance died (a failure of `npm run sync` is printed there; only its death raises this)',
    level: 'warning',
    cause: ({ source, kind }: Omit<AlertedRun, 'id'>) => `run failed ${source} ${kind}`,
    title: () => 'A run failed',
    text: ({ id, source, kind, reason }: AlertedRun & { reason: string }) =>
      `Run ${id} (${source}, ${kind}) failed: ${reason}`,
    about: atSource,
    again: 'each such run of that source and kind',
    closes: null,
  },
  deviceOffline: {
    when: 'a device is silent for `DEVICE_TIMEOUT`, or signs off',
    level: 'warning',
    cause: ({ id }: Pick<AlertedDevice, 'id'>) => `device offline:${id}`,
    title: () => 'Device offline',
    text: ({ name, why }: Pick<AlertedDevice, 'name'> & { why: string }) => `${name} is offline: ${why}`,
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
    again: 'once it was at 25 %',
    closes: 'it is at 25 %, or the device is removed',
  },
  backupFailed: {
    when: 'a backup fails',
    level: 'danger',
    cause: () => 'backup failed',
    title: () => 'A backup failed',
    text: ({ id, reason }: { id: number; reason: string }) =>
      `Backup ${id} failed: ${reason}. Earlier backups are untouched.`,
    again: 'each time',
    closes: null,
  },
  backupMissing: {
    when: 'no backup was proven two hours after one was due (looked for every hour)',
    level: 'danger',
    cause: () => 'backup missing',
    title: () => 'A backup is missing',
    text: ({ since }: { since: Date }) =>
      `No backup was made and proven since ${since.toISOString()}, although one was due (BACKUP_SCHEDULE)`,
    again: 'every hour until there is one',
    closes: null,
  },
  restoredAtTerminal: {
    when: 'a backup was restored by `npm run restore`',
    level: 'warning',
    cause: () => 'restored at the terminal',
    title: () => 'A backup was restored at the terminal',
    text: ({ taken, file }: { taken: string; file: string }) =>
      `The data is that of ${taken} (${file}), by npm run restore`,
    again: 'each time',
    closes: null,
  },
  logBroken: {
    when: 'the newest 10,000 entries of the operation log are not what was written (looked for every hour), or the oldest are not when they are to be removed',
    level: 'danger',
    cause: () => 'operation log broken',
    title: () => 'The operation log is not what was written',
    text: ({ seq, message }: { seq: number; message: string }) =>
      `At entry ${seq}: ${message}. npm run verify-log checks all of it`,
    again: 'every hour while they are not',
    closes: null,
  },
  logUnchecked: {
    when: 'entries of the operation log are signed with an unknown key (looked for every hour)',
    level: 'warning',
    cause: () => 'operation log unchecked',
    title: () => 'Entries of the operation log cannot be checked',
    text: ({ first, last, keyId }: { first: number; last: number; keyId: string }) =>
      `The entries ${first} to ${last} are signed with a key that is not known here (${keyId}). If it is an earlier one, name its secret in LOG_KEY, behind the current one; if not, they were not written by this installation`,
    again: 'every hour while they are',
    closes: null,
  },
  logEndChanged: {
    when: 'the end of the operation log is not what was written when the next entry is written',
    level: 'danger',
    cause: () => 'operation log end',
    title: () => 'The end of the operation log is not what was written',
    text: ({ remark, after }: { remark: string; after: number }) =>
      `${remark} (after entry ${after}). Entries before it may have been changed or removed: npm run verify-log checks all of it`,
    again: 'each time',
    closes: null,
  },
  logKeyReplaced: {
    when: 'entries of the operation log are signed with another key from now on',
    level: 'warning',
    cause: () => 'operation log key',
    title: () => 'The operation log is signed with another key from now on',
    text: ({ after }: { after: number }) =>
      `The entries up to ${after} are signed with a key that LOG_KEY names behind the current one. If LOG_KEY was not changed, they were written by an attacker who has that key`,
    again: 'each time',
    closes: null,
  },
  logStuck: {
    when: 'entries of the operation log cannot be written',
    level: 'danger',
    cause: () => 'operation log stuck',
    title: () => 'The operation log cannot be written',
    text: ({ waiting, since }: { waiting: number; since: Date }) =>
      `${waiting} entries wait since ${since.toISOString()}. Until they are written, requests that change something are refused`,
    again: 'every 20 s while they cannot',
    closes: 'they are written, or nothing was heard of the instance for a minute',
  },
  logEntryRefused: {
    when: 'the database refused an entry of the operation log',
    level: 'danger',
    cause: () => 'operation log entry refused',
    title: () => 'An entry of the operation log could not be stored',
    text: ({ method, path, status, seq }: { method: string; path: string; status: number; seq: number }) =>
      `The database refused an entry (${method} ${path}, ${status}); a sealed entry at ${seq} or shortly before stands in its place. Look for triggers and constraints on operation_logs`,
    again: 'each time',
    closes: null,
  },
  logLost: {
    when: 'a stop lost entries of the operation log',
    level: 'danger',
    cause: ({ id }: { id: string }) => `operation log lost ${id}`,
    title: () => 'A stop lost entries of the operation log',
    text: ({ message }: { message: string }) => message,
    again: null,
    closes: null,
  },
  endedWithoutStop: {
    when: 'the service ended without a stop',
    level: 'warning',
    cause: ({ id }: { id: string }) => `operation log writer ${id}`,
    title: () => 'The service ended without a stop',
    text: ({ message }: { message: string }) => message,
    again: null,
    closes: null,
  },
  emergency: {
    when: 'a call for help (`POST /api/v1/security/emergency`)',
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
