import { checkMayRead, type Identity, mayRead, nameOf } from '../access.ts'
import { candidates } from '../candidates.ts'
import { type Paging, pagedResultsControl } from '../control.ts'
import type { Attribute } from '../entry.ts'
import type { Filter } from '../filter.ts'
import { findEntry } from '../locate.ts'
import { evaluate } from '../match.ts'
import type { OpenPages, Progress } from '../open-pages.ts'
import type { Result } from '../reply.ts'
import type { SearchRequest } from '../request.ts'
import { LdapError, resultCode } from '../result.ts'
import { subschemaDn } from '../schema/subschema.ts'
import { selectAttributes } from '../selection.ts'
import type { DirectoryTree } from '../tree.ts'
import type { Turns } from '../turns.ts'
import type { EntryView, entryViews } from '../view.ts'
import { meteredWork, type Work } from '../work.ts'

export interface SearchDependencies {
  tree: DirectoryTree
  views: ReturnType<typeof entryViews>
  rootDse: EntryView
  subschema: EntryView
  turns: Turns
  /** Comparisons that a search may make; the root DN has no limit. */
  searchWork: number
}

export interface Searcher {
  identity: Identity
  pages: OpenPages
  paging: Paging | null
  /** Aborted when the search is abandoned or its connection is gone. */
  signal: AbortSignal
  /** Sends one entry; resolves when the connection accepts more. */
  emit(dn: string, attributes: Iterable<Attribute>): Promise<void> | undefined
}

/** Whether the filter is true for an entry; other searches get their turns meanwhile. */
const matches = async (
  filter: Filter,
  view: EntryView,
  visible: (attribute: Pick<Attribute, 'type'>) => boolean,
  work: Work,
): Promise<boolean> => {
  const steps = evaluate(filter, view, visible, work)
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value === true
    await work.rest()
  }
}

const searchTree = async (
  { tree, views }: SearchDependencies,
  request: SearchRequest,
  { identity, pages, paging, signal, emit }: Searcher,
  work: Work,
): Promise<Result> => {
  const visible = mayRead(identity)
  const selection = selectAttributes(request.attributes, visible)
  const progress: Progress = paging?.cookie
    ? pages.resume(paging.cookie)
    : {
        candidates: candidates(tree, findEntry(tree, request.base), request.scope, request.filter),
        ahead: null,
        sent: 0,
      }
  const deadline = request.timeLimit > 0 ? Date.now() + request.timeLimit * 1000 : Number.POSITIVE_INFINITY
  const pageEnd = paging && paging.size > 0 ? progress.sent + paging.size : Number.POSITIVE_INFINITY
  const end = (code: Result['code'], cookie = ''): Result => ({
    code,
    ...(paging && { controls: [pagedResultsControl(cookie)] }),
  })

  for (;;) {
    work.spend(1)
    if (work.due) await work.rest()
    if (signal.aborted) throw new LdapError(resultCode.other, 'abandoned')
    if (Date.now() > deadline) return end(resultCode.timeLimitExceeded)
    const candidate = progress.ahead ?? progress.candidates.next().value
    progress.ahead = null
    if (!candidate) return end(resultCode.success)
    // A candidate that was found before a pause may have changed or be deleted.
    const entry = tree.byId(candidate.id)
    if (!entry) continue
    const view = views(entry)
    if (!(await matches(request.filter, view, visible, work))) continue
    if (request.sizeLimit > 0 && progress.sent >= request.sizeLimit) return end(resultCode.sizeLimitExceeded)
    if (progress.sent >= pageEnd) {
      progress.ahead = entry
      return end(resultCode.success, pages.keep(nameOf(identity), progress))
    }
    progress.sent += 1
    const attributes = [...selection.of(view)]
    work.spend(attributes.reduce((cost, { values }) => cost + values.size, selection.cost))
    await emit(view.dn, attributes)
  }
}

/** The entries that the server generates about itself. They are public, because clients read them before they bind. */
const serverEntryAt = ({ rootDse, subschema }: SearchDependencies, { base, scope }: SearchRequest) => {
  if (scope !== 'base') return null
  if (base === '') return rootDse
  return base.toLowerCase() === subschemaDn.toLowerCase() ? subschema : null
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
  const { turns, searchWork } = dependencies
  const most = identity?.root ? Number.POSITIVE_INFINITY : searchWork
  const work = meteredWork({ turns, who: nameOf(identity), most, signal })
  const own = serverEntryAt(dependencies, request)
  if (own) {
    const visible = mayRead(identity)
    const selection = selectAttributes(request.attributes, visible)
    if (await matches(request.filter, own, visible, work)) await emit(own.dn, selection.of(own))
    return { code: resultCode.success }
  }
  checkMayRead(identity)
  if (paging?.size === 0 && paging.cookie !== '') {
    pages.drop(paging.cookie)
    return { code: resultCode.success, controls: [pagedResultsControl('')] }
  }
  return searchTree(dependencies, request, searcher, work)
}
