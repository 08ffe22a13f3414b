import { dragAndDropFeature, hotkeysCoreFeature, type ItemInstance, syncDataLoaderFeature } from '@headless-tree/core'
import { useTree } from '@headless-tree/react'
import { Text } from '@mantine/core'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useFailureText } from '../app/failures.ts'
import { usePageTexts } from '../app/page-texts.ts'
import { useReading } from '../app/queries.ts'
import { useSyncText } from '../app/statement.ts'
import { ChevronDown, ChevronRight, DangerShape, RiskShape } from './icons.tsx'
import { type Department, departmentOf, idOf, type OrgNode, top, useOrgNodes } from './org-nodes.ts'
import { withIndex } from './with-index.ts'

export interface OrgTreeProps {
  /** The chosen department; null: all of them. */
  selected: number | null
  onSelect(department: number | null): void
  /** Asks to move one below another, or to the top; absent where departments cannot be moved. */
  onMove?: (department: Department, to: Department | null) => void
  height: string
}

const rowHeight = 32

type Item = ItemInstance<OrgNode>

const nodeOf = (item: Item): OrgNode => item.getItemData()
const departmentIn = (item: Item | undefined): Department | undefined => {
  const node = item === undefined ? undefined : nodeOf(item)
  return node?.kind === 'department' ? node.department : undefined
}
const canHold = (item: Item): boolean => ['all', 'department'].includes(nodeOf(item).kind)

/**
 * The departments as a tree that loads what is opened and draws what is in sight. The arrow keys walk it, Enter chooses,
 * and a department is moved by dragging it or by cutting (Ctrl+X) and pasting (Ctrl+V).
 */
export const OrgTree = ({ selected, onSelect, onMove, height }: OrgTreeProps) => {
  const { people } = usePageTexts('people')
  const scroller = useRef<HTMLDivElement>(null)
  const [expandedItems, setExpandedItems] = useState<string[]>([top])
  const [pages, setPages] = useState<Readonly<Record<string, number>>>({})
  const [cut, setCut] = useState<Department | null>(null)
  const nodes = useOrgNodes(expandedItems.map(departmentOf), pages)
  useReveal(selected, setExpandedItems)

  const tree = useTree<OrgNode>({
    rootItemId: 'root',
    state: { expandedItems },
    setExpandedItems,
    dataLoader: { getItem: nodes.node, getChildren: nodes.children },
    getItemName: (item) => nameOf(nodeOf(item), people),
    isItemFolder: (item) => canHold(item) && (departmentIn(item)?.hasChildren ?? true),
    onPrimaryAction: (item) => {
      const node = nodeOf(item)
      if (node.kind === 'all') onSelect(null)
      else if (node.kind === 'department') onSelect(node.department.id)
      else if (node.kind === 'failed') node.retry()
      else if (node.kind === 'more') {
        // The line gives way to what it brings.
        item.getItemAbove()?.setFocused()
        tree.updateDomFocus()
        setPages((before) => ({ ...before, [idOf(node.of)]: (before[idOf(node.of)] ?? 1) + 1 }))
      }
    },
    canReorder: false,
    canDrag: ([item]) => onMove !== undefined && departmentIn(item)?.access.change === true,
    canDrop: ([item], { item: target }) =>
      target.getId() !== 'root' && canHold(target) && target.getId() !== item?.getParent()?.getId(),
    onDrop: ([item], { item: target }) => {
      const department = departmentIn(item)
      if (department !== undefined) onMove?.(department, departmentIn(target) ?? null)
    },
    scrollToItem: (item) => rows.scrollToIndex(item.getItemMeta().index),
    features: [syncDataLoaderFeature, hotkeysCoreFeature, dragAndDropFeature],
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the signature stands for what the tree is built of
  useEffect(() => tree.rebuildTree(), [tree, nodes.signature])

  const items = tree.getItems()
  const focused = Math.max(
    0,
    items.findIndex((item) => item.isFocused()),
  )
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    // What has the focus, or would get it by Tab, is drawn wherever the tree is scrolled to.
    rangeExtractor: (range) => withIndex(defaultRangeExtractor(range), focused),
  })
  useScrollTo(selected, items, (index) => rows.scrollToIndex(index, { align: 'center' }))

  const onKeyDown = (event: KeyboardEvent, item: Item): void => {
    const department = departmentIn(item)
    // With Caps Lock on, the browser says X.
    const command = event.ctrlKey || event.metaKey ? event.key.toLowerCase() : undefined
    if (event.key === 'Enter' || event.key === ' ') item.primaryAction()
    else if (event.key === 'Escape' && cut !== null) setCut(null)
    else if (onMove !== undefined && command === 'x' && department?.access.change) setCut(department)
    else if (onMove !== undefined && command === 'v' && cut !== null && canHold(item)) {
      onMove(cut, department ?? null)
      setCut(null)
    } else return
    event.preventDefault()
  }

  return (
    <>
      {cut !== null && (
        <Text size="xs" c="dimmed" p="xs" role="status">
          {people.tree.cut(cut.name)}
        </Text>
      )}
      <div ref={scroller} className="org-tree" style={{ maxHeight: `max(${height}, var(--least-list))` }}>
        <div
          {...tree.getContainerProps(people.tree.label)}
          style={{ height: rows.getTotalSize(), position: 'relative' }}
        >
          {rows.getVirtualItems().map(({ index, start }) => {
            const item = items[index]
            if (item === undefined) return null
            const node = nodeOf(item)
            const isSelected =
              (node.kind === 'all' && selected === null) ||
              (node.kind === 'department' && node.department.id === selected)
            return (
              <div
                {...item.getProps()}
                key={item.getKey()}
                role="treeitem"
                // Its name is what it shows.
                aria-label={undefined}
                className="org-node"
                aria-selected={isSelected}
                tabIndex={index === focused ? 0 : -1}
                draggable={onMove !== undefined && departmentIn(item)?.access.change === true}
                data-drop={item.isUnorderedDragTarget() || undefined}
                data-cut={(cut !== null && departmentIn(item)?.id === cut.id) || undefined}
                style={{ transform: `translateY(${start}px)`, paddingInlineStart: 4 + item.getItemMeta().level * 14 }}
                onClick={() => {
                  item.setFocused()
                  item.primaryAction()
                }}
                onKeyDown={(event) => onKeyDown(event, item)}
              >
                <Twist item={item} />
                <NodeText node={node} />
              </div>
            )
          })}
        </div>
      </div>
      {onMove !== undefined && (
        <Text size="xs" c="dimmed" className="org-keys">
          {people.tree.keys}
        </Text>
      )}
    </>
  )
}

const nameOf = (node: OrgNode, { tree }: ReturnType<typeof usePageTexts>['people']): string => {
  if (node.kind === 'all') return tree.all
  if (node.kind === 'department') return tree.named(node.department.name, node.department.memberCount)
  if (node.kind === 'more') return tree.more
  return node.kind === 'failed' ? tree.failed : tree.loading
}

/** Opens and closes a node by the mouse; on the keyboard the arrow keys do. */
const Twist = ({ item }: { item: Item }) => {
  if (!item.isFolder()) return <span className="org-twist" />
  const Chevron = item.isExpanded() ? ChevronDown : ChevronRight
  return (
    <span
      className="org-twist"
      aria-hidden="true"
      onClick={(event) => {
        event.stopPropagation()
        if (item.isExpanded()) item.collapse()
        else item.expand()
      }}
    >
      <Chevron width={12} height={12} />
    </span>
  )
}

const NodeText = ({ node }: { node: OrgNode }) => {
  const { people } = usePageTexts('people')
  const failureText = useFailureText()
  const syncText = useSyncText()
  if (node.kind !== 'department') {
    return (
      <span className="cut" title={node.kind === 'failed' ? failureText(node.error) : undefined}>
        {node.kind === 'all' ? (
          people.tree.all
        ) : (
          <Text span c="dimmed">
            {nameOf(node, people)}
          </Text>
        )}
      </span>
    )
  }
  const { name, memberCount, sync, access } = node.department
  return (
    <>
      <span className="cut org-name" title={access.change ? name : `${name} – ${people.tree.fixed}`}>
        {name}
      </span>
      {sync.state === 'refused' && (
        <span className="meaning meaning-danger" title={syncText(sync) ?? people.sync.refused}>
          <DangerShape width={12} />
        </span>
      )}
      {sync.state === 'waiting' && (
        <span className="meaning meaning-risk" title={syncText(sync) ?? people.sync.waiting}>
          <RiskShape width={12} />
        </span>
      )}
      {memberCount > 0 && <span className="org-count">{memberCount}</span>}
    </>
  )
}

/** Once the chosen department is in the tree, it is scrolled to, if it was not chosen there. */
const useScrollTo = (selected: number | null, items: readonly Item[], scrollTo: (index: number) => void): void => {
  const shown = useRef<number | null>(null)
  useEffect(() => {
    if (selected === shown.current) return
    const index = items.findIndex((item) => item.getId() === idOf(selected))
    if (index < 0) return
    shown.current = selected
    if (!items[index]?.isFocused()) scrollTo(index)
  })
}

/** Opens the way to the department that was chosen elsewhere: by a link, or by a search. */
const useReveal = (selected: number | null, setExpanded: (change: (before: string[]) => string[]) => void): void => {
  const { data } = useReading('getDepartmentPath', { path: { id: selected ?? 0 } }, { enabled: selected !== null })
  const revealed = useRef<number | null>(null)
  useEffect(() => {
    if (data === undefined || revealed.current === selected) return
    revealed.current = selected
    const above = data.slice(0, -1).map(({ id }) => idOf(id))
    setExpanded((before) => [...new Set([...before, top, ...above])])
  }, [data, selected, setExpanded])
}
