import { useEffect, useRef, useSyncExternalStore } from 'react'

const key = 'steward.session'
const listeners = new Set<() => void>()

const changed = (): void => {
  for (const listener of listeners) listener()
}

/**
 * Notes whether this browser has a session: its cookie is out of a script's sight, and asking the service without one would be
 * an error in the browser's log at every first visit. Other tabs follow, so that a sign-in in one is a sign-in in all.
 */
export const noteSession = (open: boolean): void => {
  if (open) localStorage.setItem(key, 'open')
  else localStorage.removeItem(key)
  changed()
}

/** Whether this browser has a session, as far as it knows. */
export const isSessionNoted = (): boolean => localStorage.getItem(key) !== null

export const useSessionHint = (): boolean =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    window.addEventListener('storage', listener)
    return () => {
      listeners.delete(listener)
      window.removeEventListener('storage', listener)
    }
  }, isSessionNoted)

/**
 * Runs this when another tab of this browser notes a sign-in or the end of the session, also while this page was left and kept by
 * the browser for the way back.
 */
export const useSessionElsewhere = (then: () => void): void => {
  const latest = useRef(then)
  useEffect(() => {
    latest.current = then
  })
  useEffect(() => {
    const heard = (event: StorageEvent): void => {
      if (event.key === key) latest.current()
    }
    const shownAgain = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) latest.current()
    }
    window.addEventListener('storage', heard)
    window.addEventListener('pageshow', shownAgain)
    return () => {
      window.removeEventListener('storage', heard)
      window.removeEventListener('pageshow', shownAgain)
    }
  }, [])
}
