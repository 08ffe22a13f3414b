import { type Dish, dishes } from '../dishes.ts'
import { shareOf } from '../figures/energy.ts'
import { findFood, nameKey, singularKey } from '../names/food-names.ts'
import { partsIn, wordsIn } from '../names/words.ts'
import type { Cuisine } from '../recipe.ts'
import { readAvoided } from './allergies.ts'
import { isFree } from './screening.ts'

/** Something that a person likes or dislikes, from one word that they typed. */
export interface Preference {
  /** As it was typed. */
  word: string
  /** A dish that does not fit is left out; of the others those that fit come first. */
  strict: boolean
  fits: (dish: Dish) => boolean
}

type Quality = Omit<Preference, 'word'> & { names: readonly string[] }

const from = (cuisine: Cuisine, ...names: string[]): Quality => ({
  names,
  strict: false,
  fits: (dish) => dish.cuisine === cuisine,
})

/** The claims are those of Regulation (EC) No 1924/2006, Annex, except low carb, which is not regulated. */
const qualities: readonly Quality[] = [
  {
    names: ['vegan', 'plant based', '纯素', '全素', '严格素食', '纯素食'],
    strict: true,
    fits: ({ foods }) => foods.every(({ origin }) => origin === 'plant'),
  },
  {
    names: ['vegetarian', 'veggie', '素食', '素', '吃素', '蛋奶素', '素菜'],
    strict: true,
    fits: ({ foods }) => foods.every(({ origin }) => origin === 'plant' || origin === 'dairy-egg'),
  },
  {
    names: ['pescatarian', 'pescetarian', '鱼素'],
    strict: true,
    fits: ({ foods }) => foods.every(({ origin }) => origin !== 'meat'),
  },
  {
    // At least 20 % of the energy.
    names: ['high protein', '高蛋白', '高蛋白质'],
    strict: false,
    fits: ({ figures }) => (shareOf(figures, 'protein') ?? 0) >= 20,
  },
  {
    // At most 3 g in 100 g.
    names: ['low fat', '低脂', '低脂肪', '少油'],
    strict: false,
    fits: ({ figures, weight }) => figures.fat * 100 <= 3 * weight,
  },
  {
    // At most 40 kcal in 100 g.
    names: ['low calorie', 'low energy', '低卡', '低热量', '低卡路里'],
    strict: false,
    fits: ({ figures, weight }) => figures.calories * 100 <= 40 * weight,
  },
  {
    // At least 3 g in 100 kcal.
    names: ['high fibre', 'high fiber', '高纤', '高纤维', '高膳食纤维'],
    strict: false,
    fits: ({ figures, fibre }) => fibre * 100 >= 3 * figures.calories,
  },
  {
    // At most 26 % of the energy: Feinman et al., Nutrition 31 (2015), 1–13.
    names: ['low carb', 'low carbs', '低碳水', '低碳', '低碳水化合物'],
    strict: false,
    fits: ({ figures }) => (shareOf(figures, 'carbs') ?? 0) <= 26,
  },
  from('chinese', 'chinese', 'chinese food', '中餐', '中式', '中国菜'),
  from('western', 'western', 'western food', '西餐', '西式'),
  from('japanese', 'japanese', 'japanese food', '日餐', '日式', '日料', '日本料理'),
  from('korean', 'korean', 'korean food', '韩餐', '韩式', '韩国料理'),
  from('indian', 'indian', 'indian food', '印度菜', '印度料理'),
  from('southeast-asian', 'southeast asian', 'thai', 'vietnamese', '东南亚菜', '泰国菜', '越南菜'),
]

const qualityOf = new Map(qualities.flatMap((quality) => quality.names.map((name) => [nameKey(name), quality])))

const avoidance = /^(no|without|avoid)( |\p{Script=Han})|( |\p{Script=Han})free$|^(不吃|不要|不含|忌口?|无)(?=.)/u

const avoidancePrefix = /^((no|without|avoid) +|不吃|不要|不含|忌口?|无)(?=.)/i

/** The preferences in a person's texts: a way of eating, a claim, a cuisine, a food they like or avoid. */
export const readPreferences = (texts: readonly string[]): Preference[] =>
  texts.flatMap(partsIn).flatMap(wishesIn).map(readPreference)

/** A word that fits no dish, so that it has no effect. */
export const isIdle = ({ fits, strict }: Preference): boolean => !strict && !dishes.some(fits)

/** The words of one part: `no pork and beef` means neither. */
const wishesIn = (part: string): string[] => {
  const words = wordsIn(part)
  const [first = ''] = words
  const prefix = isAvoidance(first) ? avoidancePrefix.exec(first)?.[0] : undefined
  if (prefix === undefined) return words
  return words.map((word) => (qualityOf.has(nameKey(word)) || isAvoidance(word) ? word : prefix + word))
}

const readPreference = (word: string): Preference => {
  const quality = qualityOf.get(nameKey(word))
  if (quality !== undefined) return { word, strict: quality.strict, fits: quality.fits }
  return isAvoidance(word) ? avoiding(word) : liking(word)
}

/** A fig is 无花果, and nothing to avoid. */
const isAvoidance = (word: string): boolean => avoidance.test(nameKey(word)) && findFood(word) === null

const avoiding = (word: string): Preference => {
  const avoided = readAvoided(word)
  const fits = ({ foods }: Dish): boolean => foods.every((food) => isFree(food, avoided))
  // A word that is in no recipe and no class of allergens is unknown.
  const isKnown = avoided.some(({ classes }) => classes.length > 0) || !dishes.every(fits)
  return { word, strict: isKnown, fits: isKnown ? fits : () => false }
}

const liking = (word: string): Preference => {
  const key = singularKey(word)
  return { word, strict: false, fits: ({ phrases }) => phrases.has(key) }
}
