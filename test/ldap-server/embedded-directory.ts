import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { BindThrottle } from '../../src/ldap-server/authentication/bind-throttle.ts'
import {
  type EmbeddedDirectory,
  type EmbeddedDirectoryOptions,
  openEmbeddedDirectory,
} from '../../src/ldap-server/server.ts'
import type { Logger } from '../../src/runtime/log.ts'

export const identity = { baseDn: 'dc=example,dc=org', bindDn: 'cn=admin,dc=example,dc=org', bindPassword: 'secret' }

/** A logger that only remembers, for tests of what was or was not said. */
export const rememberingLog = (): Logger & { lines: string[] } => {
  const lines: string[] = []
  const remember = (details: object | string, message?: string): void => {
    lines.push(typeof details === 'string' ? details : `${message} ${JSON.stringify(details)}`)
  }
  return { lines, debug: remember, info: remember, warn: remember, error: remember }
}

/** Counts nothing: every password is tried at once. */
export const uncounted: BindThrottle = (_attempt, check) => check()

export const temporaryFolder = async (t: Test): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'steward-ldapd-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export interface TestDirectory extends EmbeddedDirectory {
  baseDn: string
  bindDn: string
  bindPassword: string
  folder: string
}

/** On a free port, with our identity as its root; wrong passwords are not counted. */
export const defaults = (): Omit<EmbeddedDirectoryOptions, 'folder'> => ({
  port: 0,
  baseDn: identity.baseDn,
  rootDn: identity.bindDn,
  rootPassword: identity.bindPassword,
  throttleBind: uncounted,
  log: rememberingLog(),
})

/** Starts the embedded directory on a free port in a folder that is gone after the test. */
export const testEmbeddedDirectory = async (
  t: Test,
  options: Partial<EmbeddedDirectoryOptions> = {},
): Promise<TestDirectory> => {
  const folder = options.folder ?? (await temporaryFolder(t))
  const directory = await openEmbeddedDirectory({
    folder,
    ...defaults(),
    ...options,
  })
  let closed: Promise<void> | null = null
  const close = (): Promise<void> => {
    closed ??= directory.close()
    return closed
  }
  t.teardown(close)
  return { ...directory, ...identity, folder, close }
}
