import { Alert, Button, Group, List, Paper, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { Data } from '../../app/api.ts'
import { useFailureText } from '../../app/failures.ts'
import { useLanguage } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { useReading } from '../../app/queries.ts'
import { Granted, useMay } from '../../app/session.tsx'
import { useStatementText } from '../../app/statement.ts'
import { Late } from '../../ui/Late.tsx'
import { notifyFailure } from '../../ui/notify.tsx'
import { Empty, QueryState } from '../../ui/states.tsx'
import { useAddress } from '../../ui/use-search.ts'
import { amountIn } from './amount.ts'
import { DayFigures, DayStatus } from './DayFigures.tsx'
import { type MealStatus, useDays, useFormats, useStatusChange } from './days.ts'
import { MealDrawer } from './MealDrawer.tsx'

type Meal = Data<'listTodaysMeals'>[number]

/** The meals of today, and how the day stands against its goal. */
export const Today = () => {
  const { diet } = usePageTexts('diet')
  const [, change] = useAddress()
  const [adjusted, setAdjusted] = useState<Meal | null>(null)
  const days = useDays(undefined, 1)
  const meals = useReading('listTodaysMeals', {})
  const { long } = useFormats()
  return (
    <QueryState query={days}>
      {({ today, target, days: [day] }) => (
        <Stack gap="md" maw={720}>
          <Group justify="space-between">
            <Title order={2}>{long(today)}</Title>
            {day !== undefined && <DayStatus status={day.status} />}
          </Group>
          {day !== undefined && day.meals.length > 0 && (
            <Paper withBorder p="md">
              <DayFigures target={target} planned={day} eaten={day.eaten} />
              <Text c="dimmed" mt="xs" size="xs">
                {diet.barHelp}
              </Text>
            </Paper>
          )}
          <QueryState query={meals}>
            {(list) =>
              list.length === 0 ? (
                <Empty title={diet.nothingPlanned} help={diet.nothingPlannedHelp}>
                  <Granted to="savePlan">
                    <Button size="md" onClick={() => change({ tab: 'plan', date: today })}>
                      {diet.planDay}
                    </Button>
                  </Granted>
                </Empty>
              ) : (
                <ul className="diet-list">
                  {list.map((meal) => (
                    <li key={meal.id}>
                      <MealCard meal={meal} adjust={() => setAdjusted(meal)} />
                    </li>
                  ))}
                </ul>
              )
            }
          </QueryState>
          <Granted to="getNutritionReport">
            <Suggestions />
          </Granted>
          <Late wanted={adjusted !== null}>
            <MealDrawer meal={adjusted} allergies={day?.allergies ?? []} onClose={() => setAdjusted(null)} />
          </Late>
        </Stack>
      )}
    </QueryState>
  )
}

const statuses: readonly MealStatus[] = ['pending', 'current', 'done']

const MealCard = ({ meal, adjust }: { meal: Meal; adjust(): void }) => {
  const { diet } = usePageTexts('diet')
  const { language } = useLanguage()
  const { kcal, grams } = useFormats()
  const failureText = useFailureText()
  const mark = useStatusChange()
  const mayMark = useMay('setMealStatus')
  const { id, time, name, description, status, calories, nutrition, ingredients } = meal
  return (
    <Paper withBorder p="sm">
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <div>
            <Text c="dimmed" size="xs">
              {time}
            </Text>
            <Text fw={600}>{name}</Text>
          </div>
          <Text flex="none">{diet.kcal(kcal(calories))}</Text>
        </Group>
        <Text c="dimmed" size="xs">
          {diet.macros(grams(nutrition.protein), grams(nutrition.carbs), grams(nutrition.fat))}
        </Text>
        {description !== '' && <Text>{description}</Text>}
        <Text c="dimmed">
          {ingredients.map(({ name, amount }) => `${name} ${amountIn(language, amount)}`).join(' · ')}
        </Text>
        <Doubts meal={meal} />
        <div className="diet-choice" role="group" aria-label={diet.statusOf(name)}>
          {statuses.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={status === each}
              disabled={!mayMark || mark.isPending}
              onClick={() => {
                if (status === each) return
                mark.mutate(
                  { path: { id }, body: { status: each } },
                  { onError: (error) => notifyFailure(failureText(error)) },
                )
              }}
            >
              {diet.mealStatuses[each]}
            </button>
          ))}
        </div>
        <Granted to="updateMeal">
          <Button variant="subtle" size="md" onClick={adjust} aria-label={diet.adjustMeal(name)}>
            {diet.adjust}
          </Button>
        </Granted>
      </Stack>
    </Paper>
  )
}

/** What is not known of a meal: its figures, or whether it is safe. */
const Doubts = ({ meal: { unknownIngredients, notExcluded, ownFigures } }: { meal: Meal }) => {
  const { diet, listed } = usePageTexts('diet')
  return (
    <>
      {notExcluded.length > 0 && (
        <Alert color="yellow" p="xs" role="note">
          {diet.notExcluded(listed(notExcluded))}
        </Alert>
      )}
      {unknownIngredients.length > 0 && (
        <Text c="dimmed" size="xs">
          {diet.unknownFoods(listed(unknownIngredients))}
          {ownFigures.length > 0 && ` ${diet.withOwnFigures}`}
        </Text>
      )}
    </>
  )
}

const Suggestions = () => {
  const { diet } = usePageTexts('diet')
  const report = useReading('getNutritionReport', {})
  const say = useStatementText()
  return (
    <QueryState query={report}>
      {({ suggestions, suggestionStatements = [] }) =>
        suggestions.length === 0 ? null : (
          <Paper withBorder p="md">
            <Title order={2} mb="xs">
              {diet.suggestions}
            </Title>
            <List spacing="xs">
              {suggestions.map((each, at) => (
                <List.Item key={each}>{say(suggestionStatements[at], each)}</List.Item>
              ))}
            </List>
          </Paper>
        )
      }
    </QueryState>
  )
}
