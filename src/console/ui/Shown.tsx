import { Code, Group, Stack, Text } from '@mantine/core'
import { Copy } from './Copy.tsx'

/** A text to take along as a whole. */
export const Shown = ({ label, text }: { label: string; text: string }) => (
  <Stack gap={4}>
    <Text size="sm" fw={600}>
      {label}
    </Text>
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Code block className="shown-once" tabIndex={0} role="region" aria-label={label}>
        {text}
      </Code>
      <Copy text={text} />
    </Group>
  </Stack>
)
