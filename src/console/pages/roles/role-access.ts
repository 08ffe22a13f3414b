import type { QueryClient } from '@tanstack/react-query'
import type { Data } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { reading } from '../../app/queries.ts'
import { highest, useSession } from '../../app/session.tsx'

export type Role = Data<'listRoles'>['roles'][number]

/** A role as the service has it now. */
export const readRole = async (client: QueryClient, id: number): Promise<Role | undefined> => {
  const { roles } = await client.fetchQuery({ ...reading('listRoles', {}), staleTime: 0 })
  return roles.find((role) => role.id === id)
}

export const administratorKeyword = 'admin'

/** Why the caller may not change a role, in words; null: they may. The service decides; this says so beforehand. */
export const useRoleRefusal = (): ((role: Role) => string | null) => {
  const { permissions } = usePageTexts('permissions')
  const { me } = useSession()
  return ({ sort }) => (me.rank === highest || sort > me.rank ? null : permissions.refused.role)
}
