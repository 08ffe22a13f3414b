import { ActionIcon, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../../app/language.tsx'
import { CloseIcon } from '../../ui/icons.tsx'

interface RecordListProps<T> {
  label: string
  records: readonly T[]
  link?(record: T): ReactNode
  detail(record: T): ReactNode
  /** Takes one away; absent where that is not allowed. */
  remove?(record: T): void
}

/** A few records with what is said of each, and what takes one away. */
export const RecordList = <T extends { id: number; name: string }>({
  label,
  records,
  link,
  detail,
  remove,
}: RecordListProps<T>) => {
  const { pickers } = useTexts()
  return (
    <ul className="record-list" aria-label={label}>
      {records.map((record) => (
        <li key={record.id}>
          <Group justify="space-between" wrap="nowrap" gap="sm">
            <div className="cut">
              {link?.(record) ?? <Text span>{record.name}</Text>}{' '}
              <Text span size="xs" c="dimmed">
                {detail(record)}
              </Text>
            </div>
            {remove !== undefined && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={pickers.takeAway(record.name)}
                onClick={() => remove(record)}
              >
                <CloseIcon width={12} />
              </ActionIcon>
            )}
          </Group>
        </li>
      ))}
    </ul>
  )
}
