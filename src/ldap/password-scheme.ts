import { createHash, pbkdf2, randomBytes, randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { hash } from '@node-rs/argon2'
import type { PasswordScheme } from '../config.ts'
import type { Logger } from '../log.ts'
import { openConnection } from './connection-open.ts'
import { type DirectoryOptions, openDirectory } from './directory.ts'
import { DirectoryError } from './directory-error.ts'
import { parseDn, rdn } from './dn.ts'
import { startsWith } from './filter.ts'
import { peopleDn } from './places.ts'
import { resultCodes } from './result-code.ts'

const derive = promisify(pbkdf2)
const pbkdf2Iterations = 210_000

/** As slapd's pw-pbkdf2 module reads it: no padding, `.` for `+`. */
const adaptedBase64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('+', '.').replaceAll('=', '')

/**
 * The value of `userPassword`: a hash that the directory itself verifies at a bind.
 * @param argon2Hash the PHC text of the same password, which `argon2` passes on as it is
 */
export const directoryPassword = async (
  scheme: PasswordScheme,
  password: string,
  argon2Hash: string,
): Promise<string> => {
  switch (scheme) {
    case 'argon2':
      return `{ARGON2}${argon2Hash}`
    case 'pbkdf2-sha512': {
      const salt = randomBytes(16)
      const key = await derive(password, salt, pbkdf2Iterations, 64, 'sha512')
      return `{PBKDF2-SHA512}${pbkdf2Iterations}$${adaptedBase64(salt)}$${adaptedBase64(key)}`
    }
    case 'ssha512': {
      const salt = randomBytes(16)
      const digest = createHash('sha512').update(password).update(salt).digest()
      return `{SSHA512}${Buffer.concat([digest, salt]).toString('base64')}`
    }
  }
}

const advice: Readonly<Record<PasswordScheme, string>> = {
  argon2: 'the directory cannot verify {ARGON2} hashes: load its argon2 module, or set LDAP_PASSWORD_SCHEME=ssha512',
  'pbkdf2-sha512':
    'the directory cannot verify {PBKDF2-SHA512} hashes: load its pw-pbkdf2 module, or set LDAP_PASSWORD_SCHEME=argon2',
  ssha512: 'the directory cannot verify {SSHA512} hashes: load its pw-sha2 module, or set LDAP_PASSWORD_SCHEME=argon2',
}

const drop = (): void => {}
const silent: Logger = { debug: drop, info: drop, warn: drop, error: drop }

/** A probe carries the time it was made in its name, so that one left by a crash is told from one under way. */
const probeName = 'steward-password-probe-'
const abandonedAfter = 600_000

/** Whether this is the entry of a probe, here for a moment. */
export const isProbe = (dn: string): boolean => dn.startsWith(`cn=${probeName}`)

export interface Probed {
  /** Whether we are shown `userPassword` as we wrote it, so that it can be compared. */
  readable: boolean
}

/**
 * Tries whether people could sign in: a temporary entry with a password hash of its own, a bind with the right and
 * one with a wrong password, and it is gone again. A server without the scheme's module answers every bind with
 * "invalid credentials", and nothing else would tell. Needs the layout.
 * @throws DirectoryError `unavailable` when the directory cannot be asked
 */
export const probePasswordScheme = async (
  options: Omit<DirectoryOptions, 'log'>,
  scheme: PasswordScheme,
): Promise<Probed & ({ ok: true } | { ok: false; reason: string })> => {
  const directory = openDirectory({ ...options, log: silent })
  const people = peopleDn(options.baseDn)
  const name = `${probeName}${Date.now()}-${randomUUID()}`
  const dn = `${rdn('cn', name)},${people}`
  const password = randomBytes(18).toString('base64')

  const accepts = async (bindPassword: string): Promise<boolean> => {
    try {
      const connection = await openConnection({ ...options, bindDn: dn, bindPassword })
      connection.close()
      return true
    } catch (error) {
      if (error instanceof DirectoryError && error.code === resultCodes.invalidCredentials) return false
      throw error
    }
  }
  const remove = (dn: string): Promise<void> =>
    directory.write({ kind: 'delete', dn }).catch((error: unknown) => {
      if (!(error instanceof DirectoryError) || error.code !== resultCodes.noSuchObject) throw error
    })
  const removeAbandoned = async (): Promise<void> => {
    const found = directory.search(people, { scope: 'one', filter: startsWith('cn', probeName), attributes: [] })
    for await (const page of found) {
      for (const entry of page) {
        const madeAt = Number.parseInt(parseDn(entry.dn)[0]?.[0]?.value.slice(probeName.length) ?? '', 10)
        if (madeAt < Date.now() - abandonedAfter) await remove(entry.dn)
      }
    }
  }

  try {
    await removeAbandoned()
    const userPassword = [await directoryPassword(scheme, password, await hash(password))]
    await directory.write({
      kind: 'add',
      dn,
      attributes: { objectClass: ['top', 'person'], cn: [name], sn: ['probe'], userPassword },
    })
    try {
      const shown = await directory.read(dn, ['userPassword'])
      const readable = shown?.attributes.userPassword?.[0] === userPassword[0]
      if (!(await accepts(password))) return { ok: false, readable, reason: advice[scheme] }
      if (await accepts(`${password}.`)) {
        return { ok: false, readable, reason: 'the directory accepts any password for an entry of ours' }
      }
      return { ok: true, readable }
    } finally {
      await remove(dn)
    }
  } catch (error) {
    if (!(error instanceof DirectoryError) || error.kind === 'unavailable') throw error
    return {
      ok: false,
      readable: false,
      reason: `the directory refused the password check's temporary entry: ${error.message}`,
    }
  } finally {
    await directory.close()
  }
}
