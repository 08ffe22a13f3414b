import { ActionIcon, Checkbox, Popover, ScrollArea, Stack, Tooltip } from '@mantine/core'
import { useTexts } from '../../app/language.tsx'
import { ColumnsIcon } from '../../ui/icons.tsx'

interface ColumnChooserProps {
  all: readonly { id: string; title: string }[]
  shown: readonly string[]
  keep(shown: string[]): void
  /** The id of one that is always shown. */
  fixed?: string | undefined
}

/** Chooses the columns of a list. */
export const ColumnChooser = ({ all, shown, keep, fixed }: ColumnChooserProps) => {
  const { actions } = useTexts()
  return (
    <Popover position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Tooltip label={actions.columns}>
          <ActionIcon variant="default" size="input-sm" aria-label={actions.columns}>
            <ColumnsIcon />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label={actions.columns}>
        <ScrollArea.Autosize mah="60vh">
          <Stack gap="xs">
            {all.map(({ id, title }) => (
              <Checkbox
                key={id}
                size="xs"
                label={title}
                disabled={id === fixed}
                checked={id === fixed || shown.includes(id)}
                onChange={(event) =>
                  keep(event.currentTarget.checked ? [...shown, id] : shown.filter((each) => each !== id))
                }
              />
            ))}
          </Stack>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  )
}
