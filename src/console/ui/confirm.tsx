import { Button, Group, Text, TextInput } from '@mantine/core'
import { createContext, type ReactNode, use, useCallback, useRef, useState } from 'react'
import { useTexts } from '../app/language.tsx'
import { Dialog } from './Dialog.tsx'
import { isTypedAs } from './typed-as.ts'

export interface Question {
  title: string
  /** The consequence in words. */
  consequence: ReactNode
  /** The words of the button. */
  action: string
  danger?: boolean
  /** What cannot be undone is typed. */
  typed?: string
  /** Whether to leave what is open: who leaves also leaves whatever else is asked. */
  leaving?: boolean
}

type Confirm = (question: Question) => Promise<boolean>

const ConfirmContext = createContext<Confirm | null>(null)

interface Asked extends Question {
  answer(yes: boolean): void
}

/**
 * What is asked while another question is open comes first. Of two questions whether to leave the later counts, and the earlier
 * gets no answer: each would lead somewhere.
 */
const andThis = (open: readonly Asked[], question: Asked): readonly Asked[] => [
  ...open.filter(({ leaving = false }) => !(leaving && question.leaving === true)),
  question,
]

/** Asks before something that matters is done. */
export const ConfirmProvider = ({ children }: { children: ReactNode }) => {
  const [open, setOpen] = useState<readonly Asked[]>([])
  // The words stay while the dialog closes.
  const [last, setLast] = useState<Asked | null>(null)
  const [typed, setTyped] = useState('')
  const { actions, forms } = useTexts()
  const asking = useRef(new Set<string>())
  const confirm = useCallback<Confirm>(
    (question) =>
      new Promise((resolve) => {
        const { title, action, leaving = false } = question
        const key = JSON.stringify([title, action])
        // The second click of a double click comes before the first one's question is open. Two answers would do it twice.
        if (!leaving && asking.current.has(key)) return resolve(false)
        if (!leaving) asking.current.add(key)
        const answer = (yes: boolean): void => {
          asking.current.delete(key)
          resolve(yes)
        }
        const asked = { ...question, answer }
        // Later: the Escape that led to the question would be its answer, too.
        setTimeout(() => {
          setTyped('')
          setLast(asked)
          setOpen((before) => andThis(before, asked))
        })
      }),
    [],
  )
  const asked = open.at(-1) ?? last
  const close = (yes: boolean): void => {
    const left = yes && asked?.leaving === true ? [] : open.slice(0, -1)
    for (const each of open) if (!left.includes(each)) each.answer(each === asked && yes)
    setTyped('')
    setLast(asked)
    setOpen(left)
  }
  const ready = asked?.typed === undefined || isTypedAs(typed, asked.typed)
  return (
    <ConfirmContext value={confirm}>
      {children}
      <Dialog
        opened={open.length > 0}
        onClose={() => close(false)}
        // Above a drawer that was opened after it, below the second factor.
        zIndex={250}
        title={asked?.title}
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
      </Dialog>
    </ConfirmContext>
  )
}

/** Asks, and answers whether to go on. */
export const useConfirm = (): Confirm => {
  const confirm = use(ConfirmContext)
  if (confirm === null) throw new Error('outside of the ConfirmProvider')
  return confirm
}
