import { SourceError } from '../../backups/tables/source-error.ts'
import { DiskFullError, lackOfSpace } from '../../db/embedded/free-space.ts'
import { sqlStateOf } from '../../db/sql-state.ts'
import { isConnectionLost } from '../../db/unavailable.ts'
import { ConfigError } from '../../failures/errors.ts'
import { errorRecord } from '../../runtime/log.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import { TransferError } from './transfer.ts'

const unchanged =
  'The source is as it was. The target cannot be used until the move was repeated: run the same command again.'

const unchangedWhenFull =
  'The source is as it was. The target cannot be used until the move was repeated: make space, and run the same command again.'

/** Where the move is from and to, without passwords, and the folders of this machine that databases are in. */
export interface Place {
  source: string
  target: string
  folders: readonly string[]
}

/**
 * What went wrong. The database's own message is left out, because it may contain values of people.
 * @param place null: it is not known yet
 */
export const failureText = (error: unknown, place: Place | null): string => {
  if (error instanceof DiskFullError) return `The move failed: ${error.lack}. ${unchangedWhenFull}`
  if (error instanceof UsageError || error instanceof ConfigError) return error.message
  if (error instanceof TransferError) return `The move failed: ${error.message}. ${unchanged}`
  // An embedded database that cannot write its log ends, whatever it could say.
  const [full] = place?.folders.map(lackOfSpace).filter((each) => each !== null) ?? []
  if (full !== undefined) return `The move failed: ${full}. ${unchangedWhenFull}`
  const state = sqlStateOf(error)
  if (state === '53100') {
    const end = error instanceof SourceError ? 'source' : 'target'
    return `The move failed: the disk of the ${end}, ${place?.[end]}, is full. ${unchangedWhenFull}`
  }
  if (isConnectionLost(error)) {
    return `The move failed: the connection to a database was lost; the log of its server says why. ${unchanged}`
  }
  if (state !== null) return `The move failed: a database refused a statement (SQLSTATE ${state}). ${unchanged}`
  return `The move failed: ${errorRecord(error).message}. ${unchanged}`
}
