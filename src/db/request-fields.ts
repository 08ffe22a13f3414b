/** The name of one item of a list field, for a problem with it: `userIds.3`. */
export const itemOf =
  (field: string) =>
  (index: number): string =>
    `${field}.${index}`

/** The name of a field with a single value. */
export const only = (field: string) => (): string => field
