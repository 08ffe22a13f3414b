import { Alert, Button, Group, Skeleton, Stack, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFailureText, useReasonText } from '../../app/failures.ts'
import { useTexts } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { reading, useChange } from '../../app/queries.ts'
import { DepartmentPicker } from '../../ui/DepartmentPicker.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { Failed } from '../../ui/states.tsx'

export interface Place {
  id: number
  name: string
}

/** A department that is to be moved. */
export interface Moving extends Place {
  /** Where it is now; null at the top. */
  parent: number | null
  version?: string | undefined
  /** The new place: null is the top; absent, it is still to be chosen. */
  to?: Place | null
}

/** Shows what a move comes to before it is done, whether it was dragged, pasted or asked for by name. */
export const MoveDepartment = ({ moving, onClose }: { moving: Moving | null; onClose(): void }) => {
  const { people } = usePageTexts('people')
  return (
    <Dialog opened={moving !== null} onClose={onClose} title={moving === null ? '' : people.move.title(moving.name)}>
      {moving !== null && <Move key={moving.id} moving={moving} onClose={onClose} />}
    </Dialog>
  )
}

const Move = ({ moving, onClose }: { moving: Moving; onClose(): void }) => {
  const { actions } = useTexts()
  const { people } = usePageTexts('people')
  const failureText = useFailureText()
  const reasonText = useReasonText()
  const [to, setTo] = useState<Place | null | undefined>(moving.to)
  const isChosen = to !== undefined
  const parent = to?.id ?? null
  const { id, name, version } = moving
  const isThere = isChosen && parent === moving.parent
  const effect = useQuery({
    ...reading('moveDepartment', { path: { id }, body: { parent, dryRun: true } }),
    enabled: isChosen && !isThere,
    staleTime: 0,
  })
  const change = useChange('moveDepartment', ['listDepartments', 'getDepartmentPath', 'listPeople', 'getPerson'])
  const moved = (): void => {
    onClose()
    notifyDone(people.move.done(name, to?.name ?? null), {
      text: actions.undo,
      act: async () => {
        await change.mutateAsync({ path: { id }, body: { parent: moving.parent } })
        notifyDone(people.move.undone(name))
      },
    })
  }
  const obstacle = effect.data?.obstacle ?? null
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (change.isPending) return
        const body = { parent, ...(version !== undefined && { version }) }
        change.mutate({ path: { id }, body }, { onSuccess: moved })
      }}
    >
      <Stack gap="sm">
        {/* Above the picker: its open list would hide what is below. */}
        <Switch
          label={people.move.toTop}
          checked={isChosen && to === null}
          onChange={(event) => setTo(event.currentTarget.checked ? null : undefined)}
        />
        <DepartmentPicker
          label={people.move.below}
          single
          exclude={[id]}
          disabled={isChosen && to === null}
          value={to === undefined || to === null ? [] : [to.id]}
          known={to === undefined || to === null ? [] : [to]}
          autoFocus={!isChosen}
          onChange={(_ids, [choice]) => setTo(choice)}
        />
        <div aria-live="polite">
          {isThere && <Text c="dimmed">{people.move.isThere}</Text>}
          {isChosen && !isThere && effect.isPending && <Skeleton height={20} />}
          {effect.isError && !isThere && <Failed error={effect.error} retry={() => void effect.refetch()} />}
          {!isThere && effect.data !== undefined && obstacle === null && (
            <Text>{people.move.effect(effect.data.departments, effect.data.people)}</Text>
          )}
          {!isThere && obstacle !== null && (
            <Meaning level="danger">
              {people.move.refused} {reasonText(obstacle.reason, obstacle.params, obstacle.message)}
            </Meaning>
          )}
          {change.isError && (
            <Alert color="red" role="alert" mt="sm">
              {failureText(change.error)}
            </Alert>
          )}
        </div>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} {...(moving.to !== undefined && { 'data-autofocus': true })}>
            {actions.cancel}
          </Button>
          <Button
            type="submit"
            loading={change.isPending}
            disabled={!isChosen || isThere || effect.data === undefined || obstacle !== null}
          >
            {people.move.action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
