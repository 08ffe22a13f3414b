import { reasonsOf } from '../failures/reason-table.ts'

/** Why the diet refuses a request. */
export const reasons = reasonsOf('diet', {
  plan_not_found: { kind: 'not_found', text: 'no plan exists for {date}' },
  meal_not_found: { kind: 'not_found', text: 'meal {id} does not exist' },
  recipe_not_found: { kind: 'invalid', text: 'recipe {id} does not exist' },
  amount: {
    kind: 'invalid',
    text: 'of {item} must be a number and one of the units g, kg, ml, L, 个, 只, 份, such as 150g or 1/2个: more than 0, and at most 100 kg, 100 L or 1000 pieces or portions',
  },
  allergen: { kind: 'invalid', text: '{proof}' },
  required_without_recipe: { kind: 'invalid', text: 'is required without recipeId' },
  only_with_recipe: { kind: 'invalid', text: 'is allowed only with recipeId' },
  not_with_recipe: { kind: 'invalid', text: 'is not allowed with recipeId' },
})
