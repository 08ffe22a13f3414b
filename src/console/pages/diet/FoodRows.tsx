import { ActionIcon, Button, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useLanguage } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { reading } from '../../app/queries.ts'
import { CloseIcon } from '../../ui/icons.tsx'
import { CatalogueInput } from './CatalogueInput.tsx'
import { useFormats } from './days.ts'
import { emptyFood, type Food, type Own, ownNames, type Preview } from './draft.ts'

interface FoodRowsProps {
  /** What the foods are of. */
  meal: string
  foods: readonly Food[]
  onChange(foods: Food[]): void
  /** The figures of these foods, as far as they are known. */
  figures: Preview['meals'][number] | undefined
  /** By `ingredients.2.amount`. */
  problems: ReadonlyMap<string, string>
  /** The path of the meal's fields, with a point at its end. */
  path: string
}

/** The foods of a meal with their amounts; the figures follow what is typed. */
export const FoodRows = ({ meal, foods, onChange, figures, problems, path }: FoodRowsProps) => {
  const { diet } = usePageTexts('diet')
  const { kcal } = useFormats()
  const set = (key: number, change: Partial<Food>): void =>
    onChange(foods.map((food) => (food.key === key ? { ...food, ...change } : food)))
  const rows = useRef<HTMLDivElement>(null)
  const add = (): void => {
    onChange([...foods, emptyFood()])
    // It is typed at once: the way back from the button would be through the row from its end.
    requestAnimationFrame(() => rows.current?.querySelector<HTMLElement>('.diet-food:last-of-type input')?.focus())
  }
  return (
    <Stack gap="sm" ref={rows}>
      {foods.map((food, index) => {
        const known = figures?.ingredients[index]
        return (
          <div key={food.key} className="diet-food">
            <FoodInput
              label={diet.food(index + 1, meal)}
              food={food}
              onChange={(change) => set(food.key, change)}
              error={problems.get(`${path}ingredients.${index}.name`)}
            />
            <TextInput
              size="md"
              aria-label={diet.amount(food.name || diet.food(index + 1, meal))}
              placeholder="150g"
              value={food.amount}
              maxLength={40}
              autoComplete="off"
              error={problems.get(`${path}ingredients.${index}.amount`)}
              onChange={(event) => set(food.key, { amount: event.currentTarget.value })}
            />
            <Text className="kcal" c="dimmed">
              {known === undefined || food.name.trim() === ''
                ? ''
                : known.isKnown
                  ? diet.kcal(kcal(known.calories))
                  : '?'}
            </Text>
            <ActionIcon
              className="remove"
              variant="subtle"
              color="gray"
              size={44}
              aria-label={diet.removeFood(food.name || diet.food(index + 1, meal))}
              onClick={() => onChange(foods.filter(({ key }) => key !== food.key))}
            >
              <CloseIcon />
            </ActionIcon>
          </div>
        )
      })}
      <Button variant="default" size="md" disabled={foods.length >= 50} aria-label={diet.addFoodTo(meal)} onClick={add}>
        {diet.addFood}
      </Button>
    </Stack>
  )
}

const FoodInput = ({
  label,
  food,
  onChange,
  error,
}: {
  label: string
  food: Food
  onChange(change: Partial<Food>): void
  error: string | undefined
}) => {
  const { language } = useLanguage()
  const { diet } = usePageTexts('diet')
  const { kcal } = useFormats()
  const useFoods = (q: string, enabled: boolean) => {
    const found = useQuery({ ...reading('searchFoods', { query: { q, pageSize: 10 } }), enabled })
    return {
      failure: found.error,
      loading: found.isPending && enabled,
      offers: (found.data?.foods ?? []).map((item) => ({
        item,
        key: item.id,
        name: language === 'zh-CN' ? item.zh : item.en,
        detail: [
          diet.per100g(kcal(item.per100g.calories)),
          ...item.allergens.map((allergen) => diet.allergens[allergen]),
        ].join(' · '),
      })),
    }
  }
  return (
    <CatalogueInput
      bare
      label={label}
      placeholder={diet.searchFood}
      value={food.name}
      error={error}
      onChange={(name) => onChange({ name })}
      useOffers={useFoods}
      onPick={(picked) => {
        const isCounted = picked.units.some(({ unit }) => unit === '个')
        onChange({
          name: language === 'zh-CN' ? picked.zh : picked.en,
          ...(food.amount.trim() === '' && { amount: isCounted ? diet.onePiece : '100g' }),
        })
      }}
    />
  )
}

/** The caller's own figures, for foods that the table does not have. */
export const OwnFigures = ({
  meal,
  own,
  onChange,
  problems,
  path,
  names = ownNames,
}: Pick<FoodRowsProps, 'problems' | 'path'> & {
  meal: string
  own: Own
  onChange(own: Own): void
  names?: readonly (typeof ownNames)[number][]
}) => {
  const { diet } = usePageTexts('diet')
  return (
    <div role="group" aria-label={diet.ownFiguresOf(meal)}>
      <Text c="dimmed" size="xs" mb={4}>
        {diet.ownFiguresHelp}
      </Text>
      <SimpleGrid cols={{ base: 2, xs: names.length === 1 ? 2 : 4 }} spacing="xs">
        {names.map((name) => (
          <TextInput
            key={name}
            size="md"
            label={name === 'calories' ? diet.caloriesIn : diet.gramsOf(diet[name])}
            inputMode="decimal"
            autoComplete="off"
            value={own[name] ?? ''}
            error={problems.get(`${path}${name === 'calories' ? name : `nutrition.${name}`}`)}
            onChange={(event) => onChange({ ...own, [name]: event.currentTarget.value })}
          />
        ))}
      </SimpleGrid>
    </div>
  )
}
