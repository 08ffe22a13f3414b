import type { Recipe } from '../recipe.ts'

/** The ingredients of one serving, written as ids of foods with their amounts: `egg 2个, tomato 200g`. */
export const serving = (list: string): Recipe['ingredients'] =>
  list.split(', ').map((ingredient) => {
    const [food = '', amount = ''] = ingredient.split(' ')
    return { food, amount }
  })
