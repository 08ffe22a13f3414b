import { Group, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { Appearance } from '../../app/Appearance.tsx'
import { useTexts } from '../../app/language.tsx'
import { Mark } from '../../ui/Mark.tsx'

/** The frame of the pages that need no session. */
export const SignInFrame = ({ title, help, children }: { title: string; help?: string; children: ReactNode }) => {
  const { product } = useTexts()
  useEffect(() => {
    document.title = `${title} · ${product}`
  }, [title, product])
  return (
    <div className="sign-in">
      <Group component="header" justify="space-between">
        <Group gap="xs">
          <Mark size={24} />
          <Text fw={600}>{product}</Text>
        </Group>
        <Group gap={4}>
          <Appearance />
        </Group>
      </Group>
      <main>
        <Title order={1} mb={help === undefined ? 'md' : 4}>
          {title}
        </Title>
        {help !== undefined && (
          <Text c="dimmed" mb="md">
            {help}
          </Text>
        )}
        {children}
      </main>
    </div>
  )
}
