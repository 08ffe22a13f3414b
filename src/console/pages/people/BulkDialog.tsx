import { Alert, Button, Group, Skeleton, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import type { Failure } from '../../app/api.ts'
import { useFailureText } from '../../app/failures.ts'
import { useTexts } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { forget, useStillShown } from '../../app/queries.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { notifyDone, notifyFailure } from '../../ui/notify.tsx'
import { Failed } from '../../ui/states.tsx'
import { isTypedAs } from '../../ui/typed-as.ts'
import { useHeld } from '../../ui/use-held.ts'
import { useUnsaved } from '../../ui/use-unsaved.ts'
import { BulkNeeds } from './BulkNeeds.tsx'
import { BulkPreview, BulkReport, passwordsIn } from './BulkResults.tsx'
import { type Bulk, type Changed, changePeople, isComplete, needsOf, type Wanted } from './bulk.ts'

interface BulkDialogProps {
  bulk: Bulk | null
  onClose(): void
  /** It was done, at least to some. */
  onDone?: ((changed: Changed) => void) | undefined
}

/** Does something to one person or many: first what it would do and for whom it is refused, then who it was done to. */
export const BulkDialog = ({ bulk, onClose, onDone }: BulkDialogProps) => {
  const { people } = usePageTexts('people')
  const [held, setHeld] = useState(false)
  return (
    <Dialog
      opened={bulk !== null}
      onClose={onClose}
      // What it came to, and the passwords in it, would be shown nowhere else.
      closeOnClickOutside={!held}
      closeOnEscape={!held}
      withCloseButton={!held}
      size="lg"
      title={bulk === null ? '' : people.bulk.titles[bulk.action](bulk.targets.length, bulk.targets[0]?.name ?? '')}
    >
      {bulk !== null && <BulkSteps bulk={bulk} onClose={onClose} onDone={onDone} onHeld={setHeld} />}
    </Dialog>
  )
}

interface BulkStepsProps extends Pick<BulkDialogProps, 'onClose' | 'onDone'> {
  bulk: Bulk
  /** Says whether the dialog has to stay open. */
  onHeld(held: boolean): void
}

const BulkSteps = ({ bulk, onClose, onDone, onHeld }: BulkStepsProps) => {
  const { actions, forms } = useTexts()
  const { people } = usePageTexts('people')
  const failureText = useFailureText()
  const client = useQueryClient()
  const { action, targets } = bulk
  const [wanted, setWanted] = useState<Wanted>(bulk.given ?? (bulk.from === undefined ? {} : { from: bulk.from.id }))
  const [typed, setTyped] = useState('')
  const complete = isComplete(action, wanted)
  const asked = { action, targets, wanted }
  const preview = useQuery<Changed, Failure>({
    queryKey: ['changePeople', action, targets.map(({ id }) => id), wanted],
    queryFn: () => changePeople(asked, true),
    enabled: complete,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const over = useRef(false)
  const stillShown = useStillShown()
  const doing = useMutation<Changed, Failure>({
    mutationFn: () => {
      over.current = false
      return changePeople(asked, false)
    },
    onSuccess: (changed) => {
      // What follows may lead away.
      over.current = true
      if (!stillShown()) return tell(changed, people.bulk.report)
      onDone?.(changed)
    },
    onError: (error) => stillShown() || notifyFailure(failureText(error)),
    onSettled: () => forget(client, 'listPeople', 'getPerson', 'listDepartments', 'listUserSessions', 'explainGrant'),
  })
  useUnsaved(() => doing.isPending && !over.current, doing.isPending, undefined, 'underWay')
  useHeld(doing.isPending || (doing.data !== undefined && passwordsIn(doing.data).length > 0), onHeld)
  if (doing.data !== undefined) return <BulkReport changed={doing.data} onClose={onClose} />
  const effect = preview.data?.effect
  const mustType =
    action === 'delete' ? ([targets[0]?.username, String(effect?.changed)][targets.length === 1 ? 0 : 1] ?? '') : null
  const ready = effect !== undefined && effect.changed > 0 && (mustType === null || isTypedAs(typed, mustType))
  // There is nothing to type or to choose: the focus begins at what changes nothing.
  const isFixed = action !== 'delete' && (bulk.given !== undefined || needsOf(action) === null)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (ready) doing.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <BulkNeeds bulk={bulk} wanted={wanted} onChange={setWanted} />
        <div aria-live="polite">
          {complete && preview.isPending && <Skeleton height={40} />}
          {preview.isError && <Failed error={preview.error} retry={() => void preview.refetch()} />}
          {preview.data !== undefined && <BulkPreview action={action} changed={preview.data} />}
        </div>
        {mustType !== null && effect !== undefined && effect.changed > 0 && (
          <TextInput
            label={forms.typeToConfirm(mustType)}
            value={typed}
            autoComplete="off"
            data-autofocus
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        {doing.isError && (
          <Alert color="red" role="alert">
            {failureText(doing.error)}
          </Alert>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" disabled={doing.isPending} onClick={onClose} data-autofocus={isFixed || undefined}>
            {actions.cancel}
          </Button>
          <Button
            type="submit"
            disabled={!ready}
            loading={doing.isPending}
            {...((action === 'delete' || action === 'disable') && { color: 'red' })}
          >
            {people.bulk.actions[action]}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Says what it came to to a caller who has left. */
const tell = ({ effect: { changed, refused } }: Changed, report: (changed: number, refused: number) => string): void =>
  (refused > 0 ? notifyFailure : notifyDone)(report(changed, refused))
