import { resultCodes } from '../../ldap/result-code.ts'
import { parentKey } from '../entries/entry.ts'
import { dnKeyOf } from '../entries/locate.ts'
import type { Identity } from '../identity.ts'
import type { Change } from '../protocol/change.ts'
import { postReadControl } from '../protocol/control.ts'
import { entryElement, type Result } from '../protocol/reply.ts'
import { selectAttributes } from '../search/selection.ts'
import type { Storage } from '../storage/storage.ts'
import type { SearchDependencies } from './search.ts'

type WriteDependencies = Pick<SearchDependencies, 'tree' | 'views' | 'rights'> & { storage: Pick<Storage, 'write'> }

/** The key of the entry after the change. */
const keyAfter = (change: Change): string =>
  change.kind === 'rename'
    ? dnKeyOf(`${change.newRdn},${change.newSuperior ?? parentKey(dnKeyOf(change.dn))}`)
    : dnKeyOf(change.dn)

/**
 * Carries out a change.
 * @param postRead the attributes of the entry that the answer shows; null: it shows no entry
 * @throws LdapError for every result but success
 */
export const write = async (
  { tree, views, rights, storage }: WriteDependencies,
  change: Change,
  identity: Identity,
  postRead: readonly string[] | null,
): Promise<Result> => {
  const selection = postRead && selectAttributes(postRead)
  await storage.write(change)
  // Another one may have removed it since.
  const entry = selection && tree.get(keyAfter(change))
  if (!entry) return { code: resultCodes.success }
  const view = views(entry, rights.mayRead(identity))
  const shown = entryElement(entry.dn, selection.of(view), { typesOnly: false })
  return { code: resultCodes.success, controls: [postReadControl(shown)] }
}
