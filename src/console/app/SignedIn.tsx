import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { SignIn } from '../pages/sign-in/SignIn.tsx'
import { Away, Loading } from '../ui/states.tsx'
import { Failure } from './api.ts'
import { useTexts } from './language.tsx'
import { useOwnAppearance } from './own-appearance.ts'
import { SessionProvider, useGrants, useMe } from './session.tsx'
import { noteSession, useSessionElsewhere, useSessionHint } from './session-hint.ts'

const Shell = lazy(async () => ({ default: (await import('./Shell.tsx')).Shell }))
const SignInAgain = lazy(async () => ({ default: (await import('../pages/sign-in/SignInAgain.tsx')).SignInAgain }))
const Enrolment = lazy(async () => ({ default: (await import('../pages/sign-in/Enrolment.tsx')).Enrolment }))

const isSignedOut = (error: unknown): boolean => error instanceof Failure && error.code === 401

/**
 * Whether another user has signed in, in another tab, than the one for whom the pages were opened. What that one saw must not
 * stay in sight: nothing of it is shown any more, so that nothing of it asks whether to leave, and all is loaded anew.
 */
const useOtherUser = (id: number | undefined): boolean => {
  const [first, setFirst] = useState(id)
  if (first === undefined && id !== undefined) setFirst(id)
  const isAnother = id !== undefined && first !== undefined && id !== first
  useEffect(() => {
    if (isAnother) window.location.reload()
  }, [isAnother])
  return isAnother
}

/**
 * The pages of a session, or the sign-in. A session that ends while a page is open leaves the page as it is, with what was
 * typed, under a dialog to sign in again.
 */
export const SignedIn = () => {
  const hinted = useSessionHint()
  const me = useMe({ enabled: hinted })
  const restricted = me.data !== undefined && me.data.required !== null
  const grants = useGrants({ enabled: me.data !== undefined && !restricted })
  const { session } = useTexts()
  const id = me.data?.id
  const isAnother = useOtherUser(id)

  useOwnAppearance(me.data)

  useSessionElsewhere(() => {
    if (id !== undefined) void me.refetch()
  })

  const signedOut = isSignedOut(me.error) || isSignedOut(grants.error)
  useEffect(() => {
    if (signedOut) noteSession(false)
  }, [signedOut])
  if (isAnother) return <Loading />
  if (me.data === undefined) {
    if (!hinted) return <SignIn />
    if (me.isPending) return <Loading />
    return signedOut ? <SignIn /> : <Away error={me.error} />
  }
  if (restricted && !signedOut) {
    return (
      <Suspense fallback={<Loading />}>
        <Enrolment />
      </Suspense>
    )
  }
  if (grants.data === undefined) {
    if (signedOut) return <SignIn />
    return grants.isPending ? <Loading /> : <Away error={grants.error} />
  }
  return (
    <SessionProvider me={me.data} grants={grants.data}>
      <Suspense fallback={<Loading />}>
        <Shell>
          <Outlet />
        </Shell>
      </Suspense>
      {signedOut && (
        <Suspense>
          <SignInAgain title={session.ended} help={session.endedHelp} username={me.data.username} />
        </Suspense>
      )}
    </SessionProvider>
  )
}
