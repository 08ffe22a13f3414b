import { Button, Group, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Data } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { reading, useReading } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import { useStatementText } from '../../app/statement.ts'
import { Late } from '../../ui/Late.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { Empty, Failed, QueryState } from '../../ui/states.tsx'
import { numberOf, useAddress } from '../../ui/use-search.ts'
import { useTyped } from '../../ui/use-typed.ts'
import { useDays, useFormats } from './days.ts'
import { useRefusalText } from './draft.ts'
import { RecipeDrawer } from './RecipeDrawer.tsx'
import { type Recipe, useCatalogue, useRefusals } from './recipes.ts'

/** Recipes that fit the rest of the day, and all others. */
export const Recipes = () => {
  const { diet } = usePageTexts('diet')
  const [search, change] = useAddress()
  const [typed, setTyped, q] = useTyped('q')
  const mayFit = useMay('listRecommendedRecipes')
  const all = !mayFit || search.all === true || q !== ''
  const days = useDays(undefined, 1)
  const open = numberOf(search.recipe)
  return (
    <Stack gap="md" maw={720}>
      <Group>
        <SearchInput value={typed} onChange={setTyped} label={diet.searchRecipe} />
      </Group>
      {mayFit && (
        <div className="diet-choice" role="group" aria-label={diet.whichRecipes}>
          <button type="button" aria-pressed={!all} onClick={() => change({ all: undefined, q: undefined })}>
            {diet.fitting}
          </button>
          <button type="button" aria-pressed={all} onClick={() => change({ all: true })}>
            {diet.allRecipes}
          </button>
        </div>
      )}
      <QueryState query={days}>
        {({ today, wishes, days: [day] }) => {
          const allergies = [...new Set([...(day?.allergies ?? []), ...wishes.allergies])]
          return (
            <>
              {all ? <Found key={q} q={q} allergies={allergies} /> : <Fitting />}
              <Late wanted={open !== undefined}>
                <RecipeDrawer
                  id={open}
                  today={today}
                  allergies={allergies}
                  onClose={() => change({ recipe: undefined })}
                />
              </Late>
            </>
          )
        }}
      </QueryState>
    </Stack>
  )
}

const Fitting = () => {
  const say = useStatementText()
  const { diet } = usePageTexts('diet')
  const catalogue = useCatalogue()
  const fitting = useReading('listRecommendedRecipes', {})
  return (
    <QueryState query={fitting}>
      {(recipes) =>
        recipes.length === 0 ? (
          <Empty title={diet.noneFits} help={diet.noneFitsHelp} />
        ) : (
          <QueryState query={catalogue.query}>
            {() => (
              <ul className="diet-list">
                {recipes.map((recipe) => {
                  const known = catalogue.find(recipe.id)
                  return known === undefined ? null : (
                    <li key={recipe.id}>
                      <RecipeButton
                        recipe={known}
                        why={recipe.suitable.map((each, at) => say(recipe.suitableStatements?.[at], each))}
                      />
                    </li>
                  )
                })}
              </ul>
            )}
          </QueryState>
        )
      }
    </QueryState>
  )
}

/** As many as one preview takes. */
const pageSize = 20

const Found = ({ q, allergies }: { q: string; allergies: readonly string[] }) => {
  const { diet, states } = usePageTexts('diet')
  const [pages, setPages] = useState(1)
  const found = useQuery({
    ...reading('searchRecipes', { query: { q, pageSize: pageSize * pages } }),
    placeholderData: keepPreviousData,
  })
  return (
    <QueryState query={found}>
      {({ recipes, total }) =>
        total === 0 ? (
          <Empty title={states.emptyFiltered} />
        ) : (
          <>
            <Text c="dimmed">{diet.recipesFound(total)}</Text>
            {chunksOf(recipes).map((chunk) => (
              <Chunk key={chunk[0]?.id} recipes={chunk} allergies={allergies} />
            ))}
            {recipes.length < total && (
              <Button variant="default" size="md" loading={found.isPlaceholderData} onClick={() => setPages(pages + 1)}>
                {diet.showMore}
              </Button>
            )}
          </>
        )
      }
    </QueryState>
  )
}

const chunksOf = (recipes: readonly Recipe[]): (readonly Recipe[])[] =>
  Array.from({ length: Math.ceil(recipes.length / pageSize) }, (_, index) =>
    recipes.slice(index * pageSize, (index + 1) * pageSize),
  )

const Chunk = ({ recipes, allergies }: { recipes: readonly Recipe[]; allergies: readonly string[] }) => {
  const { refused, error, retry } = useRefusals(recipes, allergies)
  return (
    <>
      {error !== null && <Failed error={error} retry={retry} />}
      <ul className="diet-list">
        {recipes.map((recipe, index) => (
          <li key={recipe.id}>
            <RecipeButton recipe={recipe} refusal={refused.find(({ field }) => field === `meals.${index}.recipeId`)} />
          </li>
        ))}
      </ul>
    </>
  )
}

const RecipeButton = ({
  recipe,
  why = [],
  refusal,
}: {
  recipe: Recipe
  why?: readonly string[]
  refusal?: Data<'previewDietDay'>['refused'][number] | undefined
}) => {
  const { diet } = usePageTexts('diet')
  const { titleOf } = useCatalogue(false)
  const { kcal, grams } = useFormats()
  const refusalText = useRefusalText()
  const [, change] = useAddress()
  const { protein, carbs, fat } = recipe.nutrition
  return (
    <button type="button" className="diet-recipe" onClick={() => change({ recipe: recipe.id })}>
      <Group justify="space-between" wrap="nowrap" component="span">
        <Text component="span" fw={600}>
          {titleOf(recipe)}
        </Text>
        <Text component="span" flex="none">
          {diet.kcal(kcal(recipe.calories))}
        </Text>
      </Group>
      <Text component="span" c="dimmed" size="xs">
        {[
          ...recipe.meals.map((each) => diet.mealKinds[each]),
          diet.macros(grams(protein), grams(carbs), grams(fat)),
        ].join(' · ')}
      </Text>
      {why.length > 0 && (
        <Text component="span" size="xs">
          {why.join(' · ')}
        </Text>
      )}
      {refusal !== undefined && <Meaning level="danger">{refusalText(refusal)}</Meaning>}
    </button>
  )
}
