import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core'
import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { useTexts } from '../app/language.tsx'

let open: readonly object[] = []
const listeners = new Set<() => void>()

const setOpen = (next: readonly object[]): void => {
  open = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether a dialog is the one that was opened last of those that are open. */
const useOnTop = (opened: boolean): boolean => {
  const self = useRef({})
  useLayoutEffect(() => {
    if (!opened) return
    const own = self.current
    setOpen([...open, own])
    // Later: one Escape reaches all dialogs in turn, and is not to close the next one, too.
    return () => void setTimeout(() => setOpen(open.filter((each) => each !== own)))
  }, [opened])
  return useSyncExternalStore(subscribe, () => open.at(-1) === self.current)
}

/** A dialog above the page. Escape closes it alone, not what is open below it. */
export const Dialog = ({ closeOnEscape = true, ...props }: ModalProps) => {
  const { actions } = useTexts()
  const onTop = useOnTop(props.opened)
  return <Modal closeButtonProps={{ 'aria-label': actions.close }} {...props} closeOnEscape={closeOnEscape && onTop} />
}

/** A dialog at the side. Escape closes it alone, not what is open below it. */
export const SideDialog = (props: DrawerProps) => {
  const { actions } = useTexts()
  const onTop = useOnTop(props.opened)
  return <Drawer closeButtonProps={{ 'aria-label': actions.close }} {...props} closeOnEscape={onTop} />
}
