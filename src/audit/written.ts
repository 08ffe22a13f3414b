import { inTime } from '../concurrency/in-time.ts'
import type { OperationLog } from './writer.ts'

/** Milliseconds a list waits for entries that are being written. */
const timeout = 2000

/** Waits until the entries of earlier requests are written; while they cannot be, a list is read without them. */
export const writeWhatCanBe = (operationLog: Pick<OperationLog, 'flush'>): Promise<void> =>
  inTime(
    timeout,
    operationLog.flush().catch(() => {}),
    () => {},
  )
