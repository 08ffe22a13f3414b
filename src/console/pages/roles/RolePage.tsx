import { Group, Stack, Tabs, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { usePageTexts } from '../../app/page-texts.ts'
import { useReading } from '../../app/queries.ts'
import { useSession } from '../../app/session.tsx'
import { Late } from '../../ui/Late.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageLink } from '../../ui/PageLink.tsx'
import { PersonTable } from '../../ui/PersonTable.tsx'
import { Empty, PageFor, QueryState } from '../../ui/states.tsx'
import { textOf, useAddress } from '../../ui/use-search.ts'
import { MenusTab } from './MenusTab.tsx'
import { OperationsTab } from './OperationsTab.tsx'
import { RoleSettings } from './RoleSettings.tsx'
import type { Role } from './role-access.ts'

/** A role: its settings, what it grants, and who has it. */
export const RolePage = () => {
  const { permissions } = usePageTexts('permissions')
  const { id } = useParams({ strict: false })
  const query = useReading('listRoles', {})
  return (
    <PageFor operation="listRoles">
      <QueryState query={query}>
        {({ roles }) => {
          const role = roles.find((each) => String(each.id) === id)
          return role === undefined ? (
            <Empty title={permissions.roles.notFound}>
              <Back />
            </Empty>
          ) : (
            <OneRole key={role.id} role={role} />
          )
        }}
      </QueryState>
    </PageFor>
  )
}

const Back = () => {
  const { permissions } = usePageTexts('permissions')
  return (
    <PageLink to="/roles" activeOptions={{ exact: true }} size="sm">
      {permissions.roles.back}
    </PageLink>
  )
}

const OneRole = ({ role }: { role: Role }) => {
  const { permissions } = usePageTexts('permissions')
  const { roles } = permissions
  const { may } = useSession()
  const [search, setSearch] = useAddress()
  const tabs = [
    { value: 'settings', text: roles.tabs.settings, shown: true },
    { value: 'operations', text: roles.tabs.operations, shown: may('getRoleApis') && may('getApiTree') },
    { value: 'menus', text: roles.tabs.menus, shown: may('getRoleMenus') && may('getMenuTree') },
    { value: 'holders', text: roles.tabs.holders, shown: may('listRoleHolders') },
  ].filter(({ shown }) => shown)
  const tab = tabs.find(({ value }) => value === search.tab)?.value ?? 'settings'
  return (
    <Page title={role.name}>
      <Stack gap="sm" mt={-8}>
        <Group gap="sm">
          <Back />
          <Text size="sm" c="dimmed">
            {roles.rank} {role.sort} · <span className="mono">{role.keyword}</span> · {roles.createdBy(role.creator)}
          </Text>
        </Group>
        <Tabs
          value={tab}
          onChange={(value) => setSearch({ tab: textOf(value ?? ''), q: '', by: '', order: '' })}
          keepMounted={false}
        >
          <Tabs.List mb="md">
            {tabs.map(({ value, text }) => (
              <Tabs.Tab key={value} value={value}>
                {text}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="settings">
            <Late inPage>
              <RoleSettings role={role} />
            </Late>
          </Tabs.Panel>
          <Tabs.Panel value="operations">
            <Late inPage>
              <OperationsTab role={role} />
            </Late>
          </Tabs.Panel>
          <Tabs.Panel value="menus">
            <Late inPage>
              <MenusTab role={role} />
            </Late>
          </Tabs.Panel>
          <Tabs.Panel value="holders">
            <PersonTable
              operation="listRoleHolders"
              id={role.id}
              label={roles.tabs.holders}
              searchName="q"
              empty={<Empty title={roles.empty} help={roles.emptyHelp} />}
            />
          </Tabs.Panel>
        </Tabs>
      </Stack>
    </Page>
  )
}
