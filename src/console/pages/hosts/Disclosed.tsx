import { Button, Group } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'

interface DisclosedProps {
  /** The words of the button. */
  action: string
  /** Whether there is the button; a form that is open stays. */
  offered?: boolean
  /** The form in its place, until it is closed. */
  children(close: () => void): ReactNode
}

/** A button that a form takes the place of. The focus goes into the form, and back to the button. */
export const Disclosed = ({ action, offered = true, children }: DisclosedProps) => {
  const [opened, setOpened] = useState(false)
  const area = useRef<HTMLDivElement>(null)
  const before = useRef(opened)
  useEffect(() => {
    if (before.current !== opened) {
      const target = area.current?.querySelector<HTMLElement>('input, textarea, button')
      ;(target ?? area.current)?.focus()
    }
    before.current = opened
  }, [opened])
  return (
    <div ref={area} tabIndex={-1}>
      {opened
        ? children(() => setOpened(false))
        : offered && (
            <Group>
              <Button variant="default" onClick={() => setOpened(true)}>
                {action}
              </Button>
            </Group>
          )}
    </div>
  )
}
