import { Button, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Body } from '../../app/api.ts'
import { useFailureText } from '../../app/failures.ts'
import { useTexts } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { reading, useChange } from '../../app/queries.ts'
import { Granted, useMay } from '../../app/session.tsx'
import { addMenu } from '../../generated/forms/addMenu.ts'
import { updateMenu } from '../../generated/forms/updateMenu.ts'
import { addMenuLayout, updateMenuLayout } from '../../hints/menus.tsx'
import { ContractForm } from '../../ui/ContractForm.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { DeletedMeanwhile, useLastListed } from '../../ui/last-listed.tsx'
import { notifyDone, notifyFailure } from '../../ui/notify.tsx'
import { useSaveOver } from '../../ui/overwrite.tsx'
import { RecordDrawer } from '../../ui/RecordDrawer.tsx'
import { numberOf, useAddress } from '../../ui/use-search.ts'
import { allMenus, type MenuNode } from './menu-tree.ts'

const changed = ['getMenuTree', 'getRoleMenus', 'getMyGrants'] as const

/** The menu in the address, or the form of a new one, beside the tree. */
export const MenuDrawer = ({ tree }: { tree: readonly MenuNode[] }) => {
  const { permissions } = usePageTexts('permissions')
  const [search, setSearch] = useAddress()
  const mayAdd = useMay('addMenu')
  const parentId = numberOf(search.new)
  const isNew = mayAdd && parentId !== undefined
  const open = numberOf(search.menu)
  const listed = allMenus(tree).find(({ id }) => id === open)
  const { record: menu, isDeleted } = useLastListed(open, listed)
  const close = (): void => setSearch({ menu: '', new: '' })
  return (
    <RecordDrawer
      opened={isNew || menu !== undefined}
      onClose={close}
      title={isNew ? permissions.menus.add : (menu?.title ?? '')}
    >
      {isNew ? (
        <NewMenu parentId={parentId} close={close} />
      ) : (
        menu !== undefined && (
          <>
            <DeletedMeanwhile isDeleted={isDeleted} />
            <OneMenu key={menu.id} menu={menu} close={close} />
          </>
        )
      )}
    </RecordDrawer>
  )
}

const NewMenu = ({ parentId, close }: { parentId: number; close(): void }) => {
  const { permissions } = usePageTexts('permissions')
  const { menus } = permissions
  const [, setSearch] = useAddress()
  const add = useChange('addMenu', changed)
  const save = async (body: Body<'addMenu'>): Promise<number> => {
    const { data } = await add.mutateAsync({ body })
    notifyDone(menus.created(body.title))
    return data.id
  }
  return (
    <ContractForm
      focusFirst
      form={addMenu}
      layout={addMenuLayout}
      labels={{ sort: menus.order }}
      initial={{ parentId, sort: 999, status: 1, hidden: 2, alwaysShow: 2, noCache: 2, breadcrumb: 1 }}
      submit={save}
      onDone={(id) => setSearch({ new: '', menu: id })}
      onCancel={close}
    />
  )
}

const formFields = [
  'title',
  'name',
  'path',
  'component',
  'parentId',
  'sort',
  'status',
  'icon',
  'redirect',
  'activeMenu',
  'hidden',
  'alwaysShow',
  'noCache',
  'breadcrumb',
] as const

const OneMenu = ({ menu, close }: { menu: MenuNode; close(): void }) => {
  const { fields } = useTexts()
  const { permissions } = usePageTexts('permissions')
  const { menus } = permissions
  const client = useQueryClient()
  const saveOver = useSaveOver()
  const mayChange = useMay('updateMenu')
  const change = useChange('updateMenu', changed)
  const [before, setBefore] = useState(menu)
  const [saves, setSaves] = useState(0)
  const read = async (): Promise<MenuNode | undefined> => {
    const tree = await client.fetchQuery({ ...reading('getMenuTree', {}), staleTime: 0 })
    return allMenus(tree).find(({ id }) => id === menu.id)
  }
  const titleOf = (id: number): string | undefined => {
    if (id === 0) return menus.top
    const tree = client.getQueryData(reading('getMenuTree', {}).queryKey) ?? []
    return allMenus(tree).find((each) => each.id === id)?.title
  }
  const save = async (body: Body<'updateMenu'>): Promise<void> => {
    await saveOver({
      before,
      read,
      body,
      fields: formFields.map((name) => [name, name === 'sort' ? menus.order : fields[name]] as const),
      wordOf: (name, value) => (name === 'parentId' ? titleOf(Number(value)) : undefined),
      save: (body) => change.mutateAsync({ body }),
    })
    notifyDone(menus.saved(body.title))
    // It is saved: what was read again since then counts, and if that failed, nothing is wrong with the save.
    const after = client.getQueryData(reading('getMenuTree', {}).queryKey)
    setBefore(allMenus(after ?? []).find(({ id }) => id === menu.id) ?? menu)
    setSaves(saves + 1)
  }
  const initial = { id: menu.id, ...Object.fromEntries(formFields.map((name) => [name, before[name]])) }
  return (
    <Stack gap="md">
      <ContractForm
        key={saves}
        form={updateMenu}
        layout={updateMenuLayout}
        labels={{ sort: menus.order }}
        initial={initial}
        readOnly={!mayChange}
        submit={save}
      />
      <Others menu={menu} close={close} />
    </Stack>
  )
}

const Others = ({ menu, close }: { menu: MenuNode; close(): void }) => {
  const { permissions } = usePageTexts('permissions')
  const { menus } = permissions
  const [, setSearch] = useAddress()
  const failureText = useFailureText()
  const confirm = useConfirm()
  const remove = useChange('deleteMenus', changed)
  const hasBelow = menu.children.length > 0
  const ask = async (): Promise<void> => {
    const title = menus.deleteTitle(menu.title)
    if (!(await confirm({ title, consequence: menus.deleteHelp, action: menus.delete, danger: true }))) return
    try {
      await remove.mutateAsync({ body: { menuIds: [menu.id] } })
      notifyDone(menus.deleted(menu.title))
      close()
    } catch (error) {
      notifyFailure(failureText(error))
    }
  }
  return (
    <Group gap="sm" pt="md" style={{ borderTop: '1px solid var(--line)' }}>
      <Granted to="addMenu">
        <Button variant="default" onClick={() => setSearch({ new: menu.id, menu: '' })}>
          {menus.addBelow}
        </Button>
      </Granted>
      <Granted to="deleteMenus">
        <Button
          variant="default"
          {...(!hasBelow && { c: 'var(--danger)' })}
          disabled={hasBelow}
          loading={remove.isPending}
          onClick={() => void ask()}
        >
          {menus.delete}
        </Button>
        {hasBelow && (
          <Text size="sm" c="dimmed">
            {menus.hasBelow(menu.children.length)}
          </Text>
        )}
      </Granted>
    </Group>
  )
}
