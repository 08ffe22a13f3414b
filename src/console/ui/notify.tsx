import { notifications } from '@mantine/notifications'

/** Says shortly that something was done. */
export const said = (message: string): void => {
  notifications.show({ message, withBorder: true, autoClose: 4000 })
}

/** Says that something failed; it stays until it is closed. */
export const complained = (message: string): void => {
  notifications.show({ message, color: 'red', withBorder: true, autoClose: false })
}
