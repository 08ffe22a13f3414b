import { Button } from '@mantine/core'
import { useTexts } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { Granted } from '../../app/session.tsx'
import { Late } from '../../ui/Late.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageFor } from '../../ui/states.tsx'
import { useAddress } from '../../ui/use-search.ts'
import { DryRun } from '../runs/DryRun.tsx'
import { GroupDrawer } from './GroupDrawer.tsx'
import { GroupList } from './GroupList.tsx'
import { NewGroup } from './NewGroup.tsx'

/** Departments and other groups: the tree, or what a search finds in it. */
export const Groups = () => {
  const { nav } = useTexts()
  const { permissions } = usePageTexts('permissions')
  const [search, setSearch] = useAddress()
  return (
    <PageFor operation="listDepartments">
      <Page
        title={nav.groups}
        actions={
          <>
            <DryRun kind="groups" />
            <Granted to="addGroup">
              <Button onClick={() => setSearch({ new: 0, group: '' })}>{permissions.groups.add}</Button>
            </Granted>
          </>
        }
      >
        <GroupList />
        <Late wanted={search.group !== undefined}>
          <GroupDrawer />
        </Late>
        <Late wanted={search.new !== undefined}>
          <NewGroup />
        </Late>
      </Page>
    </PageFor>
  )
}
