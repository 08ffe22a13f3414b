import { Alert, Button, Divider, Group, Stack, Table } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Body } from '../../app/api.ts'
import { isStale, notSent } from '../../app/changed-meanwhile.ts'
import { fieldName } from '../../app/failures.ts'
import { useLanguage } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { reading, useChange } from '../../app/queries.ts'
import { updateUser } from '../../generated/forms/updateUser.ts'
import { type UserField, userFields } from '../../generated/record-fields.ts'
import { profileLayout } from '../../hints/people.tsx'
import { ContractForm } from '../../ui/ContractForm.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { Time } from '../../ui/Time.tsx'
import { PersonValues } from '../attributes/RecordValues.tsx'
import { sourceText } from './columns.tsx'
import { Facts } from './Facts.tsx'
import { MayNot, useWhyNot } from './MayNot.tsx'
import type { Person } from './PersonDrawer.tsx'

type ProfileField = Exclude<UserField, 'avatar'>
const profileFields = userFields.filter((name): name is ProfileField => name !== 'avatar')

/** Two fields have other names in the record. */
const textsOf = ({ name, departmentsText, ...person }: Person): Record<ProfileField, string> => {
  const texts: Record<UserField, string> = { ...person, nickname: name, departments: departmentsText }
  return Object.fromEntries(profileFields.map((field) => [field, texts[field]])) as Record<ProfileField, string>
}

const isSameProfile = (one: Person, other: Person): boolean => {
  const texts = textsOf(other)
  return Object.entries(textsOf(one)).every(([name, text]) => text === texts[name as ProfileField])
}

/** A person as the form has it. */
const valuesOf = (person: Person) => ({
  id: person.id,
  ...textsOf(person),
  departmentId: person.groups.map(({ id }) => id),
  roleIds: person.roles.map(({ id }) => id),
})

export const ProfileTab = ({ person }: { person: Person }) => {
  const texts = usePageTexts('people')
  const { people, fields } = texts
  const why = useWhyNot(person, 'updateUser')
  // The form begins with this record, and begins anew with what was saved.
  const [shown, setShown] = useState(person)
  const values = valuesOf(person)
  return (
    <>
      <MayNot why={why} />
      {why === null ? (
        <ProfileForm key={shown.version} person={shown} onSaved={setShown} />
      ) : (
        <Facts facts={profileFields.map((name) => [fields[name], values[name]])} />
      )}
      <Stack gap="md" mt="md">
        <Divider />
        <PersonValues id={person.id} mayChange={person.access.change} />
        <Facts
          facts={[
            [fields.source, sourceText(texts, person.source)],
            ...(person.sourceUserId === '' ? [] : [[people.person.sourceId, person.sourceUserId] as const]),
            [people.person.creator, person.creator],
            [people.columns.createdAt, <Time key="created" value={person.createdAt} />],
            [people.columns.updatedAt, <Time key="updated" value={person.updatedAt} />],
          ]}
        />
      </Stack>
    </>
  )
}

const ProfileForm = ({ person, onSaved }: { person: Person; onSaved(now: Person): void }) => {
  const { people } = usePageTexts('people')
  const client = useQueryClient()
  const save = useChange('updateUser', ['getPerson', 'listPeople'])
  const query = reading('getPerson', { path: { id: person.id } })
  const [version, setVersion] = useState(person.version)
  const [conflict, setConflict] = useState<{ now: Person; mine: Body<'updateUser'> } | null>(null)
  const newest = (): Promise<Person> => client.fetchQuery({ ...query, staleTime: 0 })
  const refuse = (now: Person, mine: Body<'updateUser'>): never => {
    setConflict({ now, mine })
    throw notSent()
  }
  const submit = async (mine: Body<'updateUser'>): Promise<void> => {
    const now = await newest()
    // What others changed beside this form, such as roles, stays as they saved it.
    const isAsShown = isSameProfile(now, person)
    if (now.version !== version && !isAsShown) return refuse(now, mine)
    const { departmentId, roleIds } = valuesOf(now)
    try {
      await save.mutateAsync({ body: { ...mine, departmentId, roleIds, version: now.version } })
    } catch (error) {
      // Saved by another administrator between our reading and our writing.
      if (isStale(error)) return refuse(await newest(), mine)
      throw error
    }
    notifyDone(people.person.saved)
    onSaved(client.getQueryData(query.queryKey) ?? now)
  }
  return (
    <ContractForm form={updateUser} layout={profileLayout} initial={valuesOf(person)} changedOnly submit={submit}>
      {conflict !== null && conflict.now.version !== version && (
        <Conflict
          first={person}
          {...conflict}
          onMine={() => setVersion(conflict.now.version)}
          onTheirs={() => onSaved(conflict.now)}
        />
      )}
    </ContractForm>
  )
}

interface ConflictProps {
  first: Person
  now: Person
  mine: Body<'updateUser'>
  /** What is typed is to stand. */
  onMine(): void
  /** What is saved is to stand. */
  onTheirs(): void
}

/** Another administrator saved meanwhile: both, side by side, and the choice. */
const Conflict = ({ first, now, mine, onMine, onTheirs }: ConflictProps) => {
  const locale = useLanguage()
  const { people, failures } = usePageTexts('people')
  const before = valuesOf(first)
  const after = valuesOf(now)
  const rows = profileFields.filter((name) => mine[name] !== undefined || before[name] !== after[name])
  return (
    <Alert color="yellow" title={failures.conflict} role="group">
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{people.person.field}</Table.Th>
            <Table.Th>{people.person.mine}</Table.Th>
            <Table.Th>{people.person.theirs}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((name) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{fieldName(locale, name)}</Table.Th>
              <Table.Td>{String(mine[name] ?? before[name]) || '–'}</Table.Td>
              <Table.Td>{after[name] || '–'}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Group gap="sm" mt="sm">
        <Button variant="default" onClick={onMine}>
          {people.person.keepMine}
        </Button>
        <Button variant="default" onClick={onTheirs}>
          {people.person.takeTheirs}
        </Button>
      </Group>
    </Alert>
  )
}
