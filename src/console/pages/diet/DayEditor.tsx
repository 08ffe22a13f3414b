import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { Failure } from '../../app/api.ts'
import { useFailureText } from '../../app/failures.ts'
import type { FieldProblem } from '../../app/field-problem.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useMay } from '../../app/session.tsx'
import { notifyFailure } from '../../ui/notify.tsx'
import { PageLink } from '../../ui/PageLink.tsx'
import { Failed } from '../../ui/states.tsx'
import { numberOf, useAddress } from '../../ui/use-search.ts'
import { useUnsaved } from '../../ui/use-unsaved.ts'
import { DayFigures, DayStatus } from './DayFigures.tsx'
import type { Days } from './days.ts'
import { type DraftMeal, mealsOf, newMeal, type Preview, usePreview, useProblems, withoutEmptyRows } from './draft.ts'
import { MealEditor } from './MealEditor.tsx'
import { RecipeInput } from './RecipeInput.tsx'
import { useCatalogue } from './recipes.ts'
import { useSavePlanOver } from './save-over.tsx'

interface DayEditorProps {
  date: string
  target: Days['target']
  initial: readonly DraftMeal[]
  wishes: Days['wishes']
  /** Of the plan that is shown; empty: no plan was saved yet. */
  version: string
  /** What the service says of the saved plan. */
  warnings: readonly string[]
  /** Whether the first meals are not saved yet. */
  unsaved?: boolean
}

/** Focuses one of these fields of a form. @param at -1: the last */
const focusIn = (form: RefObject<HTMLElement | null>, fields: string, at: number): void =>
  [...(form.current?.querySelectorAll<HTMLElement>(fields) ?? [])].at(at)?.focus()

/** The plan of a day while it is changed: figures and refusals follow what is typed. */
export const DayEditor = ({ date, target, initial, wishes, version, warnings, unsaved = false }: DayEditorProps) => {
  const { diet, actions, listed } = usePageTexts('diet')
  const failureText = useFailureText()
  const maySave = useMay('savePlan')
  const [search, changeAddress] = useAddress()
  const [meals, setMeals] = useState<readonly DraftMeal[]>(initial)
  const [dirty, setDirty] = useState(unsaved)
  const [saved, setSaved] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [refused, setRefused] = useState<readonly FieldProblem[]>([])
  const form = useRef<HTMLFormElement>(null)
  const { save, busy } = useSavePlanOver(version)
  const preview = usePreview(meals, wishes)
  const problems = useProblems(preview.data, refused)
  useUnsaved(() => dirty, dirty, isElsewhere)
  const change = (next: readonly DraftMeal[]): void => {
    setMeals(next)
    setDirty(true)
    setSaved(false)
    setFailure(null)
    // The rows may be others now; the preview says again what is wrong with them.
    setRefused([])
  }
  const addRecipe = (id: number, name: string): void => change([...meals, newMeal(meals, name, { id, servings: '1' })])
  // A recipe that was chosen on another page comes by the address.
  const chosen = numberOf(search.recipe)
  const catalogue = useCatalogue(chosen !== undefined)
  const nameOf = catalogue.nameOf(chosen)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each recipe that comes
  useEffect(() => {
    if (chosen === undefined || nameOf === undefined) return
    addRecipe(chosen, nameOf)
    changeAddress({ recipe: undefined }, { replace: true })
  }, [chosen, nameOf])

  const submit = async (): Promise<void> => {
    const sent = withoutEmptyRows(meals)
    setMeals(sent)
    setFailure(null)
    setRefused([])
    try {
      const { unmarked } = await save(
        { date, meals: mealsOf(sent), preferences: [...wishes.preferences], allergies: [...wishes.allergies] },
        sent.map(({ status }) => status),
      )
      setDirty(false)
      setSaved(true)
      if (unmarked > 0) notifyFailure(diet.unmarked(unmarked))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      setFailure(error)
      setRefused(error.fields)
      requestAnimationFrame(() => focusIn(form, '[aria-invalid=true]', 0))
    }
  }
  const addMeal = (): void => {
    change([...meals, newMeal(meals, '')])
    requestAnimationFrame(() => focusIn(form, '[type=time]', -1))
  }
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) void submit()
      }}
    >
      <Stack gap="md">
        <Text>
          {wishes.allergies.length === 0 ? diet.noAllergies : diet.against(listed(wishes.allergies))}{' '}
          <PageLink to="/diet" search={{ tab: 'wishes' }}>
            {diet.changeWishes}
          </PageLink>
        </Text>
        {!dirty &&
          warnings.map((warning) => (
            <Alert key={warning} color="yellow" p="xs" role="note" lang="en">
              {warning}
            </Alert>
          ))}
        {meals.map((meal, index) => (
          <MealEditor
            key={meal.key}
            meal={meal}
            onChange={(next) => change(meals.map((each) => (each.key === meal.key ? { ...each, ...next } : each)))}
            onRemove={() => change(meals.filter(({ key }) => key !== meal.key))}
            figures={preview.data?.meals[index]}
            problems={problems}
            path={`meals.${index}.`}
          />
        ))}
        {maySave && meals.length < 24 && (
          <Paper withBorder p="sm">
            <Stack gap="sm">
              <Button variant="default" size="md" onClick={addMeal}>
                {diet.addMeal}
              </Button>
              <RecipeInput label={diet.addRecipe} onPick={addRecipe} />
            </Stack>
          </Paper>
        )}
        {preview.data !== undefined && meals.length > 0 && <Planned target={target} planned={preview.data} />}
        {chosen !== undefined && catalogue.query.isError && (
          <Failed error={catalogue.query.error} retry={() => void catalogue.query.refetch()} />
        )}
        {preview.isError && <Text c="dimmed">{failureText(preview.error)}</Text>}
        {failure !== null && <NotSaved failure={failure} />}
        {maySave && (
          <div className="diet-save">
            <Text role="status">{saved ? diet.saved : ''}</Text>
            <Button type="submit" size="md" loading={busy} fullWidth>
              {actions.save}
            </Button>
          </div>
        )}
      </Stack>
    </form>
  )
}

const Planned = ({ target, planned }: Pick<DayEditorProps, 'target'> & { planned: Preview }) => (
  <Paper withBorder p="md" aria-live="polite">
    <Group justify="flex-end" mb="xs">
      <DayStatus status={planned.status} />
    </Group>
    <DayFigures target={target} planned={planned} />
  </Paper>
)

const NotSaved = ({ failure }: { failure: Failure }) => {
  const { failures } = usePageTexts('diet')
  const failureText = useFailureText()
  return (
    <Alert color="red" p="xs" role="alert" title={failures.notSaved}>
      {failure.fields.length > 0 ? failures.fieldsAtFault(failure.fields.length) : failureText(failure)}
    </Alert>
  )
}

/** Whether another day or page is opened, and not only another part of the same. */
const isElsewhere: NonNullable<Parameters<typeof useUnsaved>[2]> = (from, to) =>
  from.pathname !== to.pathname || placeOf(from.search) !== placeOf(to.search)

/** Whether an address is of the same day. */
const placeOf = (search: unknown): string => {
  const { tab, date } = search as { tab?: unknown; date?: unknown }
  return `${tab} ${date}`
}
