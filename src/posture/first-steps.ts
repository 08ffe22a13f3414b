import type { Config } from '../config/config.ts'
import type { components } from '../generated/operations.types.ts'
import { deductions, type FindingKind } from './evidence/deductions.ts'
import type { Facts } from './evidence/facts.ts'

type FirstStep = components['schemas']['FirstStep']
type FirstSteps = components['schemas']['FirstSteps']

/** What the steps are judged by. */
export interface FirstStepFacts {
  facts: Facts
  trustProxy: Config['trustProxy']
  /** Whether the caller still has the password that the installation gave them. */
  hasInitialPassword: boolean
}

interface Step extends Pick<FirstStep, 'id' | 'title' | 'why'> {
  action: FirstStep['action'] | ((given: FirstStepFacts) => FirstStep['action'])
  isDone: (given: FirstStepFacts) => boolean
  /** What is found, and deducted from the score, while the step is not done; null: nothing. */
  finding: FindingKind | null | ((given: FirstStepFacts) => FindingKind | null)
}

const steps: readonly Step[] = [
  {
    id: 'ownPassword',
    title: 'Change your own password',
    why: 'The first password was in a setting or on a terminal, where others may have read it.',
    action: { operation: 'changeOwnPassword' },
    isDone: ({ hasInitialPassword }) => !hasInitialPassword,
    finding: ({ facts }) => (facts.settings.adminPasswordKept ? 'adminPasswordKept' : null),
  },
  {
    id: 'secondFactor',
    title: 'Enrol a second factor for every administrator',
    why: 'A stolen password alone then opens nothing; restores and held plans need it.',
    action: { operation: 'enrolTotp' },
    isDone: ({ facts }) => facts.people.withoutFactor === 0,
    finding: 'factorMissing',
  },
  {
    id: 'backupKey',
    title: 'Encrypt backups',
    why: 'A backup holds the password hashes of all users, and its file can be read by all who get a copy.',
    action: { setting: 'BACKUP_KEY' },
    isDone: ({ facts }) => !facts.settings.backupKeyMissing,
    finding: 'backupKeyMissing',
  },
  {
    id: 'backup',
    title: 'Make a first backup',
    why: 'Only a backup that was read back and verified can be relied on.',
    action: { operation: 'createBackup' },
    isDone: ({ facts }) => facts.backups.newest !== null,
    finding: 'backupNone',
  },
  {
    id: 'mail',
    title: 'Connect a mail server',
    why: 'Codes, alerts and links are sent by mail; without a server they become files on the host.',
    action: { setting: 'SMTP_URL' },
    isDone: ({ facts }) => !facts.settings.smtpMissing,
    finding: 'smtpMissing',
  },
  {
    id: 'source',
    title: 'Connect a source and run it once',
    why: 'People and departments then follow the platform where the organisation is kept.',
    action: ({ facts }) =>
      facts.settings.sources.length === 0 ? { setting: 'EXTA_CONNECTOR' } : { operation: 'startDryRun' },
    isDone: ({ facts }) => facts.runs.some(({ source }) => facts.settings.sources.includes(source)),
    finding: ({ facts }) => (facts.settings.sources.length === 0 ? null : 'sourceNeverRun'),
  },
  {
    id: 'directory',
    title: 'Connect a directory of your own',
    why: 'The embedded one runs inside Steward: it stops when Steward stops, and has no replica.',
    action: { setting: 'LDAP_URL' },
    isDone: ({ facts }) => facts.settings.directory === 'external',
    finding: ({ facts }) => (facts.settings.directory === 'none' ? 'directoryNone' : 'directoryEmbedded'),
  },
  {
    id: 'https',
    title: 'Put a proxy with HTTPS before the service',
    why: 'Passwords and tokens can be read on the way without it.',
    action: { setting: 'TRUST_PROXY' },
    isDone: ({ trustProxy }) => trustProxy !== false,
    finding: ({ facts }) => (facts.settings.openToNetwork ? 'openToNetwork' : null),
  },
]

/** What an installation still needs, from the evidence of the score. */
export const firstSteps = (given: FirstStepFacts): FirstSteps => {
  const judged = steps.map(({ id, title, why, action, isDone, finding }): FirstStep => {
    const done = isDone(given)
    const kind = typeof finding === 'function' ? finding(given) : finding
    const points = done || kind === null ? 0 : deductions[kind].points
    return {
      ...{ id, done, title, why },
      action: typeof action === 'function' ? action(given) : action,
      deduction: points === 0 ? null : points,
    }
  })
  return { open: judged.filter(({ done }) => !done).length, steps: judged }
}
