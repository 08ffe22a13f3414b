import { Button } from '@mantine/core'
import { useFailureText } from '../../app/failures.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useChange } from '../../app/queries.ts'
import { useConfirm } from '../../ui/confirm.tsx'
import { notifyDone, notifyFailure } from '../../ui/notify.tsx'

/** Takes entries out of the list; the log itself says who did it. */
export const DeleteEntries = ({ ids, onDone }: { ids: readonly number[]; onDone(): void }) => {
  const { log, actions } = usePageTexts('log')
  const failureText = useFailureText()
  const confirm = useConfirm()
  const remove = useChange('deleteOperationLogs', ['listLogEntries', 'getLogChain'])
  const ask = async (): Promise<void> => {
    const isMeant = await confirm({
      title: log.remove.title(ids.length),
      consequence: log.remove.consequence,
      action: actions.delete,
      danger: true,
    })
    if (!isMeant) return
    remove.mutate(
      { body: { operationLogIds: [...ids] } },
      {
        onSuccess: () => {
          notifyDone(log.remove.done(ids.length))
          onDone()
        },
        onError: (error) => notifyFailure(failureText(error)),
      },
    )
  }
  return (
    <Button size="xs" color="red" variant="light" loading={remove.isPending} onClick={() => void ask()}>
      {log.remove.button(ids.length)}
    </Button>
  )
}

/** Empties the list, also of entries that the filters hide. */
export const useEmptyLog = (): (() => Promise<void>) => {
  const { log, actions } = usePageTexts('log')
  const failureText = useFailureText()
  const confirm = useConfirm()
  const empty = useChange('cleanOperationLogs', ['listLogEntries', 'getLogChain'])
  return async () => {
    const isMeant = await confirm({
      title: log.remove.all,
      consequence: log.remove.allConsequence,
      action: actions.delete,
      danger: true,
      typed: log.remove.typed,
    })
    if (!isMeant) return
    empty.mutate(
      {},
      { onSuccess: () => notifyDone(log.remove.allDone), onError: (error) => notifyFailure(failureText(error)) },
    )
  }
}
