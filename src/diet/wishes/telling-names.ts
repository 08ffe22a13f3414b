import { type AllergenClass, allergenClasses, allergenNames } from '../allergens.ts'
import { foods } from '../foods/foods.ts'
import { namesOf, singularKey } from '../names/food-names.ts'

/** By key, the parts of a name that reveal an allergen: names of its class, and of the foods that contain it. */
export const allergenNamesByKey: ReadonlyMap<AllergenClass, ReadonlyMap<string, string>> = new Map(
  allergenClasses.map((allergen) => {
    const { en, zh } = allergenNames[allergen]
    const names = foods.filter(({ allergens }) => allergens.includes(allergen)).flatMap(namesOf)
    // The last of a key stays: of `shrimp` and `shrimps` the first.
    const all = [...en, ...zh, ...names].reverse()
    return [allergen, new Map(all.map((name) => [singularKey(name), name]))]
  }),
)
