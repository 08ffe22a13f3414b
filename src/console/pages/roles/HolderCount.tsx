import { useReading } from '../../app/queries.ts'

/** How many people have a role: asked for the roles in sight alone. */
export const HolderCount = ({ id }: { id: number }) => {
  const { data } = useReading('listRoleHolders', { path: { id }, query: { limit: 1 } })
  if (data === undefined) return <span className="dimmed">…</span>
  return <>{data.totalIsExact ? data.total : `${data.total}+`}</>
}
