import type { Statement } from '../../failures/statement.ts'
import { statements } from '../statements.ts'
import type { Manner } from './client.ts'
import { type Examination, stepMaxPause } from './examination.ts'
import { idAt, type JsonObject, textAt } from './json.ts'

export interface VisibleOptions {
  contacts: {
    /** The departments directly below the root; null: the root is not visible. */
    belowRoot(manner: Manner): Promise<readonly JsonObject[] | null>
    department(id: string, manner: Manner): Promise<JsonObject>
  }
  /** The ids of the departments in the scope of the app. */
  scope: readonly string[]
  rootId: string
  /** The field of a department with its id. */
  idField: string
  rootVisible: (values: { departments: number }) => Statement
  /** How the app gets to see the root. */
  advice: Statement
}

/** The most departments of a scope that are requested by name. */
const maxShown = 20

/**
 * The step of a diagnosis that finds the topmost departments, and notes their names.
 * @returns where people can be looked for, as ids; null: the step failed
 */
export const visibleDepartments = async (
  { step, roots }: Examination,
  { contacts, scope, rootId, idField, rootVisible, advice }: VisibleOptions,
): Promise<string[] | null> => {
  const idOf = (department: JsonObject): string => idAt(department[idField])
  const visible = await step('departments', async (signal) => {
    const manner = { signal, maxPause: stepMaxPause }
    const below = await contacts.belowRoot(manner)
    if (below !== null) {
      const found = rootVisible({ departments: below.length })
      return { found, value: { places: [rootId, ...below.map(idOf)], top: below } }
    }
    const top: JsonObject[] = []
    for (const id of scope.slice(0, maxShown)) top.push(await contacts.department(id, manner))
    const found = statements.root_hidden({ departments: scope.length })
    return { found, advice, value: { places: top.map(idOf), top } }
  })
  if (visible === null) return null
  roots(visible.top.map((department) => textAt(department.name) || idOf(department)))
  return visible.places
}
