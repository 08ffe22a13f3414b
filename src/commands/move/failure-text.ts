import { sqlStateOf } from '../../db/sql-state.ts'
import { isConnectionLost } from '../../db/unavailable.ts'
import { ConfigError } from '../../errors.ts'
import { errorRecord } from '../../log.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import { TransferError } from './transfer.ts'

const unchanged =
  'The source is as it was. The target cannot be used until the move was repeated: run the same command again.'

/** What went wrong. The database's own message is left out, because it may contain values of people. */
export const failureText = (error: unknown): string => {
  if (error instanceof UsageError || error instanceof ConfigError) return error.message
  if (error instanceof TransferError) return `The move failed: ${error.message}. ${unchanged}`
  const state = sqlStateOf(error)
  if (state === '53100') return `The move failed: the disk of the target is full. ${unchanged}`
  if (isConnectionLost(error)) return `The move failed: the connection to a database was lost. ${unchanged}`
  if (state !== null) return `The move failed: a database refused a statement (SQLSTATE ${state}). ${unchanged}`
  return `The move failed: ${errorRecord(error).message}. ${unchanged}`
}
