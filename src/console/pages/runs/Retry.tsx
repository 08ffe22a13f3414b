import { Button, Group, Text } from '@mantine/core'
import { useFailureText } from '../../app/failures.ts'
import { useChange } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import { type Run, useRunTexts } from './run-text.ts'

/** Writes the entry of a record again that the directory refused. */
export const Retry = ({ kind, id }: { kind: Run['kind']; id: number }) => {
  const { retry: texts } = useRunTexts().runs
  const failureText = useFailureText()
  const operation = kind === 'users' ? 'retryPerson' : 'retryDepartment'
  const may = useMay(operation)
  const retry = useChange(operation, ['getPerson', 'listPeople', 'listDepartments'])
  if (!may) return null
  const answers = { synced: texts.now, waiting: texts.waits, refused: texts.still }
  return (
    <Group gap="sm">
      <Button variant="default" loading={retry.isPending} onClick={() => retry.mutate({ path: { id } })}>
        {texts.button}
      </Button>
      <Text role="status" {...(retry.isError && { c: 'var(--danger)' })}>
        {retry.isError && failureText(retry.error)}
        {retry.data !== undefined && !retry.isPending && answers[retry.data.data.state]}
      </Text>
    </Group>
  )
}
