import { Button, Group, Text } from '@mantine/core'
import type { Data } from '../../app/api.ts'
import { useFailureText } from '../../app/failures.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useEnded, useProgress } from '../../app/progress.ts'
import { useChange, useReading } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import { type Level, Meaning } from '../../ui/Meaning.tsx'
import { notifyFailure } from '../../ui/notify.tsx'
import { RunProgress } from '../../ui/RunProgress.tsx'
import { QueryState } from '../../ui/states.tsx'
import { Time } from '../../ui/Time.tsx'

const levels: Readonly<Record<Data<'getLogChain'>['state'], Level>> = {
  intact: 'safe',
  incomplete: 'risk',
  broken: 'danger',
  unknown: 'none',
}

/** Whether the log is what was written, and the button that proves it. */
export const ChainState = () => {
  const { log, named } = usePageTexts('log')
  const { chain: texts } = log
  const failureText = useFailureText()
  const chain = useReading('getLogChain', {})
  const mayVerify = useMay('verifyLog')
  const mayWatch = useMay('getProgress')
  const verify = useChange('verifyLog', ['getLogChain'])
  const work = useProgress({ kind: 'verification' }, { enabled: mayWatch })
  const running = work?.find(({ finishedAt }) => finishedAt === null)
  useEnded(work, () => void chain.refetch())
  return (
    <QueryState query={chain} height={30}>
      {({ state, entries, waiting, verification }) => (
        <Group gap="md" justify="space-between">
          <Group gap="md">
            <Meaning level={levels[state]}>{state === 'intact' ? texts.intact(entries) : texts[state]}</Meaning>
            {verification?.broken !== undefined && (
              <Text c="var(--danger)" title={verification.broken.message}>
                {texts.brokenAt(verification.broken.seq, texts.breaks[verification.broken.what])}
              </Text>
            )}
            {verification !== undefined && verification.failure !== '' && (
              <Text title={verification.failure}>
                <Meaning level="risk">{texts.failed}</Meaning>
              </Text>
            )}
            {verification?.unchecked !== undefined && <Text>{texts.unchecked(verification.unchecked.count)}</Text>}
            {(verification?.gaps.length ?? 0) > 0 && (
              <Text title={verification?.gaps.map(({ seq, message }) => named(String(seq), message)).join('\n')}>
                {named(texts.gaps, String(verification?.gaps.length))}
              </Text>
            )}
            {waiting > 0 && <Meaning level="risk">{texts.waiting(waiting)}</Meaning>}
            {verification !== undefined && (
              <Text c="dimmed">
                {texts.verifiedAt} <Time value={verification.finishedAt} />
              </Text>
            )}
          </Group>
          {running === undefined ? (
            mayVerify && (
              <Button
                variant="default"
                loading={verify.isPending}
                onClick={() => verify.mutate({}, { onError: (error) => notifyFailure(failureText(error)) })}
              >
                {texts.verify}
              </Button>
            )
          ) : (
            <RunProgress work={running} label={texts.verifying} />
          )}
        </Group>
      )}
    </QueryState>
  )
}
