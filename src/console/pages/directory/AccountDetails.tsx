import { Alert, Button, Code, Group, Select, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { Body, Data } from '../../app/api.ts'
import { serviceNow } from '../../app/clock.ts'
import { useFailureText } from '../../app/failures.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useChange, useReading } from '../../app/queries.ts'
import { Granted, useMay } from '../../app/session.tsx'
import { useSyncText } from '../../app/statement.ts'
import { createServiceAccount } from '../../generated/forms/createServiceAccount.ts'
import { serviceAccountLayout } from '../../hints/service-accounts.ts'
import { ContractForm } from '../../ui/ContractForm.tsx'
import { Copy } from '../../ui/Copy.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { notifyDone, notifyFailure } from '../../ui/notify.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { QueryState } from '../../ui/states.tsx'
import { Time } from '../../ui/Time.tsx'
import { useUnderWay } from '../../ui/use-unsaved.ts'
import { Facts } from '../people/Facts.tsx'
import { type Account, AccountState, LastUse } from './AccountState.tsx'
import { type MadePassword, NewPassword } from './NewPassword.tsx'

interface AccountProps {
  account: Account
  directory: Data<'listServiceAccounts'>['directory']
  onClose(): void
}

const changed = ['listServiceAccounts', 'getServiceAccountRules'] as const

/** An account: what it may read, its passwords, the rules for OpenLDAP, and its end. */
export const AccountDetails = ({ account, directory, onClose }: AccountProps) => {
  const { accounts: texts } = usePageTexts('directory').directory
  const syncText = useSyncText()
  const [made, setMade] = useState<MadePassword | null>(null)
  const update = useChange('updateServiceAccount', changed)
  const mayUpdate = useMay('updateServiceAccount')
  const { id, name, dn, version, sync, createdAt, creator } = account
  if (made !== null) return <NewPassword made={made} directory={directory} onClose={() => setMade(null)} />
  const save = async (body: Body<'createServiceAccount'>): Promise<void> => {
    const { name: newName, ...others } = body
    // What is not sent needs no second factor.
    await update.mutateAsync({ path: { id }, body: { version, ...others, ...(newName !== name && { name: newName }) } })
    notifyDone(texts.changed(newName))
  }
  const why = syncText(sync)
  return (
    <Stack gap="md">
      <Facts
        facts={[
          [texts.state, <AccountState key="state" account={account} />],
          [
            texts.bindDn,
            <Group key="dn" gap={4} wrap="nowrap">
              <Code>{dn}</Code>
              <Copy text={dn} />
            </Group>,
          ],
          [texts.lastUse, <LastUse key="used" account={account} />],
          [texts.created, <Time key="created" value={createdAt} />],
          [texts.by, creator],
        ]}
      />
      {why !== undefined && <Alert color={sync.state === 'refused' ? 'red' : 'yellow'}>{why}</Alert>}
      <ContractForm
        form={createServiceAccount}
        layout={serviceAccountLayout}
        helps={{ ntHashes: texts.ntHashesHelp }}
        initial={account}
        changedOnly
        submit={save}
        readOnly={!mayUpdate}
      />
      <Passwords account={account} onMade={setMade} />
      <Rules account={account} directory={directory} />
      <End account={account} onClose={onClose} />
    </Stack>
  )
}

const days = [1, 7, 30] as const

/** The valid passwords, with what is needed to change over from one to the next. */
const Passwords = ({ account, onMade }: { account: Account; onMade(made: MadePassword): void }) => {
  const { directory, named } = usePageTexts('directory')
  const { accounts: texts } = directory
  const failureText = useFailureText()
  const confirm = useConfirm()
  const [until, setUntil] = useState('ended')
  const rotate = useChange('rotateServicePassword', changed)
  const end = useChange('endOldServicePassword', changed)
  useUnderWay(rotate.isPending)
  const { id, passwords, peopleFilter } = account
  const onError = (error: unknown): void => notifyFailure(failureText(error))
  const choices = [
    { value: 'ended', label: texts.untilEnded },
    ...days.map((count) => ({ value: String(count), label: texts.untilDays(count) })),
    { value: 'now', label: texts.untilNow },
  ]
  const isFull = passwords.length > 1 && until !== 'now'
  const give = async (): Promise<void> => {
    const question = { title: texts.rotate, consequence: texts.untilNowWhy, action: texts.rotate, danger: true }
    if (until === 'now' && !(await confirm(question))) return
    const body =
      until === 'now'
        ? { keepOld: false }
        : until === 'ended'
          ? {}
          : { oldUntil: new Date(serviceNow() + Number(until) * 86_400_000).toISOString() }
    rotate.mutate(
      { path: { id }, body },
      { onSuccess: ({ data }) => onMade({ ...data, filter: peopleFilter || '(uid=*)' }), onError },
    )
  }
  return (
    <Stack gap="xs" component="section">
      <Title order={2} size="h4">
        {texts.passwords}
      </Title>
      {passwords.map(({ createdAt, expiresAt, lastUsedAt }, index) => (
        <Text key={createdAt} size="sm">
          {named(index === 0 ? texts.current : texts.old, texts.madeAt)} <Time value={createdAt} /> · {texts.usedAt}{' '}
          {lastUsedAt === null ? texts.unused(account.lastUseKnown) : <Time value={lastUsedAt} />}
          {expiresAt !== null && (
            <>
              {' · '}
              {texts.endsAt} <Time value={expiresAt} />
            </>
          )}
        </Text>
      ))}
      <Granted to="rotateServicePassword">
        <Group align="flex-end" gap="sm">
          <Select
            label={texts.oldStays}
            data={choices}
            value={until}
            onChange={(value) => setUntil(value ?? 'ended')}
            allowDeselect={false}
          />
          <Button variant="default" loading={rotate.isPending} disabled={isFull} onClick={() => void give()}>
            {texts.rotate}
          </Button>
        </Group>
        {isFull && <Text size="xs">{texts.endFirst}</Text>}
      </Granted>
      {passwords.length > 1 && (
        <Granted to="endOldServicePassword">
          <Group>
            <Button
              variant="default"
              loading={end.isPending}
              onClick={() => end.mutate({ path: { id } }, { onSuccess: () => notifyDone(texts.ended), onError })}
            >
              {texts.endOld}
            </Button>
          </Group>
        </Granted>
      )}
    </Stack>
  )
}

/** What limits the account: the directory itself, or rules to paste. */
const Rules = ({ account: { id }, directory }: Pick<AccountProps, 'account' | 'directory'>) => {
  const { accounts: texts } = usePageTexts('directory').directory
  const [wanted, setWanted] = useState(false)
  const may = useMay('getServiceAccountRules')
  const rules = useReading('getServiceAccountRules', { path: { id } }, { enabled: wanted })
  if (directory === null || !may) return null
  return (
    <Stack gap="xs" component="section">
      <Title order={2} size="h4">
        {texts.rules}
      </Title>
      <Text size="sm">{directory.embedded ? texts.enforced : texts.toPaste}</Text>
      {!directory.embedded &&
        (wanted ? (
          <QueryState query={rules}>{({ ldif }) => <Shown label={texts.ldif} text={ldif} />}</QueryState>
        ) : (
          <Group>
            <Button variant="default" onClick={() => setWanted(true)}>
              {texts.showRules}
            </Button>
          </Group>
        ))}
    </Stack>
  )
}

const End = ({ account: { id, name, enabled, version }, onClose }: Pick<AccountProps, 'account' | 'onClose'>) => {
  const { accounts: texts } = usePageTexts('directory').directory
  const failureText = useFailureText()
  const confirm = useConfirm()
  const update = useChange('updateServiceAccount', changed)
  const remove = useChange('removeServiceAccount', changed)
  const onError = (error: unknown): void => notifyFailure(failureText(error))
  const takeAway = async (): Promise<void> => {
    const question = { title: texts.remove, consequence: texts.removeWhy(name), action: texts.remove, danger: true }
    if (!(await confirm({ ...question, typed: name }))) return
    const onSuccess = (): void => {
      notifyDone(texts.removed(name))
      onClose()
    }
    remove.mutate({ path: { id } }, { onSuccess, onError })
  }
  return (
    <Group gap="sm">
      <Granted to="updateServiceAccount">
        <Button
          variant="default"
          loading={update.isPending}
          onClick={() =>
            update.mutate(
              { path: { id }, body: { enabled: !enabled, version } },
              { onSuccess: () => notifyDone(texts.changed(name)), onError },
            )
          }
        >
          {enabled ? texts.disable : texts.enable}
        </Button>
      </Granted>
      <Granted to="removeServiceAccount">
        <Button variant="default" className="danger-item" loading={remove.isPending} onClick={() => void takeAway()}>
          {texts.remove}
        </Button>
      </Granted>
    </Group>
  )
}
