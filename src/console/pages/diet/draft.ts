import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Body, Data } from '../../app/api.ts'
import { problemText } from '../../app/failures.ts'
import type { FieldProblem } from '../../app/field-problem.ts'
import { type Language, useLanguage } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { reading } from '../../app/queries.ts'
import { amountIn } from './amount.ts'
import type { MealStatus } from './days.ts'

export interface Food {
  key: number
  name: string
  amount: string
}

export const ownNames = ['calories', 'protein', 'carbs', 'fat'] as const

/** The caller's own figures, as they are typed. */
export type Own = Readonly<Partial<Record<(typeof ownNames)[number], string>>>

/** A meal that is being edited. */
export interface DraftMeal {
  key: number
  time: string
  name: string
  description: string
  foods: readonly Food[]
  own: Own
  status: MealStatus
  /** A recipe that is not saved yet; a saved one is its ingredients. */
  recipe: { id: number; servings: string } | null
  /** The recipe of a saved one, for as long as these are its ingredients. */
  origin: { fromRecipe: number; ingredients: Ingredients } | null
}

let last = 0
/** For React: rows keep their inputs when another one goes. */
export const nextKey = (): number => ++last

export const emptyFood = (): Food => ({ key: nextKey(), name: '', amount: '' })

const times = ['08:00', '12:30', '18:30', '15:30', '10:30', '21:00']

/** A time that no meal has. */
export const freeTime = (meals: readonly { time: string }[]): string =>
  times.find((time) => meals.every((meal) => meal.time !== time)) ?? '12:00'

export const newMeal = (meals: readonly DraftMeal[], name: string, recipe: DraftMeal['recipe'] = null): DraftMeal => ({
  ...{ key: nextKey(), time: freeTime(meals), name, description: '' },
  ...{ foods: recipe === null ? [emptyFood()] : [], own: {}, status: 'pending', recipe, origin: null },
})

type SavedMeal = Data<'getPlan'>['meals'][number]

type Ingredients = readonly Pick<SavedMeal['ingredients'][number], 'name' | 'amount'>[]

/** The ingredients of a saved meal as its editor shows them: an amount in the chosen language, which the service reads too. */
export const ingredientsIn = (language: Language, ingredients: Ingredients): Ingredients =>
  ingredients.map(({ name, amount }) => ({ name, amount: amountIn(language, amount) }))

export const draftOf = (meal: SavedMeal, language: Language): DraftMeal => {
  const { time, name, description, status, calories, nutrition, ownFigures, fromRecipe } = meal
  const figures = { calories, ...nutrition }
  const ingredients = ingredientsIn(language, meal.ingredients)
  return {
    ...{ key: nextKey(), time, name, description, status, recipe: null },
    origin: fromRecipe === undefined ? null : { fromRecipe, ingredients },
    foods: ingredients.map((each) => ({ key: nextKey(), ...each })),
    own: Object.fromEntries(ownFigures.map((each) => [each, String(figures[each])])),
  }
}

const isEmpty = ({ name, amount }: Food): boolean => name.trim() === '' && amount.trim() === ''

/** Without the rows that nothing was typed into, so that what the service says of a row is of the one that is shown. */
export const withoutEmptyRows = (meals: readonly DraftMeal[]): DraftMeal[] =>
  meals.map((meal) => ({ ...meal, foods: meal.foods.filter((food) => !isEmpty(food)) }))

/** What a preview is asked with: while a figure is typed, it may not be a number yet. */
const numbersIn = (own: Own): Partial<Record<(typeof ownNames)[number], number>> =>
  Object.fromEntries(
    ownNames.flatMap((name) => {
      const typed = own[name]?.trim() ?? ''
      const number = Number(typed)
      return typed === '' || !Number.isFinite(number) || number < 0 ? [] : [[name, number]]
    }),
  )

/** The same for servings. */
const servingsIn = (typed: string): number => {
  const number = Number(typed)
  return Number.isFinite(number) && number >= 0.1 && number <= 20 ? number : 1
}

/**
 * What is saved of a number that was typed. Other text stays as it is, against the type of the body: the service refuses it
 * and says why, where another number in its place would be saved unseen.
 */
const numberTyped = (typed: string): number => {
  const text = typed.trim()
  const number = Number(text)
  return text === '' || !Number.isFinite(number) ? (text as unknown as number) : number
}

/** The figures that are saved: those that something was typed for. */
export const figuresTyped = (own: Own): Partial<Record<(typeof ownNames)[number], number>> =>
  Object.fromEntries(
    ownNames.flatMap((name) => {
      const typed = own[name]?.trim() ?? ''
      return typed === '' ? [] : [[name, numberTyped(typed)]]
    }),
  )

const ingredientsOf = (foods: readonly Food[]) => foods.map(({ name, amount }) => ({ name, amount }))

/** Whether they are what is saved. */
export const areIngredients = (foods: readonly Food[], saved: Ingredients): boolean =>
  JSON.stringify(ingredientsOf(foods)) === JSON.stringify(saved.map(({ name, amount }) => ({ name, amount })))

/** The meals as they are saved. */
export const mealsOf = (meals: readonly DraftMeal[]): Body<'savePlan'>['meals'] =>
  meals.map(({ time, name, description, foods, own, recipe, origin }) => {
    if (recipe !== null) return { time, recipeId: recipe.id, servings: numberTyped(recipe.servings) }
    const { calories, ...nutrition } = figuresTyped(own)
    return {
      ...{ time, name, ingredients: ingredientsOf(foods) },
      ...(description !== '' && { description }),
      ...(calories !== undefined && { calories }),
      ...(Object.keys(nutrition).length > 0 && { nutrition }),
      ...(origin !== null && areIngredients(foods, origin.ingredients) && { fromRecipe: origin.fromRecipe }),
    }
  })

/** What a preview needs of meals. */
export type Previewed = Pick<DraftMeal, 'foods' | 'own' | 'recipe'>

export type Preview = Data<'previewDietDay'>

/** The figures of meals while they are typed, and what would be refused. */
export const usePreview = (
  meals: readonly Previewed[],
  wishes: { preferences?: readonly string[]; allergies: readonly string[] },
) => {
  const body: Body<'previewDietDay'> = {
    meals: meals.map(({ foods, own, recipe }) =>
      recipe === null
        ? { ingredients: ingredientsOf(foods), ownFigures: numbersIn(own) }
        : { recipeId: recipe.id, servings: servingsIn(recipe.servings) },
    ),
    preferences: [...(wishes.preferences ?? [])],
    allergies: [...wishes.allergies],
  }
  const [settled] = useDebouncedValue(JSON.stringify(body), 250)
  return useQuery({
    ...reading('previewDietDay', { body: JSON.parse(settled) as typeof body }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

type Refused = Preview['refused'][number]

/** Why an allergy refuses a food, in the chosen language. */
export const useRefusalText = (): ((refused: Refused) => string) => {
  const { diet } = usePageTexts('diet')
  const { language } = useLanguage()
  return ({ ingredient, food, allergen, word }) => {
    const name = language === 'zh-CN' ? food?.zh : food?.en
    const what = name === undefined || name === ingredient ? ingredient : `${ingredient} (${name})`
    if (allergen === undefined) return diet.refusedByName(what, word)
    return (food === undefined ? diet.refusedByTellingName : diet.refusedByClass)(what, diet.allergens[allergen], word)
  }
}

/**
 * What is wrong with each field, in the chosen language: what the preview found, and what the service refused to save.
 * @param refused the problems of the last attempt to save
 */
export const useProblems = (
  preview: Preview | undefined,
  refused: readonly FieldProblem[],
): ReadonlyMap<string, string> => {
  const locale = useLanguage()
  const refusalText = useRefusalText()
  const found = new Map<string, string>()
  for (const problem of refused) found.set(problem.field, problemText(locale, problem))
  for (const problem of preview?.problems ?? []) found.set(problem.field, problemText(locale, problem))
  // The same in the language of the page.
  for (const each of preview?.refused ?? []) found.set(each.field, refusalText(each))
  return found
}
