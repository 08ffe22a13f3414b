import type { Data } from '../../app/api.ts'
import { useLanguage, useTexts } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { useReading } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import { slots } from '../../locales/slots.ts'

/** What shows the values of attributes, in forms that are made of their declarations. */
export const showingValues = ['getPersonAttributes', 'getDepartmentAttributes', 'getMyAttributes'] as const

export type Attribute = Data<'listAttributes'>['attributes'][number]

type Described = Pick<Attribute, 'type' | 'multiple' | 'minimum' | 'maximum'>

/** What an attribute is called in the language of the page. */
export const useLabelOf = (): ((attribute: Pick<Attribute, 'labels'>) => string) => {
  const { language } = useLanguage()
  return ({ labels }) => labels[language]
}

/** The bounds of values in words; empty for no bounds. */
export const useBoundsOf = (): ((attribute: Described) => string) => {
  const { attributes: texts } = usePageTexts('attributes')
  return ({ type, minimum, maximum }) =>
    type === 'text' ? texts.characters(minimum, maximum) : type === 'integer' ? texts.numbers(minimum, maximum) : ''
}

/** The bounds of values in a few signs, for a list; a dash for no bounds. */
export const useShortBoundsOf = (): ((attribute: Described) => string) => {
  const { attributes: texts } = usePageTexts('attributes')
  return ({ type, minimum, maximum }) => {
    if (minimum === null && maximum === null) return '–'
    const bounds = minimum === null ? `≤ ${maximum}` : maximum === null ? `≥ ${minimum}` : `${minimum}–${maximum}`
    return type === 'text' ? texts.size(bounds) : bounds
  }
}

/**
 * What sources fill an attribute with, such as "ExtA: extension.cost_centre"; nothing for a caller who may not read it, dots
 * while it is not known.
 */
export const useSourcesOf = (): ((attribute: Pick<Attribute, 'kind' | 'name'>) => string) => {
  const { listed, named } = useTexts()
  const enabled = useMay('listFieldRelations')
  const { data } = useReading('listFieldRelations', {}, { enabled, staleTime: 60_000 })
  return ({ kind, name }) =>
    data === undefined && enabled
      ? '…'
      : listed(
          Object.entries(slots).flatMap(([slot, title]) => {
            const expression = data?.find(({ flag }) => flag === `${slot}_${kind}`)?.attributes[name]
            return expression === undefined ? [] : [named(title, expression)]
          }),
        )
}

/** The names of roles. */
export const useRoleNames = (): ((ids: readonly number[]) => string) => {
  const { attributes: texts, listed } = usePageTexts('attributes')
  const enabled = useMay('listRoles')
  const { data } = useReading('listRoles', {}, { enabled, staleTime: 60_000 })
  return (ids) => {
    if (ids.length === 0) return texts.everyone
    const names = ids.map((id) => data?.roles.find((role) => role.id === id)?.name)
    return names.includes(undefined) ? texts.roles(ids.length) : listed(names.map(String))
  }
}
