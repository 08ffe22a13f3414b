import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react'
import { useFailureText } from '../../app/failures.ts'
import { useTexts } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { useReading } from '../../app/queries.ts'
import { Granted, useMay } from '../../app/session.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { ArrowDown, ArrowUp } from '../../ui/icons.tsx'
import { Late } from '../../ui/Late.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { notifyDone, notifyFailure } from '../../ui/notify.tsx'
import { Page } from '../../ui/Page.tsx'
import { Empty, PageFor, QueryState } from '../../ui/states.tsx'
import { TreeCell } from '../../ui/TreeCell.tsx'
import { numberOf, useAddress } from '../../ui/use-search.ts'
import { MenuDrawer } from './MenuDrawer.tsx'
import { type MenuRow, menuRows } from './menu-tree.ts'
import { useMove } from './use-move.ts'

/** The menus that other consoles show, as a tree in their order. */
export const Menus = () => {
  const { nav } = useTexts()
  const { permissions } = usePageTexts('permissions')
  const [search, setSearch] = useAddress()
  const query = useReading('getMenuTree', {})
  return (
    <PageFor operation="getMenuTree">
      <Page
        title={nav.menus}
        actions={
          <Granted to="addMenu">
            <Button onClick={() => setSearch({ new: 0, menu: '' })}>{permissions.menus.add}</Button>
          </Granted>
        }
      >
        <QueryState query={query}>
          {(tree) => (
            <>
              <MenuTable tree={tree} />
              <Late wanted={search.menu !== undefined || search.new !== undefined}>
                <MenuDrawer tree={tree} />
              </Late>
            </>
          )}
        </QueryState>
      </Page>
    </PageFor>
  )
}

interface MenuActions {
  toggle(id: number): void
  /** Moves a row; undefined: the caller may not. */
  step: ((row: MenuRow, by: -1 | 1) => Promise<void>) | undefined
  busy: boolean
}

const useColumns = ({ toggle, step, busy }: MenuActions): Column<MenuRow>[] => {
  const texts = usePageTexts('permissions')
  const { menus, tree: words } = texts.permissions
  const columns: Column<MenuRow>[] = [
    {
      id: 'title',
      title: menus.title,
      width: 'minmax(200px, 2fr)',
      render: ({ menu, level, expanded }) => (
        <TreeCell level={level} expanded={expanded} toggle={() => toggle(menu.id)} label={words.open(menu.title)}>
          <span title={menu.title}>{menu.title}</span>
        </TreeCell>
      ),
    },
    {
      id: 'name',
      title: menus.name,
      width: 'minmax(110px, 1fr)',
      render: ({ menu }) => <span title={menu.name}>{menu.name}</span>,
    },
    {
      id: 'path',
      title: menus.path,
      width: 'minmax(110px, 1.5fr)',
      render: ({ menu }) => (
        <span className="mono" title={menu.path}>
          {menu.path}
        </span>
      ),
    },
    {
      id: 'status',
      title: menus.status,
      width: '120px',
      render: ({ menu }) => (
        <Meaning level={menu.status === 1 ? 'safe' : 'none'}>
          {menu.status === 1 ? texts.status.enabled : texts.status.disabled}
          {menu.hidden === 1 && ` · ${menus.hidden}`}
        </Meaning>
      ),
    },
    { id: 'order', title: menus.order, width: '70px', end: true, render: ({ menu }) => menu.sort },
  ]
  if (step === undefined) return columns
  return [
    ...columns,
    {
      id: 'move',
      title: menus.move,
      width: '80px',
      render: (row) => (
        <Group gap={4} wrap="nowrap">
          <MoveButton
            label={menus.up(row.menu.title)}
            disabled={busy || row.siblings[0] === row.menu}
            move={() => void step(row, -1)}
          >
            <ArrowUp />
          </MoveButton>
          <MoveButton
            label={menus.down(row.menu.title)}
            disabled={busy || row.siblings.at(-1) === row.menu}
            move={() => void step(row, 1)}
          >
            <ArrowDown />
          </MoveButton>
        </Group>
      ),
    },
  ]
}

interface MoveButtonProps {
  label: string
  disabled: boolean
  move(): void
  children: ReactNode
}

const MoveButton = ({ label, disabled, move, children }: MoveButtonProps) => (
  <ActionIcon
    variant="subtle"
    color="gray"
    size="sm"
    tabIndex={-1}
    aria-label={label}
    disabled={disabled}
    onClick={move}
  >
    {children}
  </ActionIcon>
)

const MenuTable = ({ tree }: { tree: Parameters<typeof menuRows>[0] }) => {
  const texts = usePageTexts('permissions')
  const { menus } = texts.permissions
  const failureText = useFailureText()
  const [search, setSearch] = useAddress()
  const [collapsed, setCollapsed] = useState<ReadonlySet<number>>(new Set())
  const mayMove = useMay('updateMenu')
  const { move, busy } = useMove()
  const rows = useMemo(() => menuRows(tree, collapsed), [tree, collapsed])
  const toggle = (id: number): void => {
    const next = new Set(collapsed)
    if (!next.delete(id)) next.add(id)
    setCollapsed(next)
  }
  const step = async ({ menu, siblings }: MenuRow, by: -1 | 1): Promise<void> => {
    try {
      if (await move(siblings, menu.id, by)) notifyDone(menus.moved(menu.title))
    } catch (error) {
      notifyFailure(failureText(error))
    }
  }
  const columns = useColumns({ toggle, step: mayMove ? step : undefined, busy })
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!event.altKey || !mayMove || busy || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    const index = (event.target as HTMLElement).closest<HTMLElement>('[data-index]')?.dataset.index
    const row = rows[Number(index)]
    if (index === undefined || row === undefined) return
    event.preventDefault()
    event.stopPropagation()
    void step(row, event.key === 'ArrowUp' ? -1 : 1)
  }
  return (
    <Stack gap="sm" onKeyDownCapture={onKeyDown}>
      <Text size="sm" c="dimmed" maw={720}>
        {menus.about} {mayMove && menus.keys}
      </Text>
      <DataTable
        label={texts.nav.menus}
        columns={columns}
        rows={rows}
        keyOf={({ menu }) => menu.id}
        nameOf={({ menu }) => menu.title}
        current={numberOf(search.menu)}
        onOpen={({ menu }) => setSearch({ menu: menu.id, new: '' })}
        tree={{
          levelOf: ({ level }) => level,
          expandedOf: ({ expanded }) => expanded,
          toggle: ({ menu }) => toggle(menu.id),
        }}
        empty={<Empty title={menus.emptyTitle} />}
      />
    </Stack>
  )
}
