import { usePageTexts } from '../../app/page-texts.ts'
import { SideDialog } from '../../ui/Dialog.tsx'
import './people.css'
import { Button, Switch } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, useMemo, useState } from 'react'
import { useTexts } from '../../app/language.tsx'
import { usePages } from '../../app/paging.ts'
import { Granted, useMay } from '../../app/session.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { TreeIcon } from '../../ui/icons.tsx'
import { Late } from '../../ui/Late.tsx'
import type { OrgTreeProps } from '../../ui/OrgTree.tsx'
import { Page } from '../../ui/Page.tsx'
import { Empty, Failed, Loading, PageFor } from '../../ui/states.tsx'
import { numberOf } from '../../ui/use-search.ts'
import { ColumnChooser } from '../attributes/ColumnChooser.tsx'
import { DryRun } from '../runs/DryRun.tsx'
import { BulkBar } from './BulkBar.tsx'
import { type PersonRow, useColumns } from './columns.tsx'
import { DepartmentHead } from './DepartmentHead.tsx'
import { Filters } from './Filters.tsx'
import { type PeopleFilter, usePeopleFilter } from './filter.ts'
import { HirePerson } from './HirePerson.tsx'
import type { Moving } from './MoveDepartment.tsx'
import { PersonDrawer } from './PersonDrawer.tsx'

// The list does not wait for what is opened later, nor for the tree beside it.
const MoveDepartment = lazy(async () => ({ default: (await import('./MoveDepartment.tsx')).MoveDepartment }))
const SavedViews = lazy(async () => ({ default: (await import('./SavedViews.tsx')).SavedViews }))
const DepartmentTree = lazy(async () => ({ default: (await import('./DepartmentTree.tsx')).DepartmentTree }))

/** People and the departments they belong to. */
export const People = () => (
  <PageFor operation="listPeople">
    <PeoplePage />
  </PageFor>
)

const PeoplePage = () => {
  const { nav } = useTexts()
  const { people } = usePageTexts('people')
  const filter = usePeopleFilter()
  const { search, setSearch, department } = filter
  const person = numberOf(search.person) ?? null
  const mayTree = useMay('listDepartments')
  const [moving, setMoving] = useState<Moving | null>(null)
  const choose = (id: number | null): void => setSearch({ department: id ?? undefined, direct: undefined })
  return (
    <Page
      title={nav.people}
      actions={
        <>
          <DryRun kind="users" />
          <Granted to="addUser">
            <Button onClick={() => setSearch({ hire: true })}>{people.hire.open}</Button>
          </Granted>
        </>
      }
    >
      <div className="people-page" data-tree={mayTree || undefined}>
        {mayTree && <Tree onSelect={choose} selected={department} onMove={setMoving} />}
        <section aria-label={nav.people} className="people-list">
          {department !== null && mayTree && (
            <DepartmentHead key={department} id={department} onSelect={choose} onMove={setMoving}>
              <Switch
                label={people.filters.subtree}
                checked={!filter.direct}
                onChange={(event) => setSearch({ direct: !event.currentTarget.checked || undefined })}
              />
            </DepartmentHead>
          )}
          <PeopleList key={`list of ${JSON.stringify(filter.query.department)}`} filter={filter} />
        </section>
      </div>
      <Late wanted={moving !== null}>
        <MoveDepartment moving={moving} onClose={() => setMoving(null)} />
      </Late>
      {person !== null && (
        <PersonDrawer
          id={person}
          onClose={() => setSearch({ person: undefined, tab: undefined, operation: undefined })}
        />
      )}
      {search.hire === true && (
        <HirePerson
          department={department}
          onClose={() => setSearch({ hire: undefined })}
          onHired={(id) => setSearch({ hire: undefined, person: id })}
        />
      )}
    </Page>
  )
}

interface TreeProps extends Pick<OrgTreeProps, 'selected' | 'onSelect'> {
  /** Asks what a move would do. */
  onMove(moving: Moving): void
}

/** The departments beside the list; on a narrow page behind a button. */
const Tree = ({ selected, onSelect, onMove }: TreeProps) => {
  const { people } = usePageTexts('people')
  const mayMove = useMay('moveDepartment')
  const [opened, { open, close }] = useDisclosure(false)
  const tree: Omit<OrgTreeProps, 'height'> = {
    selected,
    onSelect: (id) => {
      onSelect(id)
      close()
    },
    ...(mayMove && {
      onMove: ({ id, name, parent, version }, to) => {
        close()
        onMove({ id, name, parent, version, to: to === null ? null : { id: to.id, name: to.name } })
      },
    }),
  }
  return (
    <>
      <aside aria-label={people.tree.label} className="people-tree">
        <Late inPage>
          <DepartmentTree {...tree} height="var(--tree-height)" />
        </Late>
      </aside>
      <Button className="people-tree-button" variant="default" leftSection={<TreeIcon />} onClick={open}>
        {people.tree.label}
      </Button>
      <SideDialog opened={opened} onClose={close} title={people.tree.label} size={320}>
        <Late inPage>
          <DepartmentTree {...tree} height="calc(100vh - 140px)" />
        </Late>
      </SideDialog>
    </>
  )
}

const PeopleList = ({ filter }: { filter: PeopleFilter }) => {
  const { nav, states, actions } = useTexts()
  const { people } = usePageTexts('people')
  const { search, setSearch } = filter
  const chosen = useColumns()
  const mayChange = useMay('changePeople')
  const mayBulk = useMay('resetUserPasswords') || mayChange
  const { query, pages, total, more } = usePages('listPeople', { query: { ...filter.query, ...chosen.show } })
  const attributes = pages?.[0]?.attributes ?? []
  const { chooser, columns } = chosen.with(attributes)
  const [selected, setSelected] = useState<ReadonlyMap<number, PersonRow>>(new Map())
  const rows = useMemo(() => pages?.flatMap((page) => page.people) ?? [], [pages])
  const select = (keys: ReadonlySet<string | number>): void => {
    const known = new Map([...selected, ...rows.map((row) => [row.id, row] as const)])
    setSelected(new Map([...known].filter(([id]) => keys.has(id))))
  }
  return (
    <>
      <Filters filter={filter} attributes={attributes} />
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.isPending ? (
        <Loading />
      ) : (
        pages !== undefined && (
          <>
            <BulkBar
              selected={selected}
              onKeep={(ids) => setSelected(new Map([...selected].filter(([id]) => ids.includes(id))))}
              department={filter.department}
              tools={
                <>
                  <Late>
                    <SavedViews search={search} setSearch={setSearch} />
                  </Late>
                  <ColumnChooser {...chooser} />
                </>
              }
            >
              {pages[0]?.totalIsExact === false ? people.totalAtLeast(total) : people.total(total)}
            </BulkBar>
            <DataTable
              label={nav.people}
              columns={columns}
              rows={rows}
              keyOf={({ id }) => id}
              nameOf={({ name, username }) => name || username}
              sort={filter.sort}
              onSort={filter.onSort}
              onOpen={({ id }) => setSearch({ person: id })}
              current={numberOf(search.person)}
              {...(mayBulk && { selected: new Set(selected.keys()), onSelect: select })}
              more={more}
              height="var(--table-height)"
              empty={
                filter.isFiltered ? (
                  <Empty title={states.emptyFiltered}>
                    <Button variant="default" onClick={filter.clear}>
                      {actions.clearFilters}
                    </Button>
                  </Empty>
                ) : (
                  <Empty title={people.empty.title} help={people.empty.help} />
                )
              }
            />
          </>
        )
      )}
    </>
  )
}
