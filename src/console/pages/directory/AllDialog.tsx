import { Alert, Button, Code, Group, ScrollArea, Stack, Text } from '@mantine/core'
import { useTexts } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { useReading } from '../../app/queries.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { QueryState } from '../../ui/states.tsx'
import { useOrphanFailure, useOrphanFilter } from './orphan-text.ts'
import { useAdopt, useIgnore } from './use-decision.ts'

export type AllAction = 'adopt' | 'ignore'

interface AllDialogProps {
  action: AllAction | null
  onClose(): void
  onDone(): void
}

/** Adopts or ignores all entries that match the filter: first which ones they are, then exactly these. */
export const AllDialog = ({ action, onClose, onDone }: AllDialogProps) => {
  const { orphans: texts } = usePageTexts('directory').directory
  return (
    <Dialog opened={action !== null} onClose={onClose} size="lg" title={action === null ? '' : texts[action].action}>
      {action !== null && <AllSteps action={action} onClose={onClose} onDone={onDone} />}
    </Dialog>
  )
}

const AllSteps = ({ action, onClose, onDone }: AllDialogProps & { action: AllAction }) => {
  const { actions } = useTexts()
  const { orphans: texts } = usePageTexts('directory').directory
  const { filter } = useOrphanFilter()
  const failureOf = useOrphanFailure()
  const preview = useReading('previewOrphans', { body: { action, filter } }, { staleTime: 0 })
  const [adopting, ignoring] = [useAdopt(), useIgnore()]
  const deciding = action === 'adopt' ? adopting : ignoring
  const start = (hash: string): void =>
    deciding.mutate(
      { body: { filter, hash } },
      {
        onSuccess: ({ data }) => {
          notifyDone(texts[action].done(data.total))
          onDone()
        },
      },
    )
  const total = preview.data?.total ?? 0
  return (
    <Stack gap="sm">
      <QueryState query={preview}>
        {({ orphans }) =>
          orphans.length === 0 ? (
            <Text role="status">{texts.all.nothing[action]}</Text>
          ) : (
            <>
              <Text role="status">{texts[action].why(total)}</Text>
              <Matching dns={orphans.map(({ dn }) => dn)} total={total} />
            </>
          )
        }
      </QueryState>
      {deciding.isError && (
        <Alert color="red" role="alert">
          {failureOf(deciding.error)}
        </Alert>
      )}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose} data-autofocus>
          {actions.cancel}
        </Button>
        {total > 0 && (
          <Button
            loading={deciding.isPending}
            disabled={preview.isFetching}
            onClick={() => preview.data !== undefined && start(preview.data.hash)}
          >
            {texts[action].many(total)}
          </Button>
        )}
      </Group>
    </Stack>
  )
}

const Matching = ({ dns, total }: { dns: readonly string[]; total: number }) => {
  const { orphans: texts } = usePageTexts('directory').directory
  return (
    <>
      {total > dns.length && <Text c="dimmed">{texts.all.first(dns.length, total)}</Text>}
      <ScrollArea.Autosize mah={260} type="auto" viewportProps={{ tabIndex: 0, 'aria-label': texts.label }}>
        <ul className="plain-list">
          {dns.map((dn) => (
            <li key={dn}>
              <Code>{dn}</Code>
            </li>
          ))}
        </ul>
      </ScrollArea.Autosize>
    </>
  )
}
