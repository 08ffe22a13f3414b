import { Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

/** A part of a tab, under its own title. */
export const Part = ({ title, children }: { title: string; children: ReactNode }) => {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Title order={3} id={id} mb="xs">
        {title}
      </Title>
      {children}
    </section>
  )
}
