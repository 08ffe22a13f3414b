import { Alert, Button, Group, ScrollArea, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Failure } from '../../app/api.ts'
import { useFailureText, useReasonText } from '../../app/failures.ts'
import { useTexts } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { forget, useStillShown } from '../../app/queries.ts'
import { useSyncText } from '../../app/statement.ts'
import { Copy } from '../../ui/Copy.tsx'
import { DepartmentPicker } from '../../ui/DepartmentPicker.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { notifyDone, notifyFailure } from '../../ui/notify.tsx'
import type { Choice } from '../../ui/RecordPicker.tsx'
import { RolePicker } from '../../ui/RolePicker.tsx'
import { ShownOnce } from '../../ui/ShownOnce.tsx'
import { Failed } from '../../ui/states.tsx'
import { useUnsaved } from '../../ui/use-unsaved.ts'
import { type Changed, changePeople, isComplete, needsOf, type PeopleAction, type Target, type Wanted } from './bulk.ts'

export interface Bulk {
  action: PeopleAction
  targets: readonly Target[]
  /** The department that they are shown in, which a move ends the membership of. */
  from?: Choice | undefined
  /** What is asked for already, and not to be changed. */
  given?: Wanted
  known?: readonly Choice[]
}

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
  const held = doing.isPending || (doing.data !== undefined && passwordsIn(doing.data).length > 0)
  useEffect(() => {
    onHeld(held)
    return () => onHeld(false)
  }, [held, onHeld])
  if (doing.data !== undefined) return <Report changed={doing.data} onClose={onClose} />
  const effect = preview.data?.effect
  const mustType =
    action === 'delete' ? ([targets[0]?.username, String(effect?.changed)][targets.length === 1 ? 0 : 1] ?? '') : null
  const ready = effect !== undefined && effect.changed > 0 && (mustType === null || typed.trim() === mustType)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (ready) doing.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Needs bulk={bulk} wanted={wanted} onChange={setWanted} />
        <div aria-live="polite">
          {complete && preview.isPending && <Skeleton height={40} />}
          {preview.isError && <Failed error={preview.error} retry={() => void preview.refetch()} />}
          {preview.data !== undefined && <Preview action={action} changed={preview.data} />}
        </div>
        {mustType !== null && effect !== undefined && effect.changed > 0 && (
          <TextInput
            label={forms.typeToConfirm(mustType)}
            value={typed}
            autoComplete="off"
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        {doing.isError && (
          <Alert color="red" role="alert">
            {failureText(doing.error)}
          </Alert>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" disabled={doing.isPending} onClick={onClose}>
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

interface NeedsProps {
  bulk: Bulk
  wanted: Wanted
  onChange(wanted: Wanted): void
}

const Needs = ({ bulk: { action, from, given, known }, wanted, onChange }: NeedsProps) => {
  const { fields } = useTexts()
  const { people } = usePageTexts('people')
  const needs = needsOf(action)
  if (needs === 'roles') {
    return (
      <RolePicker
        label={fields.roleIds}
        value={wanted.roleIds ?? []}
        known={known}
        disabled={given !== undefined}
        onChange={(roleIds) => onChange({ roleIds })}
        autoFocus={given === undefined}
      />
    )
  }
  if (needs === 'groups') {
    return (
      <DepartmentPicker
        label={fields.departmentId}
        value={wanted.groupIds ?? []}
        known={known}
        disabled={given !== undefined}
        onChange={(groupIds) => onChange({ groupIds })}
        autoFocus={given === undefined}
      />
    )
  }
  if (needs === null) return null
  const one = (id: number | undefined): number[] => (id === undefined ? [] : [id])
  return (
    <>
      <DepartmentPicker
        label={people.bulk.from}
        single
        value={one(wanted.from)}
        known={from === undefined ? [] : [from]}
        onChange={([id]) => onChange(places(id, wanted.to))}
      />
      <DepartmentPicker
        label={people.bulk.to}
        single
        value={one(wanted.to)}
        exclude={one(wanted.from)}
        onChange={([id]) => onChange(places(wanted.from, id))}
        autoFocus={from !== undefined}
      />
    </>
  )
}

const places = (from: number | undefined, to: number | undefined): Wanted => ({
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
})

const effects = ['sessionsEnded', 'membershipsEnded', 'membershipsAdded', 'administrators'] as const

/** What it comes to, and for whom it is refused. */
const Preview = ({ action, changed: { effect, people: each } }: { action: PeopleAction; changed: Changed }) => {
  const { people } = usePageTexts('people')
  const refused = each.filter(({ result }) => result === 'refused')
  const also = effects.filter((name) => effect[name] > 0).map((name) => people.bulk.also[name](effect[name]))
  return (
    <Stack gap="xs">
      {effect.changed > 0 ? (
        <Text>{people.bulk.consequences[action](effect.changed)}</Text>
      ) : (
        <Text>{people.bulk.nothing}</Text>
      )}
      {effect.changed > 0 && also.length > 0 && (
        <ul className="plain-list">
          {also.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {effect.unchanged > 0 && <Text c="dimmed">{people.bulk.unchanged(effect.unchanged)}</Text>}
      {refused.length > 0 && (
        <>
          <Meaning level="danger">{people.bulk.refused(refused.length)}</Meaning>
          <PersonResults results={refused} />
        </>
      )}
    </Stack>
  )
}

const levels = { changed: 'safe', unchanged: 'none', refused: 'danger' } as const

/** More would be slow to draw, and are not read one by one. */
const shownResults = 200

const PersonResults = ({ results }: { results: Changed['people'] }) => {
  const { people } = usePageTexts('people')
  const reasonText = useReasonText()
  const syncText = useSyncText()
  return (
    <ScrollArea.Autosize mah={220} type="auto" viewportProps={{ tabIndex: 0, 'aria-label': people.bulk.results }}>
      <ul className="results">
        {results.slice(0, shownResults).map(({ id, name, result, reason, params, message, stated, password }) => (
          <li key={id}>
            <Meaning level={levels[result]}>
              <Text span fw={500}>
                {name || `#${id}`}
              </Text>{' '}
              <Text span c="dimmed">
                {reason === null
                  ? (password ??
                    syncText({ reason: message, stated }) ??
                    people.bulk[result === 'changed' ? 'done' : 'same'])
                  : reasonText(reason, params, message)}
              </Text>
            </Meaning>
          </li>
        ))}
      </ul>
      {results.length > shownResults && <Text c="dimmed">{people.bulk.andMore(results.length - shownResults)}</Text>}
    </ScrollArea.Autosize>
  )
}

/** Passwords that are shown only once: as a table that can be pasted. */
const passwordsIn = ({ people }: Changed): string[] =>
  people.flatMap(({ username, password }) => (password ? `${username}\t${password}` : []))

const Report = ({ changed, onClose }: { changed: Changed; onClose(): void }) => {
  const { actions } = useTexts()
  const { people } = usePageTexts('people')
  const { effect } = changed
  const order = ['refused', 'changed', 'unchanged']
  const passwords = passwordsIn(changed)
  const sorted = [...changed.people].sort((a, b) => order.indexOf(a.result) - order.indexOf(b.result))
  const summary = (
    <Meaning level={effect.refused > 0 ? 'risk' : 'safe'}>{people.bulk.report(effect.changed, effect.refused)}</Meaning>
  )
  if (passwords.length > 0) {
    return (
      <ShownOnce why={people.reset.once} action={people.reset.noted} onKept={onClose}>
        <Group justify="space-between" wrap="nowrap">
          {summary}
          <Copy text={passwords.join('\n')} />
        </Group>
        <PersonResults results={sorted} />
      </ShownOnce>
    )
  }
  return (
    <Stack gap="sm" role="status">
      {summary}
      <PersonResults results={sorted} />
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          {actions.close}
        </Button>
      </Group>
    </Stack>
  )
}
