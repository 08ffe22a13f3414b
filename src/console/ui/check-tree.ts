/** A node of a tree to tick. One with a value can be ticked itself; its box stands for all below it, too. */
export interface CheckNode {
  key: string
  label: string
  /** Stands at the end of the row: "GET /user/list". */
  detail?: string
  /** Stands after the label. */
  note?: string
  value?: number
  /** Why it cannot be ticked; it can be unticked where it is ticked. */
  locked?: string
  children?: readonly CheckNode[]
}

export type Checked = ReadonlySet<number>

/** The nodes with a value: the node itself and what is below it. */
export const valued = (node: CheckNode): CheckNode[] => [
  ...(node.value === undefined ? [] : [node]),
  ...(node.children ?? []).flatMap(valued),
]

const isChecked = (checked: Checked, { value }: CheckNode): boolean => value !== undefined && checked.has(value)

export const stateOf = (node: CheckNode, checked: Checked): boolean | 'mixed' => {
  const below = valued(node)
  const ticked = below.filter((each) => isChecked(checked, each)).length
  return ticked === 0 ? false : ticked === below.length ? true : 'mixed'
}

/** Whether a box can change at all. */
export const canToggle = (node: CheckNode, checked: Checked): boolean =>
  valued(node).some((each) => each.locked === undefined || isChecked(checked, each))

/** Ticks all of it that can be ticked; where that is so already, unticks all. */
export const toggled = (node: CheckNode, checked: Checked): Set<number> => {
  const below = valued(node)
  const missing = below.filter((each) => each.locked === undefined && !isChecked(checked, each))
  const next = new Set(checked)
  for (const { value } of missing.length > 0 ? missing : below) {
    if (value === undefined) continue
    if (missing.length > 0) next.add(value)
    else next.delete(value)
  }
  return next
}

/** What contains the text, with what is above it; all of a node whose own label contains it. */
export const filtered = (nodes: readonly CheckNode[], q: string): readonly CheckNode[] => {
  const wanted = q.trim().toLowerCase()
  if (wanted === '') return nodes
  return nodes.flatMap((node): CheckNode[] => {
    if (`${node.label} ${node.detail ?? ''}`.toLowerCase().includes(wanted)) return [node]
    const children = filtered(node.children ?? [], wanted)
    if (children.length === 0) return []
    // Its box stands for what is in sight: what the search hides is not ticked along.
    const { value: _hidden, ...rest } = node
    return [{ ...rest, children }]
  })
}

/** A node as a row. */
export interface CheckRow {
  node: CheckNode
  /** From 1. */
  level: number
  /** From 1, among those beside it. */
  position: number
  siblings: number
  /** undefined: nothing is below. */
  expanded: boolean | undefined
}

export const rowsOf = (nodes: readonly CheckNode[], collapsed: ReadonlySet<string>, level = 1): CheckRow[] =>
  nodes.flatMap((node, index): CheckRow[] => {
    const hasBelow = (node.children?.length ?? 0) > 0
    const expanded = hasBelow ? !collapsed.has(node.key) : undefined
    const row = { node, level, position: index + 1, siblings: nodes.length, expanded }
    return expanded === true ? [row, ...rowsOf(node.children ?? [], collapsed, level + 1)] : [row]
  })

/** The keys of all nodes that have others below them. */
export const innerKeys = (nodes: readonly CheckNode[]): string[] =>
  nodes.flatMap(({ key, children = [] }) => (children.length === 0 ? [] : [key, ...innerKeys(children)]))
