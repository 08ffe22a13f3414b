import { type AllergenClass, allergenClasses } from '../allergens.ts'
import { singularKey } from '../names/food-names.ts'
import { phrasesIn } from '../names/phrases.ts'
import { allergenNamesByKey } from './telling-names.ts'

/** What a name claims to be free from: whole classes, and phrases by their keys. */
export interface FreeClaims {
  classes: ReadonlySet<AllergenClass>
  phrases: ReadonlySet<string>
}

/** The names that cover the whole class. Lactose does not: it can be removed from milk. Nor does one kind of nut. */
const wholeNames: Readonly<Record<AllergenClass, readonly string[]>> = {
  gluten: ['gluten', '麸质'],
  crustaceans: ['crustaceans', 'shellfish', 'seafood', '甲壳类', '海鲜'],
  eggs: ['eggs', '蛋', '蛋类', '鸡蛋'],
  fish: ['fish', 'seafood', '鱼', '鱼类', '海鲜'],
  peanuts: ['peanuts', '花生'],
  soybeans: ['soy', 'soya', 'soybeans', '大豆', '黄豆'],
  milk: ['milk', 'dairy', '奶', '牛奶', '乳制品', '奶制品'],
  nuts: ['nuts', 'tree nuts', '坚果'],
  celery: ['celery', '芹菜'],
  mustard: ['mustard', '芥末'],
  sesame: ['sesame', '芝麻'],
  sulphites: ['sulphites', 'sulfites', '亚硫酸盐', '二氧化硫'],
  lupin: ['lupin', '羽扇豆'],
  molluscs: ['molluscs', 'mollusks', 'shellfish', 'seafood', '软体动物', '贝类', '海鲜'],
}

const wholeKeys = new Map(allergenClasses.map((allergen) => [allergen, new Set(wholeNames[allergen].map(singularKey))]))

const ofAnimals: readonly AllergenClass[] = ['milk', 'eggs', 'fish', 'crustaceans', 'molluscs']

const vegan = /(?<!\b(?:non|not) )\bvegan\b|(?<![非不])纯素/

/** `free range` and `free from bones` say nothing of what is before them. */
const before = /((?:[\p{L}\p{N}]+ ){1,6})free(?! (?:range|run|roaming|from|of)\b)(?![\p{L}\p{N}])/gu

const after = /(?:无|不含)(\p{Script=Han}{1,12})/gu

/** What is called milk after the plant that it is of. */
const plantMilk =
  /\b(oat|rice|soy|soya|almond|coconut|cashew|hazelnut|hemp|pea|quinoa|flax|macadamia) milk\b|(燕麦|大米|糙米|椰|榛子|腰果|杏仁|豆)奶/gu

/**
 * What a name claims to be free from. This is the producer's claim, which is not verified.
 * @param key by `singularKey`
 */
export const freeClaimsIn = (key: string): FreeClaims => {
  const denials = [...endings(key), ...beginnings(key)]
  const classes = allergenClasses.filter(
    (allergen) =>
      (ofAnimals.includes(allergen) && vegan.test(key)) ||
      (allergen === 'milk' && isOfPlants(key)) ||
      denials.some((denied) => isOfWhole(allergen, denied)),
  )
  return { classes: new Set(classes), phrases: new Set(denials.flat()) }
}

/** Of `no sugar, tree nut free` what may be free of: `tree nut` and `nut`, the longest first. */
const endings = (key: string): string[][] =>
  [...key.matchAll(before)].map(([, text = '']) => {
    const words = text.trim().split(' ')
    return words.map((_, start) => words.slice(start).join(' '))
  })

/** Of `无蛋蛋糕` what there may be none of, the longest first. */
const beginnings = (key: string): string[][] =>
  [...key.matchAll(after)].map(([, text = '']) => [...text].map((_, index) => text.slice(0, text.length - index)))

/** Free from egg yolk, 蛋黄, does not mean free from eggs, 蛋: the longest name counts. */
const isOfWhole = (allergen: AllergenClass, denied: readonly string[]): boolean => {
  const whole = wholeKeys.get(allergen)
  const longest = denied.find((phrase) => whole?.has(phrase) || allergenNamesByKey.get(allergen)?.has(phrase))
  return longest !== undefined && whole?.has(longest) === true
}

/** Whether all milk in a name is plant milk. */
const isOfPlants = (key: string): boolean => {
  const rest = key.replaceAll(plantMilk, '$1$2')
  return rest !== key && ![...phrasesIn(rest)].some((phrase) => allergenNamesByKey.get('milk')?.has(phrase))
}
