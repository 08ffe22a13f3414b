import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type Body, type Data, Failure } from '../../app/api.ts'
import { useFailureText } from '../../app/failures.ts'
import { useLanguage } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { notifyDone } from '../../ui/notify.tsx'
import { RecordDrawer } from '../../ui/RecordDrawer.tsx'
import { useUnsaved } from '../../ui/use-unsaved.ts'
import { useFormats } from './days.ts'
import { areIngredients, draftOf, figuresTyped, ingredientsIn, usePreview, useProblems } from './draft.ts'
import { FoodRows, OwnFigures } from './FoodRows.tsx'
import { useSaveMealOver } from './save-over.tsx'

type Meal = Data<'listTodaysMeals'>[number]

interface MealDrawerProps {
  meal: Meal | null
  allergies: readonly string[]
  onClose(): void
}

/** Changes one meal of today, and keeps its status. */
export const MealDrawer = ({ meal, allergies, onClose }: MealDrawerProps) => {
  const { diet } = usePageTexts('diet')
  return (
    <RecordDrawer opened={meal !== null} onClose={onClose} title={diet.adjustMeal(meal?.name ?? '')} size={560}>
      {meal !== null && <MealForm meal={meal} allergies={allergies} onClose={onClose} />}
    </RecordDrawer>
  )
}

const MealForm = ({ meal, allergies, onClose }: { meal: Meal; allergies: readonly string[]; onClose(): void }) => {
  const { diet, actions, failures } = usePageTexts('diet')
  const { language } = useLanguage()
  const failureText = useFailureText()
  const { kcal } = useFormats()
  const [draft, setDraft] = useState(() => draftOf(meal, language))
  const [dirty, setDirty] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const { save, busy } = useSaveMealOver(meal)
  const preview = usePreview([draft], { allergies })
  const problems = useProblems(
    preview.data,
    (failure?.fields ?? []).map((problem) => ({ ...problem, field: `meals.0.${problem.field}` })),
  )
  useUnsaved(() => dirty, dirty)
  const change = (next: Partial<typeof draft>): void => {
    setDraft({ ...draft, ...next })
    setDirty(true)
    setFailure(null)
  }
  const figures = preview.data?.meals[0]
  const submit = async (): Promise<void> => {
    const foods = draft.foods.filter(({ name, amount }) => name.trim() !== '' || amount.trim() !== '')
    setDraft({ ...draft, foods })
    const { calories } = figuresTyped(draft.own)
    const body: Body<'updateMeal'> = {
      name: draft.name,
      ...(!areIngredients(foods, ingredientsIn(language, meal.ingredients)) && {
        ingredients: foods.map(({ name, amount }) => ({ name, amount })),
      }),
      ...(calories !== undefined && { calories }),
    }
    try {
      await save(body)
      setDirty(false)
      notifyDone(diet.saved)
      onClose()
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      setFailure(error)
    }
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Stack gap="md">
        <TextInput
          size="md"
          label={diet.mealName}
          value={draft.name}
          maxLength={100}
          error={problems.get('meals.0.name')}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <FoodRows
          meal={draft.name}
          foods={draft.foods}
          onChange={(foods) => change({ foods })}
          figures={figures}
          problems={problems}
          path="meals.0."
        />
        {((figures !== undefined && figures.coverage < 1) || problems.has('meals.0.calories')) && (
          <OwnFigures
            meal={draft.name}
            own={draft.own}
            names={['calories']}
            onChange={(own) => change({ own })}
            problems={problems}
            path="meals.0."
          />
        )}
        <Text ta="end" fw={600} aria-live="polite">
          {figures !== undefined && diet.kcal(kcal(figures.calories))}
        </Text>
        {preview.isError && <Text c="dimmed">{failureText(preview.error)}</Text>}
        {failure !== null && (
          <Alert color="red" p="xs" role="alert" title={failures.notSaved}>
            {failure.fields.length > 0 ? failures.fieldsAtFault(failure.fields.length) : failureText(failure)}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" size="md" onClick={onClose}>
            {actions.cancel}
          </Button>
          <Button type="submit" size="md" loading={busy}>
            {actions.save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
