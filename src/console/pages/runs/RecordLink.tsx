import type { ReactNode } from 'react'
import { useMay } from '../../app/session.tsx'
import { PageLink } from '../../ui/PageLink.tsx'
import { type Run, useRunTexts } from './run-text.ts'

interface RecordLinkProps {
  kind: Run['kind']
  /** null: it is not added yet. */
  id: number | null
  children?: ReactNode
}

/** The way to a person or a department, for those who may see it. */
export const RecordLink = ({ kind, id, children }: RecordLinkProps) => {
  const { plan } = useRunTexts().runs
  const may = useMay(kind === 'users' ? 'getPerson' : 'getDepartmentPath')
  if (id === null || !may) return children ?? null
  const to = kind === 'users' ? '/people' : '/groups'
  return (
    <PageLink to={to} search={{ [kind === 'users' ? 'person' : 'group']: id }}>
      {children ?? plan.opens[kind]}
    </PageLink>
  )
}
