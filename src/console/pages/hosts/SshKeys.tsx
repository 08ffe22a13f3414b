import { Button, Group, Stack, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { Body, Data, Failure } from '../../app/api.ts'
import { useFailureText } from '../../app/failures.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useChange, useReading } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import { addMySshKey } from '../../generated/forms/addMySshKey.ts'
import { sshKeyLayout } from '../../hints/hosts.ts'
import { ContractForm } from '../../ui/ContractForm.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { notifyDone, notifyFailure } from '../../ui/notify.tsx'
import { QueryState } from '../../ui/states.tsx'
import { Time } from '../../ui/Time.tsx'
import { Disclosed } from './Disclosed.tsx'

type Keys = Data<'listMySshKeys'>
type Key = Keys['keys'][number]

interface SshKeysProps {
  query: UseQueryResult<Keys, Failure>
  /** Whether they are the caller's. */
  isOwn: boolean
  /** Absent where the caller may not. */
  add?: ((body: Body<'addMySshKey'>) => Promise<unknown>) | undefined
  remove?: ((fingerprint: string) => Promise<unknown>) | undefined
}

/** The public keys of a person, with what adds and removes them. */
export const SshKeys = ({ query, isOwn, add, remove }: SshKeysProps) => {
  const { keys: texts } = usePageTexts('hosts').hosts
  const help = texts.help[isOwn ? 'own' : 'person']
  return (
    <QueryState query={query}>
      {({ keys, takesOver }) => (
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {keys.length > 0 ? help : takesOver && add !== undefined ? `${texts.none} ${texts.takesOver}` : texts.none}
          </Text>
          {keys.length > 0 && (
            <ul className="record-list" aria-label={texts.title}>
              {keys.map((key) => (
                <li key={key.fingerprint}>
                  <OneKey of={key} isOwn={isOwn} remove={remove} />
                </li>
              ))}
            </ul>
          )}
          {add !== undefined && (
            <Disclosed action={texts.add}>{(close) => <NewKey add={add} close={close} />}</Disclosed>
          )}
        </Stack>
      )}
    </QueryState>
  )
}

const OneKey = ({ of: key, isOwn, remove }: Pick<SshKeysProps, 'isOwn' | 'remove'> & { of: Key }) => {
  const { keys: texts } = usePageTexts('hosts').hosts
  const failureText = useFailureText()
  const confirm = useConfirm()
  const { name, type, bits, fingerprint, addedAt } = key
  const ask = async (): Promise<void> => {
    const consequence = texts.removeWhy[isOwn ? 'own' : 'person']
    const question = { title: texts.removeTitle(name), consequence, action: texts.remove, danger: true }
    if (!(await confirm(question))) return
    try {
      await remove?.(fingerprint)
      notifyDone(texts.removed(name))
    } catch (error) {
      notifyFailure(failureText(error))
    }
  }
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm" align="flex-start">
      <Stack gap={2} miw={0}>
        <Text fw={600}>{name}</Text>
        <span className="mono">{fingerprint}</span>
        <Text size="xs" c="dimmed">
          {texts.kind(type, bits)} · {texts.addedAt} <Time value={addedAt} />
        </Text>
      </Stack>
      {remove !== undefined && (
        <Button
          variant="default"
          size="compact-sm"
          style={{ flexShrink: 0 }}
          aria-label={texts.removeOf(name)}
          onClick={() => void ask()}
        >
          {texts.remove}
        </Button>
      )}
    </Group>
  )
}

const NewKey = ({ add, close }: { add: NonNullable<SshKeysProps['add']>; close(): void }) => {
  const { keys: texts } = usePageTexts('hosts').hosts
  return (
    <ContractForm
      form={addMySshKey}
      layout={sshKeyLayout}
      submitText={texts.add}
      onCancel={close}
      submit={async (body) => {
        await add(body)
        notifyDone(texts.added(body.name.trim()))
      }}
      onDone={close}
    >
      <Text size="xs" c="dimmed">
        {texts.keyHelp}
      </Text>
    </ContractForm>
  )
}

/** The caller's own keys. */
export const OwnKeys = () => {
  const mayAdd = useMay('addMySshKey')
  const mayRemove = useMay('removeMySshKey')
  const query = useReading('listMySshKeys', {})
  const add = useChange('addMySshKey', ['listMySshKeys'])
  const remove = useChange('removeMySshKey', ['listMySshKeys'])
  return (
    <Stack maw={640}>
      <SshKeys
        query={query}
        isOwn
        add={mayAdd ? (body) => add.mutateAsync({ body }) : undefined}
        remove={mayRemove ? (fingerprint) => remove.mutateAsync({ body: { fingerprint } }) : undefined}
      />
    </Stack>
  )
}
