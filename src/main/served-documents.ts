import type { Config } from '../config/config.ts'
import { type Mounted, mounted } from '../contract/mount.ts'
import { dietHandlers } from '../diet/diet-handlers.ts'
import { dietDocument } from '../generated/diet.ts'
import { directoryDocument } from '../generated/directory.ts'
import { operationsDocument } from '../generated/operations.ts'
import { securityDocument } from '../generated/security.ts'
import { type DirectoryOptions, directoryHandlers } from './directory-handlers.ts'
import { type OperationsOptions, operationsHandlers } from './operations-handlers.ts'
import { type SecurityOptions, securityHandlers } from './security-handlers.ts'

type RoomsOptions = DirectoryOptions & OperationsOptions & SecurityOptions & { config: Config }

/** The four documents, each with the handlers of its operations. */
export const servedDocuments = (rooms: RoomsOptions): Mounted[] => {
  const { db, config, now } = rooms
  return [
    mounted(directoryDocument, directoryHandlers(rooms)),
    mounted(operationsDocument, operationsHandlers(rooms)),
    mounted(securityDocument, securityHandlers(rooms)),
    mounted(dietDocument, dietHandlers({ ...config, db, ...(now && { now }) })),
  ]
}
