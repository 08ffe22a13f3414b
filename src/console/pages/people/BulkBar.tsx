import { Button, Group, Menu, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { useReading } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import { ChevronDown } from '../../ui/icons.tsx'
import { BulkDialog } from './BulkDialog.tsx'
import type { Bulk, PeopleAction, Target } from './bulk.ts'

interface BulkBarProps {
  selected: ReadonlyMap<number, Target>
  department: number | null
  /** Leaves these selected. */
  onKeep(ids: readonly number[]): void
  /** What stands at the end. */
  tools: ReactNode
  /** What stands here while no one is selected. */
  children: ReactNode
}

const rest: readonly PeopleAction[] = ['move', 'addGroups', 'removeGroups', 'addRoles', 'removeRoles', 'sync']

/** What can be done to the selected people; each action shows its effect before it is done. */
export const BulkBar = ({ selected, department, onKeep, tools, children }: BulkBarProps) => {
  const { actions, table } = useTexts()
  const { people } = usePageTexts('people')
  const mayChange = useMay('changePeople')
  const mayReset = useMay('resetUserPasswords')
  const [bulk, setBulk] = useState<Bulk | null>(null)
  const path = useReading('getDepartmentPath', { path: { id: department ?? 0 } }, { enabled: department !== null })
  const here = path.data?.at(-1)
  const start = (action: PeopleAction) => () => setBulk({ action, targets: [...selected.values()], from: here })
  const item = (action: PeopleAction) => (
    <Menu.Item key={action} onClick={start(action)} {...(action === 'delete' && { className: 'danger-item' })}>
      {people.bulk.menu[action]}
    </Menu.Item>
  )
  return (
    <div className="bulk-bar">
      {selected.size === 0 ? (
        <Text size="sm" c="dimmed" role="status">
          {children}
        </Text>
      ) : (
        <Group gap="xs" role="toolbar" aria-label={people.bulk.label}>
          <Text size="sm" fw={600}>
            {table.selected(selected.size)}
          </Text>
          {mayChange && (
            <>
              <Button variant="default" onClick={start('enable')}>
                {people.bulk.menu.enable}
              </Button>
              <Button variant="default" onClick={start('disable')}>
                {people.bulk.menu.disable}
              </Button>
            </>
          )}
          <Menu position="bottom-start" shadow="md">
            <Menu.Target>
              <Button variant="default" rightSection={<ChevronDown width={12} />}>
                {actions.more}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {mayChange && rest.map(item)}
              {mayReset && item('resetPassword')}
              {mayReset && item('showPassword')}
              {mayChange && (
                <>
                  <Menu.Divider />
                  {item('delete')}
                </>
              )}
            </Menu.Dropdown>
          </Menu>
          <Button variant="subtle" onClick={() => onKeep([])}>
            {people.bulk.clear}
          </Button>
        </Group>
      )}
      <Group gap={4} wrap="nowrap" ms="auto">
        {tools}
      </Group>
      <BulkDialog
        bulk={bulk}
        onClose={() => setBulk(null)}
        onDone={(changed) =>
          // Those whom it was refused for stay at hand.
          onKeep(changed.people.filter(({ result }) => result === 'refused').map(({ id }) => id))
        }
      />
    </div>
  )
}
