import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { createContext, type ReactNode, use, useCallback, useState } from 'react'
import { useTexts } from '../app/language.tsx'

export interface Question {
  title: string
  /** The consequence in words. */
  consequence: ReactNode
  /** The words of the button. */
  action: string
  danger?: boolean
  /** What cannot be undone is typed. */
  typed?: string
}

type Confirm = (question: Question) => Promise<boolean>

const ConfirmContext = createContext<Confirm | null>(null)

interface Asked extends Question {
  answer(yes: boolean): void
}

/** Asks before something that matters is done. */
export const ConfirmProvider = ({ children }: { children: ReactNode }) => {
  const [asked, setAsked] = useState<Asked | null>(null)
  const [opened, setOpened] = useState(false)
  const [typed, setTyped] = useState('')
  const { actions, forms } = useTexts()
  const confirm = useCallback<Confirm>(
    (question) =>
      new Promise((resolve) => {
        setTyped('')
        setAsked({ ...question, answer: resolve })
        setOpened(true)
      }),
    [],
  )
  const close = (yes: boolean): void => {
    setOpened(false)
    asked?.answer(yes)
  }
  const ready = asked?.typed === undefined || typed.trim() === asked.typed
  return (
    <ConfirmContext value={confirm}>
      {children}
      <Modal
        opened={opened}
        onClose={() => close(false)}
        // Above a drawer that was opened after it, below the second factor.
        zIndex={250}
        title={asked?.title}
        closeButtonProps={{ 'aria-label': actions.close }}
      >
        <Text component="div">{asked?.consequence}</Text>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (ready) close(true)
          }}
        >
          {asked?.typed !== undefined && (
            <TextInput
              mt="md"
              label={forms.typeToConfirm(asked.typed)}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              data-autofocus
            />
          )}
          <Group mt="lg" justify="flex-end" gap="sm">
            <Button
              variant="default"
              onClick={() => close(false)}
              {...(asked?.typed === undefined && { 'data-autofocus': true })}
            >
              {actions.cancel}
            </Button>
            <Button type="submit" disabled={!ready} {...(asked?.danger && { color: 'red' })}>
              {asked?.action}
            </Button>
          </Group>
        </form>
      </Modal>
    </ConfirmContext>
  )
}

/** Asks, and answers whether to go on. */
export const useConfirm = (): Confirm => {
  const confirm = use(ConfirmContext)
  if (confirm === null) throw new Error('outside of the ConfirmProvider')
  return confirm
}
