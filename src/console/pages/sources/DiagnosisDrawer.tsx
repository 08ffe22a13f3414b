import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Data } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { reading } from '../../app/queries.ts'
import { useStatementText } from '../../app/statement.ts'
import { Meaning } from '../../ui/Meaning.tsx'
import { RecordDrawer } from '../../ui/RecordDrawer.tsx'
import { Failed, Loading } from '../../ui/states.tsx'
import type { SourceState } from './SourceCard.tsx'

interface DiagnosisDrawerProps {
  /** Undefined: none is diagnosed. */
  source: SourceState['source'] | undefined
  onClose(): void
}

/** Tests a source when it is opened, and says step by step what was found and what helps. */
export const DiagnosisDrawer = ({ source, onClose }: DiagnosisDrawerProps) => {
  const { sources, runs } = usePageTexts('sources', 'runs')
  return (
    <RecordDrawer
      opened={source !== undefined}
      onClose={onClose}
      title={source === undefined ? '' : sources.diagnosis.title(runs.sources[source])}
    >
      {source !== undefined && <Diagnosis source={source} />}
    </RecordDrawer>
  )
}

const Diagnosis = ({ source }: { source: SourceState['source'] }) => {
  const { diagnosis: texts } = usePageTexts('sources').sources
  const query = useQuery({
    ...reading('diagnoseSource', { path: { source } }),
    // It asks the platform: once when it is opened, and again only where that is wanted.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  })
  const again = (): void => void query.refetch()
  return (
    <Stack gap="md" aria-live="polite">
      {query.isFetching ? (
        <>
          <Text c="dimmed">{texts.testing}</Text>
          <Loading />
        </>
      ) : query.isError ? (
        <Failed error={query.error} retry={again} />
      ) : (
        query.data !== undefined && (
          <>
            <Steps found={query.data} />
            <Group>
              <Button variant="default" onClick={again}>
                {texts.again}
              </Button>
            </Group>
          </>
        )
      )}
    </Stack>
  )
}

const Steps = ({ found: { steps, roots, missingFields } }: { found: Data<'diagnoseSource'> }) => {
  const { sources, listed } = usePageTexts('sources')
  const { diagnosis: texts } = sources
  const names: Readonly<Record<string, string>> = texts.steps
  const say = useStatementText()
  const isWell = steps.every(({ ok }) => ok)
  return (
    <>
      <Meaning level={isWell ? 'safe' : 'danger'}>
        <Text span fw={600}>
          {isWell ? texts.well : texts.ill}
        </Text>
      </Meaning>
      <ol className="diagnosis">
        {steps.map(({ step, ok, found, advice, stated, advised }) => (
          <li key={step}>
            <Meaning level={ok ? 'safe' : 'danger'}>
              <Text span fw={600}>
                {names[step] ?? step}
              </Text>
            </Meaning>
            <Text>{say(stated, found)}</Text>
            {advice !== '' && <Text c="dimmed">{say(advised, advice)}</Text>}
          </li>
        ))}
      </ol>
      {roots.length > 0 && (
        <div>
          <Title order={2}>{texts.roots}</Title>
          <Text>{roots.join(' · ')}</Text>
        </div>
      )}
      {missingFields.length > 0 && (
        <div>
          <Title order={2}>{texts.missingFields}</Title>
          <Text className="mono">{listed(missingFields)}</Text>
          <Text c="dimmed">{texts.missingFieldsHelp}</Text>
        </div>
      )}
    </>
  )
}
