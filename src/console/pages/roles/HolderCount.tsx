import { useLanguage } from '../../app/language.tsx'
import { useReading } from '../../app/queries.ts'

/** How many people have a role: asked for the roles in sight alone. */
export const HolderCount = ({ id }: { id: number }) => {
  const { language } = useLanguage()
  const { data } = useReading('listRoleHolders', { path: { id }, query: { limit: 1 } })
  if (data === undefined) return <span className="dimmed">…</span>
  const total = data.total.toLocaleString(language)
  return <>{data.totalIsExact ? total : `${total}+`}</>
}
