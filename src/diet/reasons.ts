import { reasonsOf } from '../reason-table.ts'

/** Why the diet refuses a request. */
export const reasons = reasonsOf('diet', {
  plan_not_found: { kind: 'not_found', text: 'there is no plan for {date}' },
  meal_not_found: { kind: 'not_found', text: 'there is no meal {id}' },
  recipe_not_found: { kind: 'invalid', text: 'there is no recipe {id}' },
  amount: {
    kind: 'invalid',
    text: 'of {item} must be a number and one of the units g, kg, ml, L, 个, 只, 份, such as 150g or 1/2个: more than 0, and at most 100 kg, 100 L or 1000 pieces or portions',
  },
  allergen: { kind: 'invalid', text: '{proof}' },
  required_without_recipe: { kind: 'invalid', text: 'is required, unless there is a recipeId' },
  only_with_recipe: { kind: 'invalid', text: 'goes with a recipeId only' },
  not_with_recipe: { kind: 'invalid', text: 'does not go with a recipeId' },
})
