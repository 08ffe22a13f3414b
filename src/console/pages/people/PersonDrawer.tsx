import { lazy } from 'react'
import type { Data } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useReading } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import { RecordDrawer } from '../../ui/RecordDrawer.tsx'
import { Forbidden, QueryState } from '../../ui/states.tsx'

export type Person = Data<'getPerson'>

// The frame is there at once; what it shows is loaded with the record.
const PersonTabs = lazy(async () => ({ default: (await import('./PersonTabs.tsx')).PersonTabs }))

interface PersonDrawerProps {
  /** null: none is open. */
  id: number | null
  onClose(): void
}

/** All of one person, in tabs; which one is open is in the address. */
export const PersonDrawer = ({ id, onClose }: PersonDrawerProps) => {
  const { people } = usePageTexts('people')
  const may = useMay('getPerson')
  const query = useReading('getPerson', { path: { id: id ?? 0 } }, { enabled: may && id !== null })
  const person = id === null ? undefined : query.data
  return (
    <RecordDrawer
      opened={id !== null}
      onClose={onClose}
      size={760}
      title={person === undefined ? people.person.title : person.name || person.username}
    >
      {may ? (
        <QueryState query={query}>{(data) => <PersonTabs key={data.id} person={data} onGone={onClose} />}</QueryState>
      ) : (
        <Forbidden operation="getPerson" />
      )}
    </RecordDrawer>
  )
}
