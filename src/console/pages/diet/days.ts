import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Body, type Data, Failure } from '../../app/api.ts'
import { useLanguage } from '../../app/language.tsx'
import { forget, keyOf, reading, useChange } from '../../app/queries.ts'

export type Days = Data<'listDietDays'>
export type Day = Days['days'][number]
export type MealStatus = Day['meals'][number]['status']

/** Days from a date on. What was shown stays until the next days are there. */
export const useDays = (from: string | undefined, days: number) =>
  useQuery({
    ...reading('listDietDays', { query: { ...(from !== undefined && { from }), days } }),
    placeholderData: keepPreviousData,
  })

/** The calendar, without a time zone: a date is a text. */
export const dateAfter = (date: string, days: number): string => {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1, day + days)).toISOString().slice(0, 10)
}

export const isDate = (text: string): boolean =>
  /^[1-9]\d{3}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && dateAfter(text, 0) === text

/** The Monday of a date's week. */
export const mondayOf = (date: string): string =>
  dateAfter(date, -((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7))

/** How figures and dates are written in the chosen language. */
export const useFormats = () => {
  const { language } = useLanguage()
  // As the service's own sentences have it: a day has 2000 kcal, not 2,000.
  const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0, useGrouping: 'min2' })
  const tenths = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
  const dateIn = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...options })
    return (date: string): string => format.format(new Date(`${date}T00:00:00Z`))
  }
  return {
    kcal: (calories: number): string => whole.format(calories),
    grams: (grams: number): string => tenths.format(grams),
    long: dateIn({ weekday: 'long', month: 'long', day: 'numeric' }),
    short: dateIn({ month: 'numeric', day: 'numeric' }),
    weekday: dateIn({ weekday: 'short' }),
    dayOfMonth: dateIn({ day: 'numeric' }),
  }
}

/** What shows plans, and is another one when a plan has changed. */
const shownByPlans = ['listDietDays', 'listTodaysMeals', 'getNutritionReport', 'listRecommendedRecipes'] as const

/** The status of a meal. The report's suggestions do not depend on it, and reads are few. */
export const useStatusChange = () => useChange('setMealStatus', ['listDietDays', 'listTodaysMeals', 'getPlan'])

/** A change of one meal. */
export const useMealChange = () => useChange('updateMeal', [...shownByPlans, 'getPlan'])

export interface Saved {
  plan: Data<'savePlan'>
  /** Meals that were begun or eaten, and could not be marked so again. */
  unmarked: number
}

/**
 * Saves the plan of a day. The service begins each meal anew then, so those that were begun or eaten are marked again.
 * @param statuses of the meals, in the order of the body
 */
export const usePlanSaving = () => {
  const client = useQueryClient()
  const saving = useChange('savePlan')
  const marking = useChange('setMealStatus')
  const [busy, setBusy] = useState(false)
  /** Marking its meals gives a plan another version. Where that cannot be read, the next save asks. */
  const readAgain = async (plan: Data<'savePlan'>): Promise<Data<'savePlan'>> => {
    try {
      return await client.fetchQuery({ ...reading('getPlan', { path: { date: plan.date } }), staleTime: 0 })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return plan
    }
  }
  const save = async (body: Body<'savePlan'>, statuses: readonly MealStatus[]): Promise<Saved> => {
    setBusy(true)
    try {
      const { data: plan } = await saving.mutateAsync({ body })
      const order = body.meals
        .map(({ time }, index) => ({ time, status: statuses[index] ?? 'pending' }))
        .sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0))
      let [marked, unmarked] = [0, 0]
      for (const [index, { status }] of order.entries()) {
        const meal = plan.meals[index]
        if (status === 'pending' || meal === undefined) continue
        try {
          await marking.mutateAsync({ path: { id: meal.id }, body: { status } })
          meal.status = status
          marked++
        } catch (error) {
          if (!(error instanceof Failure)) throw error
          unmarked++
        }
      }
      const shown = marked === 0 ? plan : await readAgain(plan)
      client.setQueryData(keyOf('getPlan', { path: { date: body.date } }), shown)
      return { plan: shown, unmarked }
    } finally {
      setBusy(false)
      void forget(client, ...shownByPlans)
    }
  }
  return { save, busy }
}

/** The meals of a saved plan, as they are sent again. */
export const mealsToSend = (plan: Data<'getPlan'>): Body<'savePlan'>['meals'] =>
  plan.meals.map(({ time, name, description, ingredients, ownFigures, calories, nutrition, fromRecipe }) => {
    const own = { calories, ...nutrition }
    const grams = (['protein', 'carbs', 'fat'] as const).filter((each) => ownFigures.includes(each))
    return {
      ...{ time, name, description, ingredients },
      ...(fromRecipe !== undefined && { fromRecipe }),
      ...(ownFigures.includes('calories') && { calories: own.calories }),
      ...(grams.length > 0 && { nutrition: Object.fromEntries(grams.map((each) => [each, own[each]])) }),
    }
  })
