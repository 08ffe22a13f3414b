import { Badge, Group, Tabs, Text } from '@mantine/core'
import { type ReactNode, Suspense } from 'react'
import type { Data } from '../../app/api.ts'
import { useTexts } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { useReading } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { RecordDrawer } from '../../ui/RecordDrawer.tsx'
import { Forbidden, Loading, QueryState } from '../../ui/states.tsx'
import { useAddress } from '../../ui/use-search.ts'
import { HostsTab } from '../hosts/HostsTab.tsx'
import { DirectoryTab } from './DirectoryTab.tsx'
import { GroupsTab } from './GroupsTab.tsx'
import { HistoryTab } from './HistoryTab.tsx'
import { ProfileTab } from './ProfileTab.tsx'
import { RolesTab } from './RolesTab.tsx'
import { SignInTab } from './SignInTab.tsx'

// The other tabs are loaded when they are opened.
export type Person = Data<'getPerson'>

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
        <Suspense fallback={<Loading />}>
          <Forbidden operation="getPerson" />
        </Suspense>
      )}
    </RecordDrawer>
  )
}

const PersonTabs = ({ person, onGone }: { person: Person; onGone(): void }) => {
  const { status } = useTexts()
  const { people, hosts } = usePageTexts('people', 'hosts')
  const [search, setSearch] = useAddress()
  const mayLog = useMay('listLogEntries')
  const mayHosts = [useMay('listPersonSshKeys'), useMay('getPersonPosix')].includes(true)
  const tabs: readonly (readonly [id: string, title: string, content: () => ReactNode])[] = [
    ['profile', people.person.profile, () => <ProfileTab person={person} />],
    ['groups', people.person.groups, () => <GroupsTab person={person} />],
    ['roles', people.person.roles, () => <RolesTab person={person} />],
    ['sign-in', people.person.signIn, () => <SignInTab person={person} onGone={onGone} />],
    ['directory', people.person.directory, () => <DirectoryTab person={person} />],
    ...(mayHosts ? [['hosts', hosts.tab, () => <HostsTab person={person} />] as const] : []),
    ...(mayLog ? [['history', people.person.history, () => <HistoryTab person={person} />] as const] : []),
  ]
  const open = tabs.find(([id]) => id === search.tab)?.[0] ?? 'profile'
  return (
    <>
      <Group gap="sm" mb="sm">
        <Text c="dimmed">{person.username}</Text>
        <Meaning level={person.status === 'enabled' ? 'safe' : 'none'}>{status[person.status]}</Meaning>
        {person.lockedUntil !== null && <Meaning level="danger">{people.account.locked}</Meaning>}
        {person.roles.map(({ id, name }) => (
          <Badge key={id} variant="default" tt="none" fw={500}>
            {name}
          </Badge>
        ))}
      </Group>
      <Tabs
        value={open}
        keepMounted={false}
        onChange={(tab) => setSearch({ tab: tab === 'profile' ? undefined : (tab ?? undefined), why: undefined })}
      >
        <Tabs.List mb="md">
          {tabs.map(([id, title]) => (
            <Tabs.Tab key={id} value={id}>
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(([id, , content]) => (
          <Tabs.Panel key={id} value={id}>
            <Suspense fallback={<Loading />}>{content()}</Suspense>
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  )
}
