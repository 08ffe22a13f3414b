import { type MealKind, mealKinds } from '../recipe.ts'

/** What a meal at this time (`HH:mm`) usually is. */
export const kindAt = (time: string): MealKind => {
  if (time >= '05:00' && time < '10:30') return 'breakfast'
  if (time >= '10:30' && time < '14:30') return 'lunch'
  return time >= '17:00' && time < '21:30' ? 'dinner' : 'snack'
}

/** The meals of a day that nothing is planned for; there is always room for a snack. */
export const openKinds = (times: readonly string[]): ReadonlySet<MealKind> => {
  const taken = new Set(times.map(kindAt))
  return new Set(mealKinds.filter((kind) => kind === 'snack' || !taken.has(kind)))
}
