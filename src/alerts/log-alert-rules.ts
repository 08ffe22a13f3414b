import type { AlertRule } from './alert-rule.ts'

/** The rules of what happens to the operation log, a part of `alertRules`. */
export const logAlertRules = {
  logBroken: {
    when: 'the newest 10,000 entries of the operation log were changed after they were written (checked every hour), or the oldest entries (checked before they are removed)',
    level: 'danger',
    cause: () => 'operation log broken',
    title: () => 'The operation log was changed',
    text: ({ seq, message }: { seq: number; what: string; message: string }) =>
      `At entry ${seq}: ${message}. The command verify-log checks the whole log`,
    again: 'every hour while the log is broken',
    closes: null,
  },
  logUnchecked: {
    when: 'entries of the operation log are signed with an unknown key (checked every hour)',
    level: 'warning',
    cause: () => 'operation log unchecked',
    title: () => 'Entries of the operation log cannot be checked',
    text: ({ first, last, keyId }: { first: number; last: number; keyId: string }) =>
      `The entries ${first} to ${last} are signed with an unknown key (${keyId}). If it is an earlier key, add its secret to LOG_KEY, after the current one; otherwise they were not written by this installation`,
    again: 'every hour while their key is unknown',
    closes: null,
  },
  logEndChanged: {
    when: 'the end of the operation log was changed before the next entry was written',
    level: 'danger',
    cause: () => 'operation log end',
    title: () => 'The end of the operation log was changed',
    text: ({ remark, after }: { remark: string; after: number }) =>
      `${remark} (after entry ${after}). Entries before it may have been changed or removed: the command verify-log checks the whole log`,
    again: 'each time',
    closes: null,
  },
  logKeyReplaced: {
    when: 'new entries of the operation log are signed with another key',
    level: 'warning',
    cause: () => 'operation log key',
    title: () => 'The key of the operation log was changed',
    text: ({ after }: { after: number }) =>
      `The entries up to ${after} are signed with a key that is an earlier key in LOG_KEY. If LOG_KEY was not changed, they were written by an attacker who has that key`,
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
    again: 'every 20 s while they cannot be written',
    closes: 'they are written, or the instance has not reported for a minute',
  },
  logNotStreamed: {
    when: 'the syslog receiver (`SYSLOG_URL`) has not taken the entries of the operation log for 5 minutes',
    level: 'warning',
    cause: ({ receiver }: { receiver: string }) => `operation log stream ${receiver}`,
    title: () => 'The syslog receiver does not take the operation log',
    text: ({ receiver, waiting, since, reason }: { receiver: string; waiting: number; since: Date; reason: string }) =>
      `${waiting} entries wait for ${receiver} since ${since.toISOString()}: ${reason}. They are kept and sent when it takes them`,
    again: 'every 5 minutes while they wait',
    closes: 'it takes entries again',
  },
  logEntryRefused: {
    when: 'the database refused an entry of the operation log',
    level: 'danger',
    cause: () => 'operation log entry refused',
    title: () => 'An entry of the operation log could not be stored',
    text: ({ method, path, status, seq }: { method: string; path: string; status: number; seq: number }) =>
      `The database refused an entry (${method} ${path}, ${status}); a seal at ${seq} or shortly before it replaces the entry. Check the triggers and constraints of operation_logs`,
    again: 'each time',
    closes: null,
  },
  logLost: {
    when: 'a stop lost entries of the operation log',
    level: 'danger',
    cause: ({ id }: { id: string }) => `operation log lost ${id}`,
    title: () => 'A stop lost entries of the operation log',
    text: ({ message }: { message: string; entries: number | null; at: string }) => message,
    again: null,
    closes: null,
  },
  endedWithoutStop: {
    when: 'the service ended without a stop',
    level: 'warning',
    cause: ({ id }: { id: string }) => `operation log writer ${id}`,
    title: () => 'The service ended without a stop',
    text: ({ message }: { message: string; host: string; pid: number; seenAt: Date }) => message,
    again: null,
    closes: null,
  },
} as const satisfies Record<string, AlertRule>
