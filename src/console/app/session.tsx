import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useMemo } from 'react'
import type { OperationId } from '../generated/calls.ts'
import type { Data } from './api.ts'
import { keyOf, useReading } from './queries.ts'

export type Me = Data<'getMe'>

interface Session {
  me: Me
  /** Whether a role of the caller grants the operation. Whether it may touch a certain record is the service's to say. */
  may(operation: OperationId): boolean
}

const SessionContext = createContext<Session | null>(null)

/** What the caller is and may do, for everything inside of it. */
export const SessionProvider = ({
  me,
  grants,
  children,
}: {
  me: Me
  grants: Data<'getMyGrants'>
  children: ReactNode
}) => {
  const session = useMemo((): Session => {
    const granted = new Set<string>(grants.operations)
    return { me, may: (operation) => granted.has(operation) }
  }, [me, grants])
  return <SessionContext value={session}>{children}</SessionContext>
}

export const useSession = (): Session => {
  const session = use(SessionContext)
  if (session === null) throw new Error('outside of the SessionProvider')
  return session
}

/** The highest rank: it may change everything. */
export const highest = 1

/** Whether a role of the caller grants this operation. */
export const useMay = (operation: OperationId): boolean => useSession().may(operation)

export const useMe = (options: { enabled?: boolean } = {}) => useReading('getMe', {}, options)
export const useGrants = (options: { enabled?: boolean } = {}) => useReading('getMyGrants', {}, options)

/** Shows children to those who may call the operation. */
export const Granted = ({ to, children }: { to: OperationId; children: ReactNode }) => (useMay(to) ? children : null)

/**
 * After a sign-in or sign-out: nothing of the session before is known any more. With `keep`, for the same user's next session,
 * what is shown stays until it is asked again.
 */
export const useForgetSession = (): ((options?: { keep?: boolean }) => Promise<void>) => {
  const client = useQueryClient()
  return async ({ keep = false } = {}) => {
    if (keep) return client.invalidateQueries()
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== keyOf('getMe')[0] })
    await client.resetQueries({ queryKey: keyOf('getMe') })
  }
}
