import type { Data } from '../../app/api.ts'
import { describe, factsOf, operationOf } from '../../app/operations.ts'
import type { PageTexts } from '../../locales/en/areas.ts'
import type { OperationTexts } from '../../locales/operations.ts'
import type { CheckNode } from '../../ui/check-tree.ts'

type Entry = Data<'getRoleApis'>[number]

/** In their order: the documents of the service, then what was added by hand. */
const documents = ['directory', 'operations', 'security', 'diet'] as const

/**
 * The API entries as a tree: document → tag → operation. Entries that were added by hand have their own top, with their
 * categories.
 * @param lockOf why an entry cannot be granted
 */
export const operationsTree = (
  entries: readonly Entry[],
  { roles }: PageTexts<'permissions'>['permissions'],
  texts: OperationTexts,
  lockOf: (id: number) => string | undefined,
): CheckNode[] => {
  const places = new Map<string, Map<string, CheckNode[]>>()
  for (const entry of entries) {
    const id = operationOf(entry)
    const facts = id === undefined ? undefined : factsOf(id)
    const top = facts?.document ?? ''
    const below = facts === undefined ? entry.category : texts.tags[facts.tag]
    const tags = places.get(top) ?? new Map<string, CheckNode[]>()
    const nodes = tags.get(below) ?? []
    const locked = lockOf(entry.id)
    const address = `${entry.method} ${entry.path}`
    nodes.push({
      key: `entry ${entry.id}`,
      value: entry.id,
      label: describe(texts, entry) || address,
      detail: address,
      ...(facts?.open === true && { note: roles.openToAll }),
      ...(locked !== undefined && { locked }),
    })
    places.set(top, tags.set(below, nodes))
  }
  return [...documents, ''].flatMap((top): CheckNode[] => {
    const tags = places.get(top)
    if (tags === undefined) return []
    const name = documents.find((each) => each === top)
    return [
      {
        key: `document ${top}`,
        label: name === undefined ? roles.own : texts.documents[name],
        children: [...tags].map(([tag, children]) => ({ key: `tag ${top} ${tag}`, label: tag, children })),
      },
    ]
  })
}
