import { resultCodes } from '../ldap/result-code.ts'
import type { BoundSessions } from './authentication/bound-sessions.ts'
import { checkMayWrite, nameOf } from './identity.ts'
import { type BindDependencies, bind } from './operations/bind.ts'
import { compare } from './operations/compare.ts'
import { type ExtendedDependencies, extended } from './operations/extended.ts'
import { passwordModifyOid } from './operations/password-modify.ts'
import { type SearchDependencies, type Searcher, search } from './operations/search.ts'
import { write } from './operations/write.ts'
import { readRequestControls } from './protocol/control.ts'
import type { Result } from './protocol/reply.ts'
import type { BindRequest, Control, Request } from './protocol/request.ts'
import { LdapError } from './result.ts'
import type { Session } from './session.ts'
import type { Storage } from './storage/storage.ts'

export interface DirectoryDependencies extends BindDependencies, SearchDependencies, ExtendedDependencies {
  storage: Storage
  bound: BoundSessions
}

/** Carries out operations, independent of the transport. */
export interface DirectoryService {
  /**
   * @param read decodes the request; called when it is the session's turn
   * @returns the result; entries of a search went to `emit` before
   * @throws LdapError for every result but success
   */
  serve(
    session: Session,
    read: () => Request,
    controls: readonly Control[],
    searcher: Pick<Searcher, 'signal' | 'emit'>,
  ): Promise<Result>
  /** Waits until it is the session's turn; `serve` does so, too. */
  turn(session: Session): Promise<void>
  /** Called when the connection has ended. */
  forget(session: Session): void
}

export const directoryService = (dependencies: DirectoryDependencies): DirectoryService => {
  const { storage, turns, bound } = dependencies

  const forget = (session: Session): void => {
    const { identity } = session
    session.identity = null
    session.pages.clear()
    if (identity && !identity.root) bound.remove(identity.id, session)
  }

  const turn = async (session: Session): Promise<void> => {
    const { identity } = session
    // Each connection without a name has a share of its own: the binds of all others would wait for its requests.
    if (!identity?.root) await turns.next(identity === null ? session : nameOf(identity))
  }

  const bindSession = async (session: Session, request: BindRequest): Promise<Result> => {
    forget(session)
    await bind(dependencies, request, session, (identity) => {
      if (session.ended) throw new LdapError(resultCodes.other, 'abandoned')
      if (identity && !identity.root) bound.add(identity, session)
      session.identity = identity
    })
    return { code: resultCodes.success }
  }

  /** A new password ends the connections of its entry: the one that it came over ends after its answer. */
  const changingOwn = (session: Session, change: () => Promise<Result>): Promise<Result> => {
    const { identity } = session
    return !identity || identity.root ? change() : bound.changing(identity.id, session, change)
  }

  return {
    forget,
    turn,
    async serve(session, read, controls, { signal, emit }) {
      await turn(session)
      if (signal.aborted) throw new LdapError(resultCodes.other, 'abandoned')
      const request = read()
      // While the disk fails, memory may be ahead of it: no response may show what a crash would lose.
      if (storage.broken) await storage.ready()
      const { paging, sorting, postRead } = readRequestControls(controls, request)
      switch (request.kind) {
        case 'bind':
          return bindSession(session, request)
        case 'search':
          return search(dependencies, request, { ...session, paging, sorting, signal, emit })
        case 'write':
          checkMayWrite(session.identity)
          return write(dependencies, request.change, session.identity, postRead)
        case 'compare':
          return compare(dependencies, request, session.identity, signal)
        case 'extended':
          return request.oid === passwordModifyOid
            ? changingOwn(session, () => extended(dependencies, request, session.identity, session.address))
            : extended(dependencies, request, session.identity, session.address)
      }
    },
  }
}
