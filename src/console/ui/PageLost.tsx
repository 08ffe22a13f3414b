import { Alert, Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTexts } from '../app/language.tsx'

/** The code of a page did not come: the service is away, or has the files of another release by now. */
export class CodeMissing extends Error {
  constructor(cause: unknown) {
    super('the code of this page could not be loaded', { cause })
    this.name = 'CodeMissing'
  }
}

/** What could not be loaded of a part of a page: its code or its styles, each of which fails as the browser puts it. */
const missingParts = new WeakSet<object>()
window.addEventListener('vite:preloadError', ({ payload }) => void missingParts.add(payload))

const isCodeMissing = (error: unknown): boolean =>
  error instanceof CodeMissing || (error instanceof Error && missingParts.has(error))

const key = 'steward.reloaded'
/** A page that fails again so soon after it was loaded anew is not loaded anew once more by itself. */
const pause = 30_000
/** Of what stays missing, no more reloads by itself within an hour than these. */
const max = 3

/** When this tab was loaded anew by itself in the last hour, the oldest first. */
const reloads = (): number[] => {
  const times = (sessionStorage.getItem(key) ?? '').split(' ').map(Number)
  return times.filter((time) => time > Date.now() - 3_600_000)
}

/** Whether the browser would ask before it leaves the page, as it has changes that are not saved. */
const wouldAsk = (): boolean => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

/** @returns whether the service answers, and the user has to load the page anew, as it would not be right to do that unasked */
const reloadWhenBack = async (): Promise<boolean> => {
  const answer = await fetch(document.baseURI, { cache: 'no-store' }).catch(() => null)
  if (answer?.ok !== true) return false
  const past = reloads()
  // What was typed beside what is missing is not put to a question that comes by itself, and again later.
  if (wouldAsk() || past.length >= max || Date.now() - (past.at(-1) ?? 0) < pause) return true
  sessionStorage.setItem(key, [...past, Date.now()].join(' '))
  window.location.reload()
  return false
}

/** Instead of a page that cannot be shown. If its code is missing, it is loaded anew as soon as the service answers. */
export const PageLost = ({ error }: { error: unknown }) => {
  const { states, failures } = useTexts()
  const missing = isCodeMissing(error)
  const [toReload, setToReload] = useState(false)
  useEffect(() => {
    if (!missing) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async (): Promise<void> => {
      setToReload(await reloadWhenBack())
      if (timer !== undefined) timer = setTimeout(look, 2000)
    }
    timer = setTimeout(look, 2000)
    return () => {
      clearTimeout(timer)
      timer = undefined
    }
  }, [missing])
  const why = !missing ? failures.unexpected : toReload ? states.outdated : states.offline
  return (
    <Alert color="red" variant="light" title={why} role="alert" m="md">
      <Button variant="default" onClick={() => window.location.reload()}>
        {states.reload}
      </Button>
    </Alert>
  )
}
