import { existsSync } from 'node:fs'
import { join } from 'node:path'

const firstExisting = (paths: readonly string[]): string | null => paths.find(existsSync) ?? null

/** Where distributions put slapd, which is rarely on the PATH of an ordinary user. */
export const slapdBinary = firstExisting(
  [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/libexec', '/usr/lib/openldap', '/usr/local/libexec']
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, 'slapd')),
)

export const moduleFolder = firstExisting([
  '/usr/lib/ldap',
  '/usr/lib64/openldap',
  '/usr/lib/openldap',
  '/usr/libexec/openldap',
])

export const schemaFolder = firstExisting([
  '/etc/ldap/schema',
  '/etc/openldap/schema',
  '/usr/local/etc/openldap/schema',
])

/** Whether this machine can run a real slapd. */
export const slapdAvailable = slapdBinary !== null && moduleFolder !== null && schemaFolder !== null

/** Whether this machine has a loadable module of that name (pw-pbkdf2 comes in a package of its own, slapd-contrib). */
export const hasModule = (name: string): boolean =>
  moduleFolder !== null && [`${name}.so`, `${name}.la`].some((file) => existsSync(join(moduleFolder, file)))

/**
 * For the `skip` option of a test that needs slapd: the visible reason where it is missing, else false.
 * With REQUIRE_SERVERS=1 nothing is skipped, so that the test fails where slapd is missing.
 */
export const skipWithoutSlapd: string | false =
  slapdAvailable || process.env.REQUIRE_SERVERS === '1' ? false : 'slapd is not installed'

/** Whether passwords of this scheme are tried on slapd; with REQUIRE_SERVERS=1 they are, whatever is installed. */
export const isTried = (needs: string | undefined): boolean =>
  needs === undefined || hasModule(needs) || process.env.REQUIRE_SERVERS === '1'
