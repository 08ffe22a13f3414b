import { setImmediate as turn } from 'node:timers/promises'
import type { Organisation } from '../../scripts/fakes/organisation.ts'
import type { Reading, Source, SourceDepartment, SourceUser } from '../../src/sources/source.ts'

/** An organisation as the engine sees it, without any platform in between. */
export interface OrganisationSource extends Source {
  organisation: Organisation
  /** In which order records come and how they are cut into batches. */
  shuffle: <T>(items: T[]) => T[]
  batch: number
  /** Throws after that many records; null: it does not. */
  failAfter: number | null
  gaps: string[]
  /** Awaited before every batch. */
  before: () => Promise<void>
}

/** The fields of a person that field relations read: absent where the organisation has no value. */
const recordOf = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

export const organisationSource = (organisation: Organisation): OrganisationSource => {
  const source: OrganisationSource = {
    connector: 'dingtalk',
    rootId: 'root',
    organisation,
    shuffle: (items) => items,
    batch: 50,
    failAfter: null,
    gaps: [],
    before: () => turn(),
    departments: (reading) =>
      batches(
        source,
        reading,
        source.organisation.departments.map(
          ({ id, parentId, name }): SourceDepartment => ({
            id,
            parentId: parentId ?? 'root',
            record: recordOf({ id, name }),
          }),
        ),
      ),
    // Platforms list people by department: a person in several comes several times.
    users: (reading) =>
      batches(
        source,
        reading,
        source.organisation.people.flatMap((person): SourceUser[] =>
          person.departmentIds.map((departmentId) => ({
            id: person.id,
            unionId: person.unionId,
            departmentIds: [departmentId === '' ? 'root' : departmentId],
            active: person.state === 'active' || person.state === 'invited',
            record: recordOf({ ...person }),
          })),
        ),
      ),
    diagnose: async () => ({ steps: [], roots: [], missingFields: [] }),
    close: async () => {},
  }
  return source
}

async function* batches<T>(source: OrganisationSource, { signal, gap }: Reading, records: T[]): AsyncGenerator<T[]> {
  for (const text of source.gaps) gap({ code: 'sources.directory_said', params: { problem: text }, text })
  const inOrder = source.shuffle(records)
  for (let at = 0; at < inOrder.length; at += source.batch) {
    await source.before()
    signal.throwIfAborted()
    if (source.failAfter !== null && at >= source.failAfter) throw new Error('the page could not be read')
    yield inOrder.slice(at, at + source.batch)
  }
  if (source.failAfter !== null) throw new Error('the page could not be read')
}
