import { Alert, Button } from '@mantine/core'
import { useEffect } from 'react'
import { useTexts } from '../app/language.tsx'

/** The code of a page did not come: the service is away, or has the files of another release by now. */
export class CodeMissing extends Error {
  constructor(cause: unknown) {
    super('the code of this page could not be loaded', { cause })
    this.name = 'CodeMissing'
  }
}

/** Parts of a page that are loaded later fail as the browser puts it: Chromium, Firefox, Safari. */
const isCodeMissing = (error: unknown): boolean =>
  error instanceof CodeMissing ||
  (error instanceof Error && /dynamically imported module|module script failed/i.test(error.message))

const key = 'steward.reloaded'
/** A page that fails again so soon after it was loaded anew is not loaded anew once more by itself. */
const pause = 30_000

/** Whether the browser would ask before it leaves the page, as it has changes that are not saved. */
const wouldAsk = (): boolean => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

const reloadWhenBack = async (): Promise<void> => {
  // What was typed beside what is missing is not put to a question that comes by itself, and again later.
  if (wouldAsk()) return
  const answer = await fetch(document.baseURI, { cache: 'no-store' }).catch(() => null)
  const last = Number(sessionStorage.getItem(key) ?? 0)
  if (answer?.ok !== true || Date.now() - last < pause) return
  sessionStorage.setItem(key, String(Date.now()))
  window.location.reload()
}

/** Instead of a page that cannot be shown. If its code is missing, it is loaded anew as soon as the service answers. */
export const PageLost = ({ error }: { error: unknown }) => {
  const { states, failures } = useTexts()
  const missing = isCodeMissing(error)
  useEffect(() => {
    if (!missing) return
    const timer = setInterval(() => void reloadWhenBack(), 2000)
    return () => clearInterval(timer)
  }, [missing])
  return (
    <Alert color="red" variant="light" title={missing ? states.offline : failures.unexpected} role="alert" m="md">
      <Button variant="default" onClick={() => window.location.reload()}>
        {states.reload}
      </Button>
    </Alert>
  )
}
