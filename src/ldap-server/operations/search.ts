import { resultCodes } from '../../ldap/result-code.ts'
import { steadyTime } from '../../runtime/clock.ts'
import type { Attribute, StoredEntry } from '../entries/entry.ts'
import type { DirectoryTree } from '../entries/tree.ts'
import type { EntryView, entryViews } from '../entries/view.ts'
import { checkMayRead, type Identity, nameOf, serverEntryOf } from '../identity.ts'
import type { Limits } from '../limits.ts'
import { type Paging, pagedResultsControl } from '../protocol/control.ts'
import type { Result } from '../protocol/reply.ts'
import type { SearchRequest } from '../protocol/request.ts'
import { type Sorting, sortResultControl } from '../protocol/sort-control.ts'
import { LdapError } from '../result.ts'
import type { Rights } from '../rights.ts'
import type { FairQueue } from '../scheduling/fair-queue.ts'
import type { Turns } from '../scheduling/turns.ts'
import { meteredWork, type Work } from '../scheduling/work.ts'
import { candidates } from '../search/candidates.ts'
import { matches } from '../search/match.ts'
import type { OpenPages, Progress } from '../search/open-pages.ts'
import { selectAttributes } from '../search/selection.ts'
import { openSort, SortError } from '../search/sort.ts'

export interface SearchDependencies {
  tree: DirectoryTree
  views: ReturnType<typeof entryViews>
  rights: Rights
  rootDse: EntryView
  subschema: EntryView
  turns: Turns
  /** Where searches that are sorted wait: each has all its entries in memory until it has been sorted. */
  sorts: FairQueue
  limits: Pick<Limits, 'searchWork' | 'entries' | 'sortedEntries'>
}

export interface Searcher {
  identity: Identity
  pages: OpenPages
  paging: Paging | null
  sorting: Sorting | null
  /** Aborted when the search is abandoned or its connection is gone. */
  signal: AbortSignal
  /** Sends one entry; resolves when the connection accepts more. */
  emit(dn: string, attributes: Iterable<Attribute>): Promise<void> | undefined
}

/** The view of an entry that is in the answer; null for another entry. */
const answerOf = async (
  { rights, views }: SearchDependencies,
  { filter }: SearchRequest,
  identity: Identity,
  entry: StoredEntry,
  work: Work,
): Promise<EntryView | null> => {
  // First: how long a filter takes would tell what is in an entry that the reader does not see.
  if (!(await rights.sees(identity, entry, work))) return null
  const mayRead = rights.mayRead(identity)
  const view = views(entry, mayRead)
  return (await matches(filter, view, mayRead, work)) ? view : null
}

/** The entries of a search, in no order. */
const candidatesOf = async (
  { tree, rights }: SearchDependencies,
  { base, scope, filter }: SearchRequest,
  identity: Identity,
  work: Work,
): Promise<Progress['candidates']> => candidates(tree, await rights.find(identity, base, work), scope, filter)

/** The entries that match, sorted; they are tested again when they are sent, because they may change meanwhile. */
const sortedCandidates = async (
  dependencies: SearchDependencies,
  request: SearchRequest,
  { identity, signal, sorting }: Searcher & { sorting: Sorting },
  work: Work,
): Promise<Progress['candidates']> => {
  const { limits, rights } = dependencies
  const mayRead = rights.mayRead(identity)
  const max = identity?.root ? Number.POSITIVE_INFINITY : limits.sortedEntries
  const sort = openSort<StoredEntry>(sorting, { max, mayRead, work })
  const all = await candidatesOf(dependencies, request, identity, work)
  for (let next = all.next(); !next.done; next = all.next()) {
    work.spend(1)
    if (work.due) await work.rest()
    if (signal.aborted) throw new LdapError(resultCodes.other, 'abandoned')
    const view = await answerOf(dependencies, request, identity, next.value, work)
    if (view !== null) sort.add(next.value, view)
  }
  return (await sort.sorted()).values() as Iterator<StoredEntry, void>
}

/**
 * Begins a search, sorted where it is asked for. A sort that is not possible fails where it is critical, and else the
 * answer says why it is not sorted (RFC 2891 section 2).
 */
const beginSearch = async (
  dependencies: SearchDependencies,
  request: SearchRequest,
  searcher: Searcher,
  work: Work,
): Promise<{ candidates: Progress['candidates']; controls: Buffer[] }> => {
  const { sorting, identity } = searcher
  if (sorting === null) return { candidates: await candidatesOf(dependencies, request, identity, work), controls: [] }
  const sort = () => sortedCandidates(dependencies, request, { ...searcher, sorting }, work)
  try {
    const candidates = identity?.root ? await sort() : await dependencies.sorts(nameOf(identity), sort)
    return { candidates, controls: [sortResultControl(resultCodes.success)] }
  } catch (error) {
    if (!(error instanceof SortError)) throw error
    const controls = [sortResultControl(error.code, error.attribute)]
    if (sorting.critical) {
      throw new LdapError(resultCodes.unavailableCriticalExtension, error.message, '', controls)
    }
    return { candidates: await candidatesOf(dependencies, request, identity, work), controls }
  }
}

/** How many entries a search may answer, and the result code where there are more. */
const sizeOf = (request: SearchRequest, { identity, paging }: Searcher, { entries }: Pick<Limits, 'entries'>) => {
  const asked = request.sizeLimit > 0 ? request.sizeLimit : Number.POSITIVE_INFINITY
  // Page by page a client may read everything: each page is bounded, and the next one is sent when it is asked for.
  if (identity?.root || paging) return { max: asked, beyond: resultCodes.sizeLimitExceeded }
  if (request.sizeLimit === 0) return { max: entries, beyond: resultCodes.sizeLimitExceeded }
  return asked > entries
    ? { max: entries, beyond: resultCodes.adminLimitExceeded }
    : { max: asked, beyond: resultCodes.sizeLimitExceeded }
}

/** Entries that one page may have; infinite where the search has no pages. */
const pageSizeOf = ({ identity, paging }: Searcher, { entries }: Pick<Limits, 'entries'>): number => {
  if (paging === null) return Number.POSITIVE_INFINITY
  // Without a size of its own the client takes a page as the server makes it: that is bounded, too.
  const asked = paging.size || Number.POSITIVE_INFINITY
  return identity?.root ? asked : Math.min(asked, entries)
}

const searchTree = async (
  dependencies: SearchDependencies,
  request: SearchRequest,
  searcher: Searcher,
  work: Work,
): Promise<Result> => {
  const { tree, limits } = dependencies
  const { identity, pages, paging, signal, emit } = searcher
  const selection = selectAttributes(request.attributes)
  const deadline = request.timeLimit > 0 ? steadyTime() + request.timeLimit * 1000 : Number.POSITIVE_INFINITY
  const begun = paging?.cookie ? null : await beginSearch(dependencies, request, searcher, work)
  const progress: Progress = begun
    ? { candidates: begun.candidates, ahead: null, sent: 0, controls: begun.controls }
    : pages.resume(paging?.cookie ?? '')
  const size = sizeOf(request, searcher, limits)
  const pageEnd = progress.sent + pageSizeOf(searcher, limits)
  const end = (code: Result['code'], cookie = ''): Result => ({
    code,
    controls: [...progress.controls, ...(paging ? [pagedResultsControl(cookie)] : [])],
  })

  for (;;) {
    work.spend(1)
    if (work.due) await work.rest()
    if (signal.aborted) throw new LdapError(resultCodes.other, 'abandoned')
    if (steadyTime() > deadline) return end(resultCodes.timeLimitExceeded)
    const candidate = progress.ahead ?? progress.candidates.next().value
    progress.ahead = null
    if (!candidate) return end(resultCodes.success)
    // A candidate that was found before a pause may have changed or be deleted.
    const entry = tree.byId(candidate.id)
    if (!entry) continue
    const view = await answerOf(dependencies, request, identity, entry, work)
    if (view === null) continue
    if (progress.sent >= size.max) return end(size.beyond)
    if (progress.sent >= pageEnd) {
      progress.ahead = entry
      return end(resultCodes.success, pages.keep(nameOf(identity), progress))
    }
    progress.sent += 1
    const attributes = [...selection.of(view)]
    work.spend(attributes.reduce((cost, { values }) => cost + values.size, selection.cost))
    await emit(view.dn, attributes)
  }
}

/** The entries that the server generates about itself. They are public, because clients read them before they bind. */
const serverEntryAt = (dependencies: SearchDependencies, { base, scope }: SearchRequest): EntryView | null => {
  const own = scope === 'base' ? serverEntryOf(base) : null
  return own && dependencies[own]
}

/**
 * Answers a search (RFC 4511 section 4.5), or one page of it (RFC 2696).
 * @throws LdapError where the base does not exist, or the search costs too much
 */
export const search = async (
  dependencies: SearchDependencies,
  request: SearchRequest,
  searcher: Searcher,
): Promise<Result> => {
  const { identity, paging, pages, signal, emit } = searcher
  const { turns, limits, rights } = dependencies
  const max = identity?.root ? Number.POSITIVE_INFINITY : limits.searchWork
  const work = meteredWork({ turns, who: nameOf(identity), max, signal })
  const own = serverEntryAt(dependencies, request)
  if (own) {
    const selection = selectAttributes(request.attributes)
    if (await matches(request.filter, own, rights.mayRead(identity), work)) await emit(own.dn, selection.of(own))
    return { code: resultCodes.success }
  }
  checkMayRead(identity)
  if (paging?.size === 0 && paging.cookie !== '') {
    pages.drop(paging.cookie)
    return { code: resultCodes.success, controls: [pagedResultsControl('')] }
  }
  await rights.prepare(identity)
  return searchTree(dependencies, request, searcher, work)
}
