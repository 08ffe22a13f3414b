// The room diet.
// Meals, plans, nutrition, recipes; foods/ and recipes/ are its data.
// It never needs another service.

import { catalogueHandlers } from './catalogue/catalogue-handlers.ts'
import { type DietOptions, dietHandlers } from './diet-handlers.ts'
import { plannerHandlers } from './planner/planner-handlers.ts'

export type Diet = ReturnType<typeof openDiet>

/** What can be done with meals and plans. */
export const openDiet = (options: DietOptions) => ({
  handlers: { diet: dietHandlers(options), catalogue: catalogueHandlers(), planner: plannerHandlers(options) },
})
