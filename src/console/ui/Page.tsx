import { Group, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { useTexts } from '../app/language.tsx'

/** A page: its title, also that of the tab, and what can be done. */
export const Page = ({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) => {
  const { product } = useTexts()
  useEffect(() => {
    document.title = `${title} · ${product}`
  }, [title, product])
  return (
    <>
      <div className="page-head">
        <Title order={1}>{title}</Title>
        <Group gap="xs">{actions}</Group>
      </div>
      {children}
    </>
  )
}
