import type { TreeRows } from './props.ts'

/** Where an arrow key leads in a tree: to a row, or it opens or closes this one. */
export const treeStep = <Row>(
  { levelOf, expandedOf }: TreeRows<Row>,
  rows: readonly Row[],
  index: number,
  right: boolean,
): 'toggle' | number => {
  const row = rows[index]
  if (row === undefined) return index
  const expanded = expandedOf(row)
  if (right) return expanded === false ? 'toggle' : expanded ? index + 1 : index
  if (expanded) return 'toggle'
  const above = rows.slice(0, index).findLastIndex((each) => levelOf(each) < levelOf(row))
  return above < 0 ? index : above
}
