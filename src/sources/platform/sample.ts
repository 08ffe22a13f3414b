import type { JsonObject } from './json.ts'

/** Departments that are tried to find a sample of people. */
const maxTried = 5

/** The first page of people of the first of these departments that is not empty. */
export const samplePeople = async (
  departments: readonly string[],
  members: (department: string) => AsyncIterable<readonly JsonObject[]>,
): Promise<readonly JsonObject[]> => {
  for (const department of departments.slice(0, maxTried))
    for await (const page of members(department)) if (page.length > 0) return page
  return []
}
