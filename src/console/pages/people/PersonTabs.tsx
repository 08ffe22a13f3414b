import { Badge, Group, Tabs, Text } from '@mantine/core'
import { type ReactNode, Suspense } from 'react'
import { useTexts } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { useMay } from '../../app/session.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { Loading } from '../../ui/states.tsx'
import { useAddress } from '../../ui/use-search.ts'
import { HostsTab } from '../hosts/HostsTab.tsx'
import { DirectoryTab } from './DirectoryTab.tsx'
import { GroupsTab } from './GroupsTab.tsx'
import { HistoryTab } from './HistoryTab.tsx'
import type { Person } from './PersonDrawer.tsx'
import { ProfileTab } from './ProfileTab.tsx'
import { RolesTab } from './RolesTab.tsx'
import { SignInTab } from './SignInTab.tsx'

/** What there is about a person, in tabs; which one is open is in the address. */
export const PersonTabs = ({ person, onGone }: { person: Person; onGone(): void }) => {
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
