import { inTime } from '../../concurrency/in-time.ts'
import { ConfigError } from '../../failures/errors.ts'
import { type Directory, DirectoryError, type DirectoryOptions, openDirectory } from '../../ldap/directory.ts'
import { misfitOf } from '../entry/active-directory-fit.ts'
import { readSchema } from '../entry/directory-schema.ts'
import { memberOfIn, memberOfLacking } from '../entry/member-of.ts'
import { lacksNtHash, ntHashLacking } from '../entry/nt-hash.ts'
import { posixGroupStructural } from '../entry/posix.ts'
import { mainDirectory } from '../touch.ts'

/** Settings that the schema of a directory may rule out. */
interface SchemaNeeds {
  memberOf: boolean
  ntHash: boolean
  posixGroups: boolean
}

/** Milliseconds that the start waits for a server to be asked what it can do; one that is away is asked later. */
const startTimeout = 3000

/**
 * Opens the connections to a directory.
 * @throws ConfigError if the server can be asked, and does not fit the settings; then they are closed
 */
export const openFitting = async (
  options: DirectoryOptions,
  number: number,
  wanted: SchemaNeeds,
): Promise<Directory> => {
  const directory = openDirectory(options)
  const prefix = number === mainDirectory ? 'LDAP' : `LDAP_${number}`
  try {
    await requireFit(directory, prefix)
    await requireOfSchema(directory, prefix, wanted)
    return directory
  } catch (error) {
    await directory.close()
    throw error
  }
}

/** @throws ConfigError if the server can be asked, and is not what the settings say */
const requireFit = async (directory: Directory, prefix: string): Promise<void> => {
  const asked = misfitOf(directory).catch((error: unknown) => {
    if (error instanceof DirectoryError) return null
    throw error
  })
  const misfit = await inTime(startTimeout, asked, () => null)
  if (misfit !== null) throw new ConfigError([misfit.replace(/^LDAP/, prefix)])
}

/** @throws ConfigError if the server can be asked, and its schema rules out what the settings want */
const requireOfSchema = async (directory: Directory, prefix: string, wanted: SchemaNeeds): Promise<void> => {
  if (!Object.values(wanted).includes(true)) return
  const asked = readSchema(directory).then(
    (schema) => [
      ...(wanted.memberOf && memberOfIn(schema) === 'lacking' ? [`${prefix}_MEMBER_OF: ${memberOfLacking}`] : []),
      ...(wanted.ntHash && lacksNtHash(schema) ? [`${prefix}_NT_HASH: ${ntHashLacking}`] : []),
      ...(wanted.posixGroups && schema?.objectClass('posixGroup')?.auxiliary === false
        ? [`${prefix}_GROUP_CLASS: ${posixGroupStructural}`]
        : []),
    ],
    (error: unknown) => {
      if (error instanceof DirectoryError) return []
      throw error
    },
  )
  const problems = await inTime(startTimeout, asked, () => [])
  if (problems.length > 0) throw new ConfigError(problems)
}
