import { CatchBoundary } from '@tanstack/react-router'
import { type ReactNode, Suspense, useState } from 'react'
import { PageLost } from './PageLost.tsx'
import { Loading } from './states.tsx'

interface LateProps {
  /** The content is loaded at the first time, and stays: a drawer then closes as smoothly as it opened. */
  wanted?: boolean
  /** What holds its place meanwhile: for what is part of a page, and not beside it. */
  inPage?: boolean
  children: ReactNode
}

/** A part of a page whose code is loaded when it is first wanted: what the page shows first does not wait for it. */
export const Late = ({ wanted = true, inPage = false, children }: LateProps) => {
  const [seen, setSeen] = useState(wanted)
  if (wanted && !seen) setSeen(true)
  if (!wanted && !seen) return null
  return (
    <CatchBoundary getResetKey={() => String(wanted)} errorComponent={PageLost}>
      <Suspense fallback={inPage ? <Loading /> : null}>{children}</Suspense>
    </CatchBoundary>
  )
}
