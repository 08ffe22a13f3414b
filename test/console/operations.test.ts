import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { calls, type OperationId } from '../../src/console/generated/calls.ts'
import { documents } from '../../src/generated/documents.ts'

/** Operations that a page has by another one, which shows or does the same and more. */
const byAnother: Readonly<Record<string, OperationId>> = {
  login: 'openConsoleSession',
  logout: 'closeConsoleSession',
  refreshToken: 'openConsoleSession',
  dashboard: 'getOverview',
  getUserInfo: 'getMe',
  listUsers: 'listPeople',
  changeUserStatus: 'changePeople',
  deleteUsers: 'changePeople',
  listGroups: 'listDepartments',
  getGroupTree: 'listDepartments',
  listUsersInGroup: 'listMembers',
  listUsersNotInGroup: 'listPeople',
  listOperationLogs: 'listLogEntries',
  listAlerts: 'searchAlerts',
  listDevices: 'listDevicesInFull',
  listBackups: 'listBackupFiles',
  listSecurityStatus: 'getScore',
  showReport: 'getReport',
  syncSqlUsers: 'compareDirectory',
  syncSqlGroups: 'compareDirectory',
}

/** What only programs need: probes, and the encryption of passwords for callers without https. */
const forPrograms = ['ping', 'getLiveness', 'getReadiness', 'encryptPassword', 'decryptPassword']

/**
 * Where the console calls an operation by its name: a mere list of what is read again, or a look at a grant, is no use of it.
 * `read` and `watch` are what is shown as it happens, `users` and `groups` the runs of a source.
 */
const calling = [
  /\b(?:useReading|useChange|call|reading|usePages|useNumberedPages|addressOf)(?:<[^(]*>)?\(\s*'(\w+)'/g,
  /\b(?:read|watch|users|groups): '(\w+)'/g,
  /<PersonTable\s+operation="(\w+)"/g,
  /\/forms\/(\w+)/g,
] as const

/** The operations that the console's own code calls. */
const used = (): Set<string> => {
  const files = readdirSync('src/console', { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !/^(generated|locales)/.test(file),
  )
  const texts = files.map((file) => readFileSync(join('src/console', file), 'utf8'))
  const names = texts.flatMap((text) => calling.flatMap((pattern) => [...text.matchAll(pattern)]))
  return new Set(names.map(([, name = '']) => name).filter((name) => name in calls))
}

t.test('every operation of the four documents can be used from the console', async (t) => {
  const all = documents.flatMap(({ operations }) => operations.map(({ id }) => id))
  const inUse = used()
  const missing = all.filter((id) => !inUse.has(id) && !(id in byAnother) && !forPrograms.includes(id))
  t.strictSame(missing, [])
  const wrong = Object.entries(byAnother).filter(([id, other]) => inUse.has(id) || !inUse.has(other))
  t.strictSame(wrong, [], 'the other operation is used, and not the one itself')
  t.strictSame(
    forPrograms.filter((id) => inUse.has(id)),
    [],
  )
})
