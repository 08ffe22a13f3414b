import { Alert, Button, Group, Stack } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { useUnsaved } from './use-unsaved.ts'

interface ShownOnceProps {
  /** Why it has to be kept now. */
  why: string
  /** The words of the button. */
  action: string
  /** The caller has kept it. */
  onKept(): void
  children: ReactNode
}

/** A password or token that is not shown again: a caller who leaves it other than by the button is asked. */
export const ShownOnce = ({ why, action, onKept, children }: ShownOnceProps) => {
  const kept = useRef(false)
  useUnsaved(() => !kept.current, true, undefined, 'shownOnce')
  return (
    <Stack gap="md">
      <Alert color="yellow" role="status">
        {why}
      </Alert>
      {children}
      <Group justify="flex-end">
        <Button
          onClick={() => {
            kept.current = true
            onKept()
          }}
        >
          {action}
        </Button>
      </Group>
    </Stack>
  )
}
