/** `1 device`, `3 devices`; pass the plural if it is not formed with an s. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** The time between two instants in words: `5 minutes`, `3 hours`, `12 days`. */
export const span = (from: Date, to: Date): string => {
  const minutes = Math.max(0, Math.floor((to.getTime() - from.getTime()) / 60_000))
  if (minutes < 120) return counted(minutes, 'minute')
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? counted(hours, 'hour') : counted(Math.floor(hours / 24), 'day')
}

/** `a, b and 3 more`, of names of which only the first are known. */
export const listed = (names: readonly string[], total = names.length): string => {
  const shown = names.slice(0, 5)
  const more = total - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}
