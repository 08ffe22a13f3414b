import { Button, type ButtonProps } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useFailureText } from '../../app/failures.ts'
import { useTexts } from '../../app/language.tsx'
import { useChange, useStillShown } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import { notifyFailure } from '../../ui/notify.tsx'

interface DryRunProps extends Pick<ButtonProps, 'disabled'> {
  kind: 'users' | 'groups'
  /** A short text, where the page says what is compared. */
  short?: boolean
}

/** Shows what a comparison with the directory would do, record by record, without doing it. */
export const DryRun = ({ kind, short = false, disabled = false }: DryRunProps) => {
  const { dryRun } = useTexts()
  const failureText = useFailureText()
  const navigate = useNavigate()
  const may = useMay('compareDirectory')
  const maySee = useMay('getRun')
  const stillShown = useStillShown()
  const trying = useChange('compareDirectory', ['listRuns'])
  if (!may || !maySee) return null
  const text = short ? dryRun.short : dryRun.open
  return (
    <Button
      variant="default"
      aria-label={dryRun.of[kind](text)}
      title={dryRun.help}
      disabled={disabled}
      loading={trying.isPending}
      onClick={() =>
        trying.mutate(
          { body: { kind, dryRun: true } },
          {
            onSuccess: ({ data }) => {
              if (stillShown()) void navigate({ to: '/runs/$id', params: { id: String(data.runId) } })
            },
            onError: (error) => notifyFailure(failureText(error)),
          },
        )
      }
    >
      {text}
    </Button>
  )
}
