import { resultCodes } from '../../ldap/result-code.ts'
import type { Identity } from '../access.ts'
import type { Change } from '../change.ts'
import { postReadControl } from '../control.ts'
import { parentKey } from '../entry.ts'
import { dnKeyOf } from '../locate.ts'
import { entryElement, type Result } from '../reply.ts'
import { selectAttributes } from '../selection.ts'
import type { Storage } from '../storage.ts'
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
