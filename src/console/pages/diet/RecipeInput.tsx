import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usePageTexts } from '../../app/page-texts.ts'
import { reading } from '../../app/queries.ts'
import { CatalogueInput } from './CatalogueInput.tsx'
import { useFormats } from './days.ts'
import { useCatalogue } from './recipes.ts'

/** Finds a recipe by its name or an ingredient. */
export const RecipeInput = ({ label, onPick }: { label: string; onPick(id: number, name: string): void }) => {
  const { diet } = usePageTexts('diet')
  const { kcal } = useFormats()
  const { titleOf } = useCatalogue(false)
  const [typed, setTyped] = useState('')
  const useRecipes = (q: string, enabled: boolean) => {
    const found = useQuery({ ...reading('searchRecipes', { query: { q, pageSize: 10 } }), enabled })
    return {
      failure: found.error,
      loading: found.isPending && enabled,
      offers: (found.data?.recipes ?? []).map((item) => ({
        item,
        key: String(item.id),
        name: titleOf(item),
        detail: diet.kcal(kcal(item.calories)),
      })),
    }
  }
  return (
    <CatalogueInput
      label={label}
      placeholder={diet.searchRecipe}
      value={typed}
      onChange={setTyped}
      useOffers={useRecipes}
      onPick={(recipe) => {
        setTyped('')
        onPick(recipe.id, titleOf(recipe))
      }}
    />
  )
}
