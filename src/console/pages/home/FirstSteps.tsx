import { Code, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { Data, Failure } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { PageLink } from '../../ui/PageLink.tsx'
import { Failed } from '../../ui/states.tsx'
import { SettingStep } from './SettingStep.tsx'

type Step = Data<'listFirstSteps'>['steps'][number]

/** Where the console does a step; the others are settings, or calls of the API. */
const places: Readonly<Partial<Record<Step['id'], { to: string; tab?: string }>>> = {
  ownPassword: { to: '/me', tab: 'password' },
  secondFactor: { to: '/me', tab: 'secondFactor' },
  backup: { to: '/backups' },
  source: { to: '/sources' },
}

/** What a new installation still lacks, while it lacks anything. */
export const FirstSteps = ({ query }: { query: UseQueryResult<Data<'listFirstSteps'>, Failure> }) => {
  const { steps: texts } = usePageTexts('home').home
  const { data, error, refetch } = query
  if (data === undefined) return error && <Failed error={error} retry={() => void refetch()} />
  if (data.open === 0) return null
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" mb="sm">
        <Title order={2}>{texts.title}</Title>
        <Text c="dimmed">{texts.left(data.open)}</Text>
      </Group>
      <SimpleGrid component="ul" cols={{ base: 1, md: 2 }} verticalSpacing="sm" className="plain">
        {data.steps
          .filter(({ done }) => !done)
          .map((step) => (
            <li key={step.id}>
              <OpenStep step={step} />
            </li>
          ))}
      </SimpleGrid>
    </Paper>
  )
}

const OpenStep = ({ step: { id, done, action, deduction } }: { step: Step }) => {
  const { home, named } = usePageTexts('home')
  const { steps: texts } = home
  const { title, why } = texts[id]
  const place = places[id]
  return (
    <Stack gap={2}>
      <Group gap={0} style={{ columnGap: 12 }}>
        <Text fw={600}>{title}</Text>
        {deduction !== null && <Text c="dimmed">{texts.points(deduction)}</Text>}
      </Group>
      <Text c="dimmed">{why}</Text>
      {place !== undefined ? (
        <PageLink
          to={place.to}
          {...(place.tab !== undefined && { search: { tab: place.tab } })}
          aria-label={named(texts.do, title)}
        >
          {texts.do}
        </PageLink>
      ) : action.setting === undefined ? (
        <Code>{action.operation}</Code>
      ) : (
        <SettingStep setting={action.setting} title={title} isDone={done} />
      )}
    </Stack>
  )
}
