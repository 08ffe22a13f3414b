import { ActionIcon, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { usePageTexts } from '../../app/page-texts.ts'
import { CloseIcon } from '../../ui/icons.tsx'
import { useFormats } from './days.ts'
import type { DraftMeal, Preview } from './draft.ts'
import { FoodRows, OwnFigures } from './FoodRows.tsx'

interface MealEditorProps {
  meal: DraftMeal
  onChange(change: Partial<DraftMeal>): void
  onRemove(): void
  figures: Preview['meals'][number] | undefined
  /** What is wrong with each field, by its path, such as `meals.0.time`. */
  problems: ReadonlyMap<string, string>
  /** The path of the meal's fields, with a point at its end. */
  path: string
}

/** One meal of a day while it is changed: its time and name, and its foods or its recipe. */
export const MealEditor = ({ meal, onChange, onRemove, figures, problems, path }: MealEditorProps) => {
  const { diet, listed } = usePageTexts('diet')
  const { name, foods, own, recipe } = meal
  const called = name || diet.meal
  const hasOwn = Object.keys(own).length > 0
  return (
    <Paper withBorder p="sm" component="section" aria-label={called}>
      <Stack gap="sm">
        <MealHead meal={meal} called={called} onChange={onChange} onRemove={onRemove} problems={problems} path={path} />
        {recipe === null ? (
          <FoodRows
            meal={called}
            foods={foods}
            onChange={(next) => onChange({ foods: next })}
            figures={figures}
            problems={problems}
            path={path}
          />
        ) : (
          <>
            <Text fw={600}>{name}</Text>
            {problems.has(`${path}recipeId`) && (
              <Text c="var(--danger)" role="alert">
                {problems.get(`${path}recipeId`)}
              </Text>
            )}
          </>
        )}
        {recipe === null && figures !== undefined && (hasOwn || figures.unknownIngredients.length > 0) && (
          <>
            {figures.unknownIngredients.length > 0 && (
              <Text c="dimmed" size="xs">
                {diet.unknownFoods(listed(figures.unknownIngredients))}
              </Text>
            )}
            <OwnFigures
              meal={called}
              own={own}
              onChange={(next) => onChange({ own: next })}
              problems={problems}
              path={path}
            />
          </>
        )}
        {figures !== undefined && <MealFigures figures={figures} />}
      </Stack>
    </Paper>
  )
}

interface MealHeadProps extends Omit<MealEditorProps, 'figures'> {
  called: string
}

const MealHead = ({ meal, called, onChange, onRemove, problems, path }: MealHeadProps) => {
  const { diet } = usePageTexts('diet')
  const { time, name, recipe } = meal
  return (
    <Group gap="xs" align="flex-end">
      <TextInput
        type="time"
        size="md"
        // Room for twelve hours with AM and PM.
        w={156}
        flex="none"
        label={diet.time}
        value={time}
        error={problems.get(`${path}time`)}
        onChange={(event) => onChange({ time: event.currentTarget.value })}
      />
      {/* Below the time where the window is too narrow for both. */}
      <Group gap="xs" wrap="nowrap" align="flex-end" flex="1 1 160px" miw={0}>
        {recipe === null ? (
          <TextInput
            size="md"
            flex={1}
            miw={0}
            label={diet.mealName}
            value={name}
            maxLength={100}
            autoComplete="off"
            error={problems.get(`${path}name`)}
            onChange={(event) => onChange({ name: event.currentTarget.value })}
          />
        ) : (
          <TextInput
            size="md"
            flex={1}
            miw={0}
            label={diet.servings}
            inputMode="decimal"
            value={recipe.servings}
            autoComplete="off"
            error={problems.get(`${path}servings`)}
            onChange={(event) => onChange({ recipe: { ...recipe, servings: event.currentTarget.value } })}
          />
        )}
        <ActionIcon
          variant="subtle"
          color="gray"
          size={44}
          flex="none"
          aria-label={diet.removeMeal(called)}
          onClick={onRemove}
        >
          <CloseIcon />
        </ActionIcon>
      </Group>
    </Group>
  )
}

const MealFigures = ({ figures }: { figures: Preview['meals'][number] }) => {
  const { diet } = usePageTexts('diet')
  const { kcal, grams } = useFormats()
  const { nutrition, calories } = figures
  return (
    <Group justify="space-between">
      <Text c="dimmed" size="xs">
        {diet.macros(grams(nutrition.protein), grams(nutrition.carbs), grams(nutrition.fat))}
      </Text>
      <Text fw={600}>{diet.kcal(kcal(calories))}</Text>
    </Group>
  )
}
