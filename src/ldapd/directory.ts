import { checkMayWrite, type Identity } from './access.ts'
import { readRequestControls } from './control.ts'
import type { OpenPages } from './open-pages.ts'
import { type BindDependencies, bind } from './operations/bind.ts'
import { compare } from './operations/compare.ts'
import { extended } from './operations/extended.ts'
import { type SearchDependencies, type Searcher, search } from './operations/search.ts'
import type { Result } from './reply.ts'
import type { Control, Request } from './request.ts'
import { resultCode } from './result.ts'
import type { Storage } from './storage.ts'

/** What the directory knows of a connection. */
export interface Session {
  identity: Identity
  pages: OpenPages
}

export interface DirectoryDependencies extends BindDependencies, SearchDependencies {
  storage: Storage
}

/**
 * Carries out operations, whatever they come over.
 * @returns how it ended; entries of a search went to `emit` before
 * @throws LdapError for every other end
 */
export const directoryService =
  (dependencies: DirectoryDependencies) =>
  async (
    session: Session,
    request: Request,
    controls: readonly Control[],
    { signal, emit }: Pick<Searcher, 'signal' | 'emit'>,
  ): Promise<Result> => {
    const { storage } = dependencies
    // While the disk fails, memory may be ahead of it: nothing is answered that a crash could take back.
    if (storage.broken) await storage.ready()
    const { paging } = readRequestControls(controls, request.kind)
    switch (request.kind) {
      case 'bind':
        session.identity = null
        session.pages.clear()
        session.identity = await bind(dependencies, request)
        return { code: resultCode.success }
      case 'search':
        return search(dependencies, request, { ...session, paging, signal, emit })
      case 'write':
        checkMayWrite(session.identity)
        await storage.write(request.change)
        return { code: resultCode.success }
      case 'compare':
        return compare(dependencies, request, session.identity)
      case 'extended':
        return extended(request, session.identity)
    }
  }

export type DirectoryService = ReturnType<typeof directoryService>
