import { Button, Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import type { Body, Data } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useChange, useReading } from '../../app/queries.ts'
import { Granted } from '../../app/session.tsx'
import { createServiceAccount } from '../../generated/forms/createServiceAccount.ts'
import { serviceAccountLayout } from '../../hints/service-accounts.ts'
import { ContractForm } from '../../ui/ContractForm.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { DeletedMeanwhile, useLastListed } from '../../ui/last-listed.tsx'
import { Page } from '../../ui/Page.tsx'
import { RecordDrawer } from '../../ui/RecordDrawer.tsx'
import { Empty, PageFor, QueryState } from '../../ui/states.tsx'
import { numberOf, useAddress } from '../../ui/use-search.ts'
import { AccountDetails } from './AccountDetails.tsx'
import { type Account, AccountState, LastUse } from './AccountState.tsx'
import { type MadePassword, NewPassword } from './NewPassword.tsx'

type Found = Data<'listServiceAccounts'>

/** What applications bind to the directory with. */
export const ServiceAccounts = () => (
  <PageFor operation="listServiceAccounts">
    <Accounts />
  </PageFor>
)

const Accounts = () => {
  const { directory, nav } = usePageTexts('directory')
  const { accounts: texts } = directory
  const [search, setSearch] = useAddress()
  const list = useReading('listServiceAccounts', {}, { refetchInterval: 10_000 })
  return (
    <Page
      title={nav.accounts}
      actions={
        <Granted to="createServiceAccount">
          <Button onClick={() => setSearch({ new: true })}>{texts.create}</Button>
        </Granted>
      }
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {texts.help}
        </Text>
        <QueryState query={list}>
          {(found) => (
            <>
              <AccountTable accounts={found.accounts} />
              <Opened found={found} />
            </>
          )}
        </QueryState>
      </Stack>
      {search.new === true && <NewAccount directory={list.data?.directory ?? null} />}
    </Page>
  )
}

const AccountTable = ({ accounts }: { accounts: readonly Account[] }) => {
  const { directory, fields } = usePageTexts('directory')
  const { accounts: texts } = directory
  const [search, setSearch] = useAddress()
  const isPhone = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false })
  const desk: Column<Account>[] = [
    {
      id: 'description',
      title: fields.description,
      width: 'minmax(120px, 2fr)',
      render: (each) => each.description || '–',
    },
    { id: 'reads', title: texts.reads, width: 'minmax(120px, 1fr)', render: (each) => texts.readsOf(each) || '–' },
  ]
  const columns: Column<Account>[] = [
    { id: 'name', title: fields.name, width: 'minmax(100px, 1fr)', render: ({ name }) => name },
    ...(isPhone ? [] : desk),
    { id: 'state', title: texts.state, width: '110px', render: (account) => <AccountState account={account} /> },
    {
      id: 'used',
      title: texts.lastUse,
      width: 'minmax(100px, 1fr)',
      render: (account) => <LastUse account={account} />,
    },
  ]
  return (
    <DataTable
      label={texts.label}
      columns={columns}
      rows={accounts}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      current={numberOf(search.account)}
      onOpen={({ id }) => setSearch({ account: id })}
      height="calc(100vh - 260px)"
      empty={<Empty title={texts.empty} help={texts.emptyHelp} />}
    />
  )
}

const Opened = ({ found: { accounts, directory } }: { found: Found }) => {
  const { states } = usePageTexts('directory')
  const [search, setSearch] = useAddress()
  const open = numberOf(search.account)
  const listed = accounts.find(({ id }) => id === open)
  const { record: account, isDeleted } = useLastListed(open, listed)
  const close = (): void => setSearch({ account: undefined })
  return (
    <RecordDrawer opened={open !== undefined} onClose={close} title={account?.name ?? ''} size={640}>
      {account === undefined ? (
        <Empty title={states.emptyFiltered} />
      ) : (
        <>
          <DeletedMeanwhile isDeleted={isDeleted} />
          <AccountDetails key={account.id} account={account} directory={directory} onClose={close} />
        </>
      )}
    </RecordDrawer>
  )
}

/** Creates an account; its password is shown once, with a search to try. */
const NewAccount = ({ directory }: { directory: Found['directory'] }) => {
  const { accounts: texts } = usePageTexts('directory').directory
  const [, setSearch] = useAddress()
  const [made, setMade] = useState<MadePassword | null>(null)
  const create = useChange('createServiceAccount', ['listServiceAccounts'])
  const close = (): void => setSearch({ new: undefined })
  const save = async (body: Body<'createServiceAccount'>): Promise<void> => {
    const { data } = await create.mutateAsync({ body })
    setMade({ ...data, filter: body.peopleFilter || '(uid=*)' })
  }
  return (
    <RecordDrawer opened onClose={close} title={texts.create} size={640}>
      {made === null ? (
        <ContractForm
          focusFirst
          form={createServiceAccount}
          layout={serviceAccountLayout}
          helps={{ ntHashes: texts.ntHashesHelp }}
          initial={{ people: true, groups: false, ntHashes: false }}
          submit={save}
          submitText={texts.create}
          onCancel={close}
        />
      ) : (
        <NewPassword made={made} directory={directory} onClose={close} />
      )}
    </RecordDrawer>
  )
}
