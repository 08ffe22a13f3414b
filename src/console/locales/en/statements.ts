/** What reports say: the service's own words are English. */
export const statements = {} as Readonly<Record<string, string>>
