import { Tabs, Text } from '@mantine/core'
import { usePageTexts } from '../../app/page-texts.ts'
import { useMay } from '../../app/session.tsx'
import { RecordDrawer } from '../../ui/RecordDrawer.tsx'
import { QueryState } from '../../ui/states.tsx'
import { numberOf, textOf, useAddress } from '../../ui/use-search.ts'
import { GroupPosix } from '../hosts/GroupPosix.tsx'
import { GroupSettings } from './GroupSettings.tsx'
import { Members } from './Members.tsx'
import type { Department } from './use-branches.ts'
import { useGroup } from './use-group.ts'

/** The group in the address, beside the list. */
export const GroupDrawer = () => {
  const [search, setSearch] = useAddress()
  const id = numberOf(search.group)
  const query = useGroup(id)
  const { groups } = usePageTexts('permissions').permissions
  const close = (): void => setSearch({ group: '', tab: '', mq: '', by: '', order: '' })
  return (
    <RecordDrawer opened={id !== undefined} onClose={close} title={query.data?.name ?? groups.one} size={760}>
      <QueryState query={query}>{(group) => <OneGroup key={group.id} group={group} onGone={close} />}</QueryState>
    </RecordDrawer>
  )
}

const OneGroup = ({ group, onGone }: { group: Department; onGone(): void }) => {
  const { permissions, hosts } = usePageTexts('permissions', 'hosts')
  const { groups } = permissions
  const [search, setSearch] = useAddress()
  const mayList = useMay('listMembers')
  const mayPosix = useMay('getDepartmentPosix')
  const tabs = ['settings', ...(mayList ? ['members'] : []), ...(mayPosix ? ['posix'] : [])]
  const tab = tabs.find((each) => each === search.tab) ?? 'settings'
  const place = (group.path ?? []).slice(0, -1).map(({ name }) => name)
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        {place.length === 0 ? groups.top : place.join(' / ')}
      </Text>
      <Tabs
        value={tab}
        onChange={(value) =>
          setSearch({ tab: value === 'settings' ? '' : textOf(value ?? ''), mq: '', by: '', order: '' })
        }
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="settings">{groups.settings}</Tabs.Tab>
          {mayList && (
            <Tabs.Tab value="members">
              {groups.members} · {group.memberCount}
            </Tabs.Tab>
          )}
          {mayPosix && <Tabs.Tab value="posix">{hosts.posix.group}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="settings">
          <GroupSettings group={group} onGone={onGone} />
        </Tabs.Panel>
        {mayList && (
          <Tabs.Panel value="members">
            <Members group={group} />
          </Tabs.Panel>
        )}
        {mayPosix && (
          <Tabs.Panel value="posix">
            <GroupPosix group={group} />
          </Tabs.Panel>
        )}
      </Tabs>
    </>
  )
}
