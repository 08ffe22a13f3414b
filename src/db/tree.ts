export type TreeNode<T> = T & { children: TreeNode<T>[] }

/**
 * Puts records under their parents, in the given order; `parentId` 0 is a root. A record whose parent is not among the
 * records is a root too, so that no record is hidden.
 */
export const treeOf = <T extends { id: number; parentId: number }>(records: readonly T[]): TreeNode<T>[] => {
  const nodes = new Map(records.map((record) => [record.id, { ...record, children: [] } as TreeNode<T>]))
  const roots: TreeNode<T>[] = []
  for (const node of nodes.values()) (nodes.get(node.parentId)?.children ?? roots).push(node)
  return roots
}
