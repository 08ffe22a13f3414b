import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core'
import { type RefObject, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { useTexts } from '../app/language.tsx'
import { useFocusBack } from './use-focus-back.ts'

/** Of a dialog that does not say how high it stands. */
const usual = 200

/** The dialogs that are open, the uppermost last. */
let open: readonly { height: number }[] = []
const listeners = new Set<() => void>()

const setOpen = (next: typeof open): void => {
  open = [...next].sort((a, b) => a.height - b.height)
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether a dialog would stand above all that are open. One below another would take the focus out of sight. */
export const hasRoomAbove = (): boolean => open.every(({ height }) => height <= usual)

const isOneOpen = (): boolean => open.length > 0

/** Whether a dialog is the uppermost of those that are open: of those as high as each other, the one that was opened last. */
const useOnTop = (opened: boolean, zIndex: string | number = usual): boolean => {
  const self = useRef({ height: Number(zIndex) })
  useLayoutEffect(() => {
    if (!opened) return
    const own = self.current
    setOpen([...open, own])
    // Later: one Escape reaches all dialogs in turn, and is not to close the next one, too.
    return () => void setTimeout(() => setOpen(open.filter((each) => each !== own)))
  }, [opened])
  return useSyncExternalStore(subscribe, () => open.at(-1) === self.current)
}

/** What shows that a dialog is in use. */
const done = ['keydown', 'pointerdown'] as const

/**
 * Keeps the focus in an open dialog whose content gives way to another, such as the question to what it came to: with the
 * button that was pressed it went to the page below, and a screen reader told nothing of what came. What asks for the focus
 * by `data-autofocus` gets it, or the dialog itself; also when it comes later than the frame, before anything else was done. What
 * cannot be used while something is under way gets it back. The dialog below another one takes nothing from that.
 */
const useFocusKept = (opened: boolean, onTop: boolean): RefObject<HTMLDivElement | null> => {
  const root = useRef<HTMLDivElement>(null)
  const last = useRef<HTMLElement | null>(null)
  const isUntouched = useRef(true)
  useEffect(() => {
    if (!opened) {
      last.current = null
      isUntouched.current = true
    }
    if (!opened || !onTop) return
    const touch = (): void => {
      isUntouched.current = false
    }
    const follow = (): void => {
      const asking = isUntouched.current && root.current?.querySelector<HTMLElement>('[data-autofocus]')
      if (asking) {
        touch()
        asking.focus({ preventScroll: true })
      }
      const { activeElement } = document
      if (activeElement instanceof HTMLElement && root.current?.contains(activeElement)) last.current = activeElement
      if (activeElement !== document.body || last.current === null) return
      if (last.current.isConnected) {
        if (!last.current.matches(':disabled')) last.current.focus({ preventScroll: true })
      } else {
        last.current = null
        const within = root.current?.querySelector<HTMLElement>('[role=dialog]')
        const wanted = within?.querySelector<HTMLElement>('[data-autofocus]') ?? within
        wanted?.focus({ preventScroll: true })
      }
    }
    // What opened the dialog above may have gone meanwhile.
    follow()
    // The browser says nothing when it takes away what has the focus.
    const observer = new MutationObserver(follow)
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    document.addEventListener('focusin', follow)
    for (const kind of done) document.addEventListener(kind, touch, true)
    return () => {
      observer.disconnect()
      document.removeEventListener('focusin', follow)
      for (const kind of done) document.removeEventListener(kind, touch, true)
    }
  }, [opened, onTop])
  return root
}

/** Its head is a <header>, which screen readers take for another banner of the page. */
const namedParts = { header: { role: 'presentation' } }

/** A dialog above the page. Escape closes it alone, not what is open below it. */
export const Dialog = ({ closeOnEscape = true, ...props }: ModalProps) => {
  const { actions } = useTexts()
  const onTop = useOnTop(props.opened, props.zIndex)
  const root = useFocusKept(props.opened, onTop)
  useFocusBack(props.opened, root, isOneOpen)
  return (
    <Modal
      ref={root}
      attributes={namedParts}
      closeButtonProps={{ 'aria-label': actions.close }}
      {...props}
      closeOnEscape={closeOnEscape && onTop}
    />
  )
}

/** A dialog at the side. Escape closes it alone, not what is open below it. */
export const SideDialog = (props: DrawerProps) => {
  const { actions } = useTexts()
  const onTop = useOnTop(props.opened, props.zIndex)
  const root = useFocusKept(props.opened, onTop)
  useFocusBack(props.opened, root, isOneOpen)
  return (
    <Drawer
      ref={root}
      attributes={namedParts}
      closeButtonProps={{ 'aria-label': actions.close }}
      {...props}
      closeOnEscape={onTop}
    />
  )
}
