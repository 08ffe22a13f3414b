import { Button, Title } from '@mantine/core'
import { useState } from 'react'
import { usePageTexts } from '../../app/page-texts.ts'
import { useMay } from '../../app/session.tsx'
import { GrantedMenus } from '../../ui/GrantedMenus.tsx'
import { Empty } from '../../ui/states.tsx'
import { BulkDialog } from './BulkDialog.tsx'
import type { Bulk } from './bulk.ts'
import { MayNot, useWhyNot } from './MayNot.tsx'
import type { Person } from './PersonDrawer.tsx'
import { RecordList } from './RecordList.tsx'
import { WhyGranted } from './WhyGranted.tsx'

/** The roles of a person, and what they let this person do. */
export const RolesTab = ({ person }: { person: Person }) => {
  const { people, grantedMenus } = usePageTexts('people')
  const why = useWhyNot(person, 'changePeople')
  const mayExplain = useMay('explainGrant')
  const maySeeMenus = useMay('getAccessMenuTree')
  const [bulk, setBulk] = useState<Bulk | null>(null)
  return (
    <>
      <MayNot why={why} />
      {person.roles.length === 0 ? (
        <Empty title={people.roles.none} help={people.roles.noneHelp} />
      ) : (
        <RecordList<Person['roles'][number]>
          label={people.person.roles}
          records={person.roles}
          detail={({ keyword, sort, status }) => people.roles.detail(keyword, sort, status === 'disabled')}
          {...(why === null && {
            remove: ({ id, name }) =>
              setBulk({ action: 'removeRoles', targets: [person], given: { roleIds: [id] }, known: [{ id, name }] }),
          })}
        />
      )}
      {why === null && (
        <Button variant="default" mt="sm" onClick={() => setBulk({ action: 'addRoles', targets: [person] })}>
          {people.bulk.menu.addRoles}
        </Button>
      )}
      {mayExplain && (
        <section aria-labelledby="why">
          <Title order={3} id="why" mt="lg" mb="xs">
            {people.why.title}
          </Title>
          <WhyGranted id={person.id} />
        </section>
      )}
      {maySeeMenus && (
        <section aria-labelledby="menus">
          <Title order={3} id="menus" mt="lg" mb="xs">
            {grantedMenus.title}
          </Title>
          <GrantedMenus userId={person.id} />
        </section>
      )}
      <BulkDialog bulk={bulk} onClose={() => setBulk(null)} />
    </>
  )
}
