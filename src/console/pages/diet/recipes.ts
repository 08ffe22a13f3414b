import { useQuery } from '@tanstack/react-query'
import type { Data } from '../../app/api.ts'
import { useLanguage } from '../../app/language.tsx'
import { reading } from '../../app/queries.ts'

export type Recipe = Data<'searchRecipes'>['recipes'][number]

/** All recipes, which are data of the program and not many. */
export const useCatalogue = (enabled = true) => {
  const { language } = useLanguage()
  const query = useQuery({
    ...reading('searchRecipes', { query: { pageSize: 200 } }),
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const find = (id: number | undefined): Recipe | undefined => query.data?.recipes.find((each) => each.id === id)
  const titleOf = ({ en, zh }: Pick<Recipe, 'en' | 'zh'>): string => (language === 'zh-CN' ? zh : en)
  const nameOf = (id: number | undefined): string | undefined => {
    const recipe = find(id)
    return recipe && titleOf(recipe)
  }
  return { query, find, titleOf, nameOf }
}

/** Which of these recipes the caller's allergies refuse. That it is not known must be said: silence would be "none". */
export const useRefusals = (recipes: readonly Recipe[], allergies: readonly string[]) => {
  const preview = useQuery({
    ...reading('previewDietDay', {
      body: { meals: recipes.map(({ id }) => ({ recipeId: id })), allergies: [...allergies] },
    }),
    enabled: allergies.length > 0,
  })
  const refused: Data<'previewDietDay'>['refused'] = preview.data?.refused ?? []
  return { refused, error: preview.error, retry: () => void preview.refetch() }
}
