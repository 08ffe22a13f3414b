import { CatchBoundary } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { PageLost } from './PageLost.tsx'
import { Loading } from './states.tsx'

interface LateProps {
  /** The content is loaded at the first time, and stays: a drawer then closes as smoothly as it opened. */
  wanted?: boolean
  /** What holds its place meanwhile: for what is part of a page, and not beside it. */
  inPage?: boolean
  children: ReactNode
}

/** A part of a page that is made when it is first wanted: what the page shows first waits for neither its code nor its texts. */
export const Late = ({ wanted = true, inPage = false, children }: LateProps) => {
  const [seen, setSeen] = useState(wanted)
  // A dialog that is opened as it is loaded does not know where the focus was, and lost it when it was closed.
  const from = useRef<Element | null>(null)
  useEffect(() => {
    const { activeElement } = document
    if (wanted) {
      from.current = activeElement
      return
    }
    const timer = setTimeout(() => {
      const now = document.activeElement
      if (now !== document.body && now !== activeElement) return
      if (from.current instanceof HTMLElement) from.current.focus({ preventScroll: true })
    }, 10)
    return () => clearTimeout(timer)
  }, [wanted])
  if (wanted && !seen) setSeen(true)
  if (!wanted && !seen) return null
  return (
    <CatchBoundary getResetKey={() => String(wanted)} errorComponent={PageLost}>
      <Suspense fallback={inPage ? <Loading /> : null}>{children}</Suspense>
    </CatchBoundary>
  )
}
