import { Anchor, Button } from '@mantine/core'
import { useState } from 'react'
import { usePageTexts } from '../../app/page-texts.ts'
import { useReading } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import { pathText } from '../../ui/DepartmentPicker.tsx'
import { Empty } from '../../ui/states.tsx'
import { useAddress } from '../../ui/use-search.ts'
import { BulkDialog } from './BulkDialog.tsx'
import type { Bulk } from './bulk.ts'
import { MayNot, useWhyNot } from './MayNot.tsx'
import type { Person } from './PersonDrawer.tsx'
import { RecordList } from './RecordList.tsx'

/** The departments and groups of a person. */
export const GroupsTab = ({ person }: { person: Person }) => {
  const { people } = usePageTexts('people')
  const why = useWhyNot(person, 'changePeople')
  const [bulk, setBulk] = useState<Bulk | null>(null)
  return (
    <>
      <MayNot why={why} />
      {person.groups.length === 0 ? (
        <Empty title={people.groups.none} />
      ) : (
        <RecordList<Person['groups'][number]>
          label={people.person.groups}
          records={person.groups}
          detail={({ id, type }) => (
            <>
              <DepartmentPath id={id} /> · {people.groups.types[type]}
            </>
          )}
          link={({ id, name }) => <ToDepartment id={id} name={name} />}
          {...(why === null && {
            remove: ({ id, name }) =>
              setBulk({ action: 'removeGroups', targets: [person], given: { groupIds: [id] }, known: [{ id, name }] }),
          })}
        />
      )}
      {why === null && (
        <Button variant="default" mt="sm" onClick={() => setBulk({ action: 'addGroups', targets: [person] })}>
          {people.bulk.menu.addGroups}
        </Button>
      )}
      <BulkDialog bulk={bulk} onClose={() => setBulk(null)} />
    </>
  )
}

const ToDepartment = ({ id, name }: { id: number; name: string }) => {
  const [, setSearch] = useAddress()
  return (
    <Anchor
      component="button"
      type="button"
      onClick={() => setSearch({ department: id, person: undefined, tab: undefined })}
    >
      {name}
    </Anchor>
  )
}

const DepartmentPath = ({ id }: { id: number }) => {
  const may = useMay('getDepartmentPath')
  const path = useReading('getDepartmentPath', { path: { id } }, { enabled: may })
  return <>{pathText((path.data ?? []).slice(0, -1))}</>
}
