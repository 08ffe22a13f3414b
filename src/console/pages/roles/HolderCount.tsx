import { useTimeout } from '@mantine/hooks'
import { useState } from 'react'
import { useLanguage } from '../../app/language.tsx'
import { useReading } from '../../app/queries.ts'

/** How long a role has to stay in sight before it is asked for, in milliseconds: not those that are scrolled past. */
const restFor = 200

/** How many people have a role: asked for the roles in sight alone. */
export const HolderCount = ({ id }: { id: number }) => {
  const { language } = useLanguage()
  const [rests, setRests] = useState(false)
  useTimeout(() => setRests(true), restFor, { autoInvoke: true })
  const { data } = useReading('listRoleHolders', { path: { id }, query: { limit: 1 } }, { enabled: rests })
  if (data === undefined) return <span className="dimmed">…</span>
  const total = data.total.toLocaleString(language)
  return <>{data.totalIsExact ? total : `${total}+`}</>
}
