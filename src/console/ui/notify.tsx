import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'

/** What takes back what was done. */
export interface Undo {
  text: string
  act(): Promise<unknown>
}

/** Says shortly that something was done, and offers to take it back where that can be done. */
export const said = (message: string, undo?: Undo): void => {
  if (undo === undefined) {
    notifications.show({ message, withBorder: true, autoClose: 4000 })
    return
  }
  const id = notifications.show({
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text>{message}</Text>
        <Button
          variant="subtle"
          flex="none"
          onClick={() => {
            notifications.hide(id)
            void undo.act()
          }}
        >
          {undo.text}
        </Button>
      </Group>
    ),
    withBorder: true,
    autoClose: 10_000,
  })
}

/** Says that something failed; it stays until it is closed. */
export const complained = (message: string): void => {
  notifications.show({ message, color: 'red', withBorder: true, autoClose: false })
}
