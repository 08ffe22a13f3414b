import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call, type Failure } from '../../app/api.ts'
import { useFailureText } from '../../app/failures.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { Meaning } from '../../ui/Meaning.tsx'
import { notifyFailure } from '../../ui/notify.tsx'
import { PageFor } from '../../ui/states.tsx'
import { SecurityPage } from './SecurityPage.tsx'

/** Milliseconds for which the address of a report is valid. */
const lifetime = 600_000

/** The report: made on request, and shown by a page of its own. */
export const Report = () => (
  <PageFor operation="getReport">
    <ReportPage />
  </PageFor>
)

const ReportPage = () => {
  const { report: texts } = usePageTexts('security').security
  const failureText = useFailureText()
  const [url, setUrl] = useState<string | null>(null)
  // It writes a report each time, so it is not asked again by itself as what reads is.
  const make = useMutation<string, Failure, void>({ mutationFn: async () => (await call('getReport', {})).data.url })
  const [ended, setEnded] = useState(false)
  useEffect(() => {
    if (url === null) return
    setEnded(false)
    const timer = setTimeout(() => setEnded(true), lifetime)
    return () => clearTimeout(timer)
  }, [url])
  return (
    <SecurityPage room="report">
      <Stack gap="md" maw={560}>
        <Text>{texts.what}</Text>
        <Group>
          <Button
            variant={url === null ? 'filled' : 'default'}
            loading={make.isPending}
            onClick={() =>
              make.mutate(undefined, { onSuccess: setUrl, onError: (error) => notifyFailure(failureText(error)) })
            }
          >
            {url === null ? texts.make : texts.again}
          </Button>
        </Group>
        {url !== null &&
          (ended ? (
            <Meaning level="none">{texts.ended}</Meaning>
          ) : (
            <Stack gap="xs" role="status">
              <Meaning level="safe">{texts.ready}</Meaning>
              <Text c="dimmed">{texts.valid}</Text>
              <Group gap="md">
                <Anchor href={url} target="_blank" rel="noreferrer">
                  {texts.open}
                </Anchor>
                <Anchor href={url} download={texts.fileName}>
                  {texts.download}
                </Anchor>
              </Group>
            </Stack>
          ))}
      </Stack>
    </SecurityPage>
  )
}
