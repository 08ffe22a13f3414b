import { checkMayRead, type Identity, mayRead } from '../access.ts'
import { candidates } from '../candidates.ts'
import { type Paging, pagedResultsControl } from '../control.ts'
import type { Attribute } from '../entry.ts'
import { findEntry } from '../locate.ts'
import { evaluate } from '../match.ts'
import type { OpenPages, Progress } from '../open-pages.ts'
import type { Result } from '../reply.ts'
import type { SearchRequest } from '../request.ts'
import { LdapError, resultCode } from '../result.ts'
import { selectAttributes } from '../selection.ts'
import type { DirectoryTree } from '../tree.ts'
import type { EntryView, entryViews } from '../view.ts'

export interface SearchDependencies {
  tree: DirectoryTree
  views: ReturnType<typeof entryViews>
  rootDse: EntryView
}

export interface Searcher {
  identity: Identity
  pages: OpenPages
  paging: Paging | null
  /** Aborted when the search is abandoned or its connection is gone. */
  signal: AbortSignal
  /** Sends one entry; resolves when the connection takes more. */
  emit(dn: string, attributes: Iterable<Attribute>): Promise<void> | undefined
}

/** Entries looked at in a row before others get their turn. */
const stride = 500
const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const searchTree = async (
  { tree, views }: SearchDependencies,
  request: SearchRequest,
  { identity, pages, paging, signal, emit }: Searcher,
): Promise<Result> => {
  const progress: Progress = paging?.cookie
    ? pages.resume(paging.cookie)
    : {
        candidates: candidates(tree, findEntry(tree, request.base), request.scope, request.filter),
        ahead: null,
        sent: 0,
      }
  const visible = mayRead(identity)
  const select = selectAttributes(request.attributes, visible)
  const deadline = request.timeLimit > 0 ? Date.now() + request.timeLimit * 1000 : Number.POSITIVE_INFINITY
  const pageEnd = paging && paging.size > 0 ? progress.sent + paging.size : Number.POSITIVE_INFINITY
  const end = (code: Result['code'], cookie = ''): Result => ({
    code,
    ...(paging && { controls: [pagedResultsControl(cookie)] }),
  })

  for (let looked = 1; ; looked += 1) {
    if (looked % stride === 0) await breathe()
    if (signal.aborted) throw new LdapError(resultCode.other, 'abandoned')
    if (Date.now() > deadline) return end(resultCode.timeLimitExceeded)
    const candidate = progress.ahead ?? progress.candidates.next().value
    progress.ahead = null
    if (!candidate) return end(resultCode.success)
    // What was found before a rest may have changed, or be gone.
    const entry = tree.byId(candidate.id)
    if (!entry) continue
    const view = views(entry)
    if (!evaluate(request.filter, view, visible)) continue
    if (request.sizeLimit > 0 && progress.sent >= request.sizeLimit) return end(resultCode.sizeLimitExceeded)
    if (progress.sent >= pageEnd) {
      progress.ahead = entry
      return end(resultCode.success, pages.keep(progress))
    }
    progress.sent += 1
    await emit(view.dn, select(view))
  }
}

/**
 * Answers a search (RFC 4511 section 4.5), or one page of it (RFC 2696). Everybody may read the root DSE.
 * @throws LdapError where there is nothing to search
 */
export const search = async (
  dependencies: SearchDependencies,
  request: SearchRequest,
  searcher: Searcher,
): Promise<Result> => {
  const { identity, paging, pages, emit } = searcher
  if (request.base === '' && request.scope === 'base') {
    const { rootDse } = dependencies
    const visible = mayRead(identity)
    if (evaluate(request.filter, rootDse, visible)) {
      await emit('', selectAttributes(request.attributes, visible)(rootDse))
    }
    return { code: resultCode.success }
  }
  checkMayRead(identity)
  if (paging?.size === 0 && paging.cookie !== '') {
    pages.drop(paging.cookie)
    return { code: resultCode.success, controls: [pagedResultsControl('')] }
  }
  return searchTree(dependencies, request, searcher)
}
