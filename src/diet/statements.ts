import { statementsOf } from '../failures/statement-table.ts'

/** What the report of a day suggests, and why recipes are recommended. */
export const statements = statementsOf('diet', {
  nothing_planned: 'Nothing is planned for {date}, of {calories} kcal: make a plan.',
  less_calories: 'The day has {calories} kcal, {apart} kcal ({share} %) less than the {target} kcal it should have.',
  more_calories: 'The day has {calories} kcal, {apart} kcal ({share} %) more than the {target} kcal it should have.',
  protein_share:
    'Protein gives {share} % of the energy ({grams} g); it should be {min}–{max} %, about {least}–{most} g.',
  carbs_share:
    'Carbohydrate gives {share} % of the energy ({grams} g); it should be {min}–{max} %, about {least}–{most} g.',
  fat_share: 'Fat gives {share} % of the energy ({grams} g); it should be {min}–{max} %, about {least}–{most} g.',
  with_change: '{finding} {change}',
  helps_most: 'What helps most: {change}',
  add_recipe:
    'Add recipe {id}, {name}, {calories} kcal: then the day has {total} kcal, with {protein} % protein, {carbs} % carbs, {fat} % fat.',
  swap_recipe:
    'Instead of {meal} at {time} have recipe {id}, {name}, {calories} kcal: then the day has {total} kcal, with {protein} % protein, {carbs} % carbs, {fat} % fat.',
  nothing_known: 'Nothing is known of {names}: the figures are without it.',

  calories_left: '{calories} kcal of the {left} kcal that are left today',
  wished: '{wish}',
  without: 'without {name}',
  breakfast: 'breakfast',
  lunch: 'lunch',
  dinner: 'dinner',
  snack: 'snack',
})
