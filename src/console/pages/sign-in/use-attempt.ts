import { useState } from 'react'

/** Something that is tried by a form: whether it is under way, and why it failed last. */
export const useAttempt = (): {
  busy: boolean
  failure: unknown
  attempt(work: () => Promise<void>): Promise<void>
  clear(): void
} => {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  return {
    busy,
    failure,
    attempt: async (work) => {
      setBusy(true)
      setFailure(null)
      try {
        await work()
      } catch (error) {
        setFailure(error)
      } finally {
        setBusy(false)
      }
    },
    clear: () => setFailure(null),
  }
}
