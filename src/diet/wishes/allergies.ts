import { type AllergenClass, allergenClasses, allergenNames } from '../allergens.ts'
import type { Food } from '../food.ts'
import { findFood, nameKey, namesOf, singularKey } from '../names/food-names.ts'
import { wordsIn } from '../names/words.ts'

/** Something that somebody must not eat, by one word of his. */
export interface Allergy {
  /** As it was typed. */
  word: string
  classes: readonly AllergenClass[]
  /** The food of that name. */
  food: Food | null
  /** What is looked for in names: the word without what is around it, and all names of that food. */
  keys: readonly string[]
}

/** Classes by what people call them. */
const classesOf = new Map<string, AllergenClass[]>()
for (const allergen of allergenClasses) {
  for (const name of [...allergenNames[allergen].en, ...allergenNames[allergen].zh]) {
    const key = singularKey(name)
    const classes = classesOf.get(key) ?? []
    if (!classes.includes(allergen)) classesOf.set(key, [...classes, allergen])
  }
}

/** The allergies that texts of a person name: classes and foods, in English or Chinese. */
export const readAllergies = (texts: readonly string[]): Allergy[] =>
  texts.flatMap(wordsIn).map((word) => {
    const bare = bareWord(word)
    const food = findFood(bare)
    const keys = [bare, ...(food === null ? [] : namesOf(food))].map(singularKey)
    return { word, classes: classesOf.get(singularKey(bare)) ?? [], food, keys: [...new Set(keys)] }
  })

/** A word that is none of the classes: nobody has written down what it is in, but for what names say. */
export const isByName = ({ classes }: Allergy): boolean => classes.length === 0

/** `peanut` of `allergic to peanut`, `对花生过敏` or `no peanut`. `无花果` is a fig, and not something without 花果. */
const bareWord = (word: string): string => {
  if (classesOf.has(singularKey(word)) || findFood(word) !== null) return word
  const bare = nameKey(word)
    .replace(/^((i am |im )?allergic to|no|without|avoid)( |(?=\p{Script=Han}))/u, '')
    .replace(/( |(?<=\p{Script=Han}))(allergy|allergies|intolerance|intolerant|free)$/u, '')
    .replace(/^我?对(?=.+过敏)/, '')
    .replace(/^(不吃|不含|不要|忌口?|无)(?=.)/, '')
    .replace(/(过敏|不耐受)$/, '')
  return bare === '' ? word : bare
}
