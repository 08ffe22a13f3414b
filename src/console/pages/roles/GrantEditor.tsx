import { Alert, Button, Group, List, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { retryWhileStale } from '../../app/changed-meanwhile.ts'
import { useFailureText } from '../../app/failures.ts'
import { useTexts } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { Changes } from '../../ui/Changes.tsx'
import { CheckTree } from '../../ui/CheckTree.tsx'
import { type Checked, type CheckNode, filtered, innerKeys, valued } from '../../ui/check-tree.ts'
import { Meaning } from '../../ui/Meaning.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { SearchInput } from '../../ui/SearchInput.tsx'
import type { Choice, Draft } from '../../ui/use-draft.ts'
import { useTyped } from '../../ui/use-typed.ts'
import { useUnsaved } from '../../ui/use-unsaved.ts'
import { readRole } from './role-access.ts'

interface GrantEditorProps {
  roleId: number
  label: string
  searchLabel: string
  nodes: readonly CheckNode[]
  draft: Draft
  /** Why nothing can be changed; null: it can. */
  refusal: string | null
  /** Reads what the role has now. */
  read(): Promise<Checked>
  /** @param version what the role was read in */
  save(chosen: Checked, version: string | undefined): Promise<unknown>
}

/**
 * Ticks what a role grants. The difference stands beside the tree before it is saved, and what another administrator changed
 * meanwhile is never written over unseen.
 */
export const GrantEditor = ({ roleId, label, searchLabel, nodes, draft, refusal, read, save }: GrantEditorProps) => {
  const { states } = useTexts()
  const { permissions } = usePageTexts('permissions')
  const failureText = useFailureText()
  const client = useQueryClient()
  const [typed, setTyped, q] = useTyped('q')
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set())
  const [failure, setFailure] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const shown = useMemo(() => filtered(nodes, q), [nodes, q])
  const byId = useMemo(() => new Map(nodes.flatMap(valued).map((node) => [node.value, node])), [nodes])
  useUnsaved(() => draft.dirty, draft.dirty, isElsewhere)

  const changeOf = (id: number) => ({ id, label: byId.get(id)?.label ?? String(id), detail: byId.get(id)?.detail })
  const undo = (id: number): void => {
    const next = new Set(draft.chosen)
    if (!next.delete(id)) next.add(id)
    draft.choose(next)
  }
  const send = async (): Promise<void> => {
    setBusy(true)
    setFailure(null)
    try {
      await retryWhileStale(async () => {
        // The version first: what is changed after it is found by the service.
        const version = (await readRole(client, roleId))?.version
        // What is there now, not what was there when this page was opened: the list replaces all of it.
        if (!draft.isBase(await read())) return
        await save(draft.chosen, version)
        notifyDone(permissions.changes.saved)
      })
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="editor">
      <Stack gap="sm" miw={0}>
        {refusal !== null && (
          <Alert p="xs" color="gray" role="note">
            {refusal}
          </Alert>
        )}
        {draft.theirs !== null && <Meanwhile draft={draft} theirs={draft.theirs} nameOf={(id) => changeOf(id).label} />}
        <Group gap="sm">
          <SearchInput value={typed} onChange={setTyped} label={searchLabel} />
          <Text size="sm" c="dimmed" role="status">
            {permissions.changes.chosen(draft.chosen.size, byId.size)}
          </Text>
          <Folding nodes={nodes} onCollapse={setCollapsed} />
        </Group>
        {shown.length === 0 ? (
          <Text p="md">{q === '' ? states.empty : permissions.tree.noHit}</Text>
        ) : (
          <CheckTree
            label={label}
            nodes={shown}
            checked={draft.chosen}
            onChange={draft.choose}
            before={draft.base}
            // A hit is never hidden.
            collapsed={q === '' ? collapsed : noKeys}
            onCollapse={setCollapsed}
            readOnly={refusal !== null || busy}
          />
        )}
      </Stack>
      {refusal === null && (
        <aside aria-label={permissions.changes.title}>
          <Changes
            added={draft.added.map(changeOf)}
            removed={draft.removed.map(changeOf)}
            undo={undo}
            reset={() => draft.choose(draft.base)}
            save={() => void send()}
            busy={busy}
            blocked={draft.theirs !== null}
            consequence={permissions.changes.atOnce}
          />
          {failure !== null && (
            <Alert mt="sm" p="xs" color="red" role="alert">
              {failureText(failure)}
            </Alert>
          )}
        </aside>
      )}
    </div>
  )
}

const Folding = ({
  nodes,
  onCollapse,
}: {
  nodes: readonly CheckNode[]
  onCollapse(keys: ReadonlySet<string>): void
}) => {
  const { permissions } = usePageTexts('permissions')
  return (
    <Group gap="xs" ml="auto">
      <Button variant="default" onClick={() => onCollapse(new Set())}>
        {permissions.tree.expand}
      </Button>
      <Button variant="default" onClick={() => onCollapse(new Set(innerKeys(nodes)))}>
        {permissions.tree.collapse}
      </Button>
    </Group>
  )
}

const noKeys: ReadonlySet<string> = new Set()

/** A search is typed into the address; another tab or page leaves the changes. */
const isElsewhere = (from: Place, to: Place): boolean => from.pathname !== to.pathname || tabOf(from) !== tabOf(to)

interface Place {
  pathname: string
  search: unknown
}

const tabOf = ({ search }: Place): unknown =>
  typeof search === 'object' && search !== null && 'tab' in search ? search.tab : undefined

/** Another administrator changed the same: both changes, and the choice. */
const Meanwhile = ({
  draft,
  theirs,
  nameOf,
}: {
  draft: Draft
  theirs: { added: readonly number[]; removed: readonly number[] }
  nameOf(id: number): string
}) => {
  const { permissions } = usePageTexts('permissions')
  const { conflict } = permissions
  const choices: readonly [Choice, string][] = [
    ['both', conflict.both],
    ['theirs', conflict.discard],
    ['mine', conflict.overwrite],
  ]
  const side = (title: string, { added, removed }: { added: readonly number[]; removed: readonly number[] }) => (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <List size="sm" listStyleType="none">
        {added.slice(0, 8).map((id) => (
          <List.Item key={id}>
            <span className="change change-added">+</span> {nameOf(id)}
          </List.Item>
        ))}
        {removed.slice(0, 8).map((id) => (
          <List.Item key={id}>
            <span className="change change-removed">−</span> {nameOf(id)}
          </List.Item>
        ))}
      </List>
      <Text size="sm" c="dimmed">
        {conflict.added(added.length)} · {conflict.removed(removed.length)}
      </Text>
    </div>
  )
  return (
    <Alert variant="default" title={<Meaning level="risk">{conflict.title}</Meaning>} role="alert">
      <Text mb="sm">{conflict.help}</Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} mb="sm">
        {side(conflict.theirs, theirs)}
        {side(conflict.yours, draft)}
      </SimpleGrid>
      <Group gap="xs">
        {choices.map(([choice, text]) => (
          <Button key={choice} variant="default" onClick={() => draft.settle(choice)}>
            {text}
          </Button>
        ))}
      </Group>
    </Alert>
  )
}
