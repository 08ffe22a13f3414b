import { Button, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { useLanguage } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { Granted } from '../../app/session.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { RecordDrawer } from '../../ui/RecordDrawer.tsx'
import { Failed, QueryState } from '../../ui/states.tsx'
import { useAddress } from '../../ui/use-search.ts'
import { amountIn } from './amount.ts'
import { isDate, useFormats } from './days.ts'
import { useRefusalText } from './draft.ts'
import { type Recipe, useCatalogue, useRefusals } from './recipes.ts'

interface RecipeDrawerProps {
  id: number | undefined
  today: string
  allergies: readonly string[]
  onClose(): void
}

/** A recipe with its ingredients and figures, and the way into a plan. */
export const RecipeDrawer = ({ id, today, allergies, onClose }: RecipeDrawerProps) => {
  const { diet, states } = usePageTexts('diet')
  const { query, find, nameOf } = useCatalogue(id !== undefined)
  const recipe = find(id)
  return (
    <RecordDrawer opened={id !== undefined} onClose={onClose} title={nameOf(id) ?? diet.recipe} size={480}>
      <QueryState query={query}>
        {() =>
          recipe === undefined ? (
            <Text>{states.empty}</Text>
          ) : (
            <Details recipe={recipe} today={today} allergies={allergies} />
          )
        }
      </QueryState>
    </RecordDrawer>
  )
}

const Details = ({ recipe, today, allergies }: { recipe: Recipe; today: string; allergies: readonly string[] }) => {
  const { diet, listed } = usePageTexts('diet')
  const { language } = useLanguage()
  const { kcal, grams } = useFormats()
  const refusalText = useRefusalText()
  const [, change] = useAddress()
  const [date, setDate] = useState(today)
  const { refused, error, retry } = useRefusals([recipe], allergies)
  const { description, cuisine, meals, calories, nutrition, ingredients, allergens } = recipe
  const of = (texts: { en: string; zh: string }): string => (language === 'zh-CN' ? texts.zh : texts.en)
  return (
    <Stack gap="md">
      <Text>{of(description)}</Text>
      {error !== null && <Failed error={error} retry={retry} />}
      {refused.map((refusal) => (
        <Meaning key={refusal.proof} level="danger">
          {refusalText(refusal)}
        </Meaning>
      ))}
      <dl className="facts">
        <div className="fact">
          <dt>{diet.cuisine}</dt>
          <dd>{diet.cuisines[cuisine]}</dd>
        </div>
        <div className="fact">
          <dt>{diet.for}</dt>
          <dd>{listed(meals.map((each) => diet.mealKinds[each]))}</dd>
        </div>
        <div className="fact">
          <dt>{diet.perServing}</dt>
          <dd>
            {diet.kcal(kcal(calories))} ·{' '}
            {diet.macros(grams(nutrition.protein), grams(nutrition.carbs), grams(nutrition.fat))}
          </dd>
        </div>
        <div className="fact">
          <dt>{diet.contains}</dt>
          <dd>{allergens.length === 0 ? diet.noAllergens : listed(allergens.map((each) => diet.allergens[each]))}</dd>
        </div>
      </dl>
      <div>
        <Title order={3} mb="xs">
          {diet.ingredients}
        </Title>
        <table className="diet-table">
          <tbody>
            {ingredients.map((each) => (
              <tr key={each.food}>
                <td>{of(each)}</td>
                <td>{amountIn(language, each.amount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Granted to="savePlan">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            change({ tab: 'plan', date, recipe: recipe.id, q: undefined, all: undefined })
          }}
        >
          <Stack gap="sm">
            <TextInput
              type="date"
              size="md"
              label={diet.date}
              value={date}
              onChange={(event) => setDate(event.currentTarget.value)}
            />
            <Button type="submit" size="md" disabled={!isDate(date)}>
              {diet.putIntoPlan}
            </Button>
          </Stack>
        </form>
      </Granted>
    </Stack>
  )
}
