import { Button, Group, Notification, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useFailureText } from '../app/failures.ts'
import { useTexts } from '../app/language.tsx'

/** What can be done about a message: to take back what was done, to look at it. */
interface NoticeAction {
  text: string
  act(): unknown
}

interface Notice {
  id: number
  message: string
  answer?: NoticeAction | undefined
  /** Milliseconds; null: until it is closed. */
  duration: number | null
}

/** More would cover the page; the oldest goes. */
const max = 4

let notices: readonly Notice[] = []
let lastId = 0
const listeners = new Set<() => void>()

const setNotices = (next: readonly Notice[]): void => {
  notices = next
  for (const listener of listeners) listener()
}

const add = (notice: Omit<Notice, 'id'>): void => setNotices([...notices, { ...notice, id: ++lastId }].slice(-max))

const close = (id: number): void => setNotices(notices.filter((each) => each.id !== id))

/** Shows for a short time that something was done, with an undo where that is possible. */
export const notifyDone = (message: string, answer?: NoticeAction): void =>
  add({ message, answer, duration: answer === undefined ? 4000 : 10_000 })

/** Shows that something failed, or is urgent, until it is closed. */
export const notifyFailure = (message: string, answer?: NoticeAction): void => add({ message, answer, duration: null })

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** A message that goes by itself offers to take back what was done; one that stays offers to look at it. */
const isUndo = ({ answer, duration: stays }: Notice): boolean => answer !== undefined && stays !== null

/** Runs the action of a message, and shows where that fails. */
const useNoticeAction = (): ((notice: Notice | undefined) => Promise<void>) => {
  const failureText = useFailureText()
  return async (notice) => {
    if (notice === undefined) return
    close(notice.id)
    try {
      await notice.answer?.act()
    } catch (error) {
      notifyFailure(failureText(error))
    }
  }
}

/** The place of these messages. It is always there: screen readers tell what is added to it. */
export const Notices = () => {
  const shown = useSyncExternalStore(subscribe, () => notices)
  // The next user of this tab is not told what the last one was.
  useEffect(() => () => setNotices([]), [])
  // By Tab alone the way to the button would be longer than it stays.
  const runAction = useNoticeAction()
  useHotkeys([['mod+Z', () => void runAction(shown.findLast(isUndo))]])
  return (
    <div className="notices" aria-live="polite">
      {shown.map((notice) => (
        <NoticeCard key={notice.id} notice={notice} />
      ))}
    </div>
  )
}

const NoticeCard = ({ notice }: { notice: Notice }) => {
  const { id, message, answer, duration: stays } = notice
  const { actions } = useTexts()
  const runAction = useNoticeAction()
  // What is being read, or about to be pressed, does not go away.
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (stays === null || held) return
    const timer = setTimeout(close, stays, id)
    return () => clearTimeout(timer)
  }, [id, stays, held])
  return (
    <Notification
      withBorder
      role={stays === null ? 'alert' : 'status'}
      {...(stays === null && { color: 'red' })}
      closeButtonProps={{ 'aria-label': actions.close }}
      onClose={() => close(id)}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {answer === undefined ? (
        message
      ) : (
        <Group justify="space-between" wrap="nowrap">
          <Text>{message}</Text>
          <Button
            variant="subtle"
            flex="none"
            onClick={() => void runAction(notice)}
            {...(isUndo(notice) && {
              'aria-keyshortcuts': 'Control+Z',
              rightSection: (
                <span aria-hidden="true">
                  <kbd>Ctrl+Z</kbd>
                </span>
              ),
            })}
          >
            {answer.text}
          </Button>
        </Group>
      )}
    </Notification>
  )
}
