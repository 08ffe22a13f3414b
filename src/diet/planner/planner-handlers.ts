import { localDays } from '../../contract/cache/local-day.ts'
import type { components, PlannerHandlers } from '../../generated/operations.ts'
import { currentTime } from '../../runtime/clock.ts'
import { daysAfter } from '../calendar.ts'
import type { DietOptions } from '../diet-handlers.ts'
import { addFigures, shownFigures } from '../figures/figures.ts'
import { addBases, coverageOf, distinct } from '../figures/meal-figures.ts'
import { deviationsOf, targetOf } from '../figures/target.ts'
import { foods } from '../foods/foods.ts'
import { findNewestWishes, findPlans, type PlanRecord } from '../plans/plan-records.ts'
import { shownNutrition, sumMeals, warningsOf } from '../plans/shown.ts'
import { assess } from '../suggestions/assess.ts'
import { readAllergies } from '../wishes/allergies.ts'
import { causeIn, openScreening } from '../wishes/screening.ts'
import { readDraft, shownDraft } from './draft.ts'

type Schemas = components['schemas']

/** What a planner of meals needs beside the operations of the diet: many days, drafts, and what an allergy refuses. */
export const plannerHandlers = ({
  db,
  config: { timeZone, dailyCalories },
  now = currentTime,
}: DietOptions): PlannerHandlers => {
  const dayOf = localDays(timeZone)
  return {
    async listDietDays({ query: { from, days }, user: { userId } }) {
      const today = dayOf(now()).date
      const first = from ?? today
      const plans = await findPlans(db, userId, first, daysAfter(first, days - 1))
      const newest = await findNewestWishes(db, userId)
      return {
        today,
        target: targetOf(dailyCalories),
        wishes: newest ?? { preferences: [], allergies: [] },
        days: plans.map((plan) => shownDay(plan, dailyCalories)),
      }
    },

    async previewDietDay({ body: { meals, preferences = [], allergies = [] } }) {
      const screening = openScreening(allergies)
      const drafts = meals.map((meal, index) => readDraft(meal, `meals.${index}`, screening))
      const figures = addFigures(drafts.map((draft) => draft.figures))
      const basis = addBases(drafts.map((draft) => draft.basis))
      const planned = drafts.length > 0
      return {
        meals: drafts.map(shownDraft),
        ...shownNutrition(figures),
        coverage: coverageOf(basis),
        status: assess(planned ? deviationsOf(figures, dailyCalories) : [], {
          planned,
          complete: basis.known === basis.all,
        }),
        warnings: warningsOf(drafts, preferences, screening),
        problems: drafts.flatMap(({ problems }) => problems) as Schemas['FieldProblem'][],
        refused: drafts.flatMap(({ refused }) => refused),
      }
    },

    async explainAllergy({ query: { word } }) {
      const allergies = readAllergies([word])
      const refused = foods.flatMap((food) => {
        const cause = causeIn(food, allergies)
        if (cause === null) return []
        const { allergen } = cause
        return [{ en: food.en[0], zh: food.zh[0], ...(allergen !== null && { allergen }) }]
      })
      return {
        isKnown: allergies.length > 0 && allergies.every(({ isKnown }) => isKnown),
        classes: distinct(allergies.flatMap(({ classes }) => classes)) as Schemas['Allergen'][],
        total: refused.length,
        foods: refused.sort((a, b) => a.en.localeCompare(b.en, 'en')),
      }
    },
  }
}

const shownDay = ({ date, meals, preferences, allergies }: PlanRecord, target: number): Schemas['DietDay'] => {
  const { figures, basis } = sumMeals(meals)
  const planned = meals.length > 0
  return {
    date,
    meals: meals.map((meal) => ({
      ...{ id: meal.id, time: meal.time, name: meal.name, status: meal.status },
      calories: shownNutrition(sumMeals([meal]).figures).calories,
    })),
    ...shownNutrition(figures),
    eaten: shownFigures(sumMeals(meals.filter(({ status }) => status === 'done')).figures),
    coverage: coverageOf(basis),
    status: assess(planned ? deviationsOf(figures, target) : [], { planned, complete: basis.known === basis.all }),
    ...{ preferences, allergies },
  }
}
