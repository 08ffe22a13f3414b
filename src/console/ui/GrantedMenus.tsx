import { Text } from '@mantine/core'
import type { Data } from '../app/api.ts'
import { useTexts } from '../app/language.tsx'
import { useReading } from '../app/queries.ts'
import { QueryState } from './states.tsx'

type Menu = Data<'getAccessMenuTree'>[number]

/** The menus that the roles of a user show to them. */
export const GrantedMenus = ({ userId }: { userId: number }) => {
  const { grantedMenus } = useTexts()
  const menus = useReading('getAccessMenuTree', { query: { id: userId } })
  return (
    <QueryState query={menus}>
      {(tree) => (tree.length === 0 ? <Text c="dimmed">{grantedMenus.none}</Text> : <Level menus={tree} />)}
    </QueryState>
  )
}

const Level = ({ menus }: { menus: readonly Menu[] }) => (
  <ul className="plain-list">
    {menus.map(({ id, title, path, children = [] }) => (
      <li key={id}>
        {title}{' '}
        <Text span size="sm" c="dimmed" className="mono">
          {path}
        </Text>
        {children.length > 0 && <Level menus={children} />}
      </li>
    ))}
  </ul>
)
