import { Alert, Button, Group, Stack, Tabs } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Body } from '../../app/api.ts'
import { useFailureText } from '../../app/failures.ts'
import { useTexts } from '../../app/language.tsx'
import { describe, factsOf, operationOf, useOperationTexts } from '../../app/operations.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { reading, useChange } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import { addApi } from '../../generated/forms/addApi.ts'
import { updateApi } from '../../generated/forms/updateApi.ts'
import { addApiLayout, updateApiLayout } from '../../hints/apis.ts'
import { ContractForm } from '../../ui/ContractForm.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { DeletedMeanwhile, useLastListed } from '../../ui/last-listed.tsx'
import { notifyDone, notifyFailure } from '../../ui/notify.tsx'
import { useSaveOver } from '../../ui/overwrite.tsx'
import { PersonTable } from '../../ui/PersonTable.tsx'
import { RecordDrawer } from '../../ui/RecordDrawer.tsx'
import { Empty } from '../../ui/states.tsx'
import { Time } from '../../ui/Time.tsx'
import { numberOf, useAddress } from '../../ui/use-search.ts'
import { type Entry, originOf } from './origin.ts'

const changed = ['listApis', 'getApiTree', 'getRoleApis', 'listApiHolders'] as const

/** The entry in the address, or the form of a new one, beside the list. */
export const ApiDrawer = ({ entries }: { entries: readonly Entry[] }) => {
  const { permissions } = usePageTexts('permissions')
  const [search, setSearch] = useAddress()
  const mayAdd = useMay('addApi')
  const isNew = mayAdd && search.new !== undefined
  const open = numberOf(search.entry)
  const listed = entries.find(({ id }) => id === open)
  const { record: entry, isDeleted } = useLastListed(open, listed)
  const close = (): void => setSearch({ entry: '', new: '', tab: '', who: '', by: '', order: '' })
  return (
    <RecordDrawer
      opened={isNew || entry !== undefined}
      onClose={close}
      title={isNew ? permissions.apis.add : <span className="mono">{`${entry?.method} ${entry?.path}`}</span>}
      size={720}
    >
      {isNew ? (
        <NewEntry close={close} />
      ) : (
        entry !== undefined && (
          <>
            <DeletedMeanwhile isDeleted={isDeleted} />
            <OneEntry key={entry.id} entry={entry} close={close} />
          </>
        )
      )}
    </RecordDrawer>
  )
}

const NewEntry = ({ close }: { close(): void }) => {
  const { permissions } = usePageTexts('permissions')
  const [, setSearch] = useAddress()
  const add = useChange('addApi', changed)
  const save = async (body: Body<'addApi'>): Promise<number> => {
    const { data } = await add.mutateAsync({ body })
    notifyDone(permissions.apis.created)
    return data.id
  }
  return (
    <Stack gap="md">
      <Alert p="xs" color="gray" role="note">
        {permissions.apis.ownHelp}
      </Alert>
      <ContractForm
        focusFirst
        form={addApi}
        layout={addApiLayout}
        initial={{ method: 'GET' }}
        submit={save}
        onDone={(id) => setSearch({ new: '', entry: id })}
        onCancel={close}
      />
    </Stack>
  )
}

const OneEntry = ({ entry, close }: { entry: Entry; close(): void }) => {
  const { permissions } = usePageTexts('permissions')
  const { apis } = permissions
  const [search, setSearch] = useAddress()
  const maySee = useMay('listApiHolders')
  const tab = search.tab === 'holders' && maySee ? 'holders' : 'details'
  const id = operationOf(entry)
  const isOpen = id !== undefined && factsOf(id).open
  return (
    <Tabs
      value={tab}
      onChange={(value) => setSearch({ tab: value === 'holders' ? value : '', who: '' })}
      keepMounted={false}
    >
      <Tabs.List mb="md">
        <Tabs.Tab value="details">{apis.details}</Tabs.Tab>
        {maySee && <Tabs.Tab value="holders">{apis.holders}</Tabs.Tab>}
      </Tabs.List>
      <Tabs.Panel value="details">
        <Details entry={entry} close={close} />
      </Tabs.Panel>
      {maySee && (
        <Tabs.Panel value="holders">
          {isOpen && (
            <Alert p="xs" mb="sm" color="gray" role="note">
              {apis.openHelp}
            </Alert>
          )}
          <PersonTable
            operation="listApiHolders"
            id={entry.id}
            label={apis.holders}
            searchName="who"
            empty={<Empty title={apis.empty} />}
            height="calc(100vh - 240px)"
          />
        </Tabs.Panel>
      )}
    </Tabs>
  )
}

const Details = ({ entry, close }: { entry: Entry; close(): void }) => {
  const { permissions } = usePageTexts('permissions')
  const { apis } = permissions
  const texts = useOperationTexts()
  const id = operationOf(entry)
  const facts = id === undefined ? undefined : factsOf(id)
  const origin = originOf(entry)
  const help = { ofService: apis.serviceHelp, own: apis.ownHelp, gone: apis.goneHelp }[origin]
  return (
    <Stack gap="md">
      <Alert p="xs" color="gray" role="note">
        {help} {facts?.open === true && apis.openHelp}
      </Alert>
      <dl className="facts">
        {facts !== undefined && (
          <>
            <dt>{apis.document}</dt>
            <dd>{texts.documents[facts.document]}</dd>
          </>
        )}
        {origin !== 'own' && (
          <>
            <dt>{apis.category}</dt>
            <dd>{facts === undefined ? entry.category : texts.tags[facts.tag]}</dd>
            <dt>{apis.description}</dt>
            <dd>{describe(texts, entry)}</dd>
          </>
        )}
        <dt>{apis.createdBy}</dt>
        <dd>{entry.creator}</dd>
        <dt>{apis.changed}</dt>
        <dd>
          <Time value={entry.updatedAt} />
        </dd>
      </dl>
      {origin === 'own' && <OwnEntry entry={entry} />}
      {origin !== 'ofService' && <DeleteEntry entry={entry} close={close} />}
    </Stack>
  )
}

const ownFields = ['method', 'path', 'category', 'remark'] as const

/** An entry that was added by hand can be changed. */
const OwnEntry = ({ entry }: { entry: Entry }) => {
  const { fields } = useTexts()
  const { permissions } = usePageTexts('permissions')
  const client = useQueryClient()
  const saveOver = useSaveOver()
  const mayChange = useMay('updateApi')
  const change = useChange('updateApi', changed)
  const [before, setBefore] = useState(entry)
  const [saves, setSaves] = useState(0)
  const read = async (): Promise<Entry | undefined> => {
    const { apis } = await client.fetchQuery({ ...reading('listApis', {}), staleTime: 0 })
    return apis.find(({ id }) => id === entry.id)
  }
  const save = async (body: Body<'updateApi'>): Promise<void> => {
    await saveOver({
      before,
      read,
      body,
      fields: ownFields.map((name) => [name, fields[name]] as const),
      save: (body) => change.mutateAsync({ body }),
    })
    notifyDone(permissions.apis.saved)
    // It is saved: what was read again since then counts, and if that failed, nothing is wrong with the save.
    const after = client.getQueryData(reading('listApis', {}).queryKey)
    setBefore(after?.apis.find(({ id }) => id === entry.id) ?? entry)
    setSaves(saves + 1)
  }
  const { method, path, category, remark } = before
  return (
    <ContractForm
      key={saves}
      form={updateApi}
      layout={updateApiLayout}
      initial={{ id: entry.id, method, path, category, remark }}
      readOnly={!mayChange}
      submit={save}
    />
  )
}

const DeleteEntry = ({ entry, close }: { entry: Entry; close(): void }) => {
  const { permissions } = usePageTexts('permissions')
  const { apis } = permissions
  const failureText = useFailureText()
  const confirm = useConfirm()
  const mayDelete = useMay('deleteApis')
  const remove = useChange('deleteApis', changed)
  if (!mayDelete) return null
  const ask = async (): Promise<void> => {
    const title = apis.deleteTitle(`${entry.method} ${entry.path}`)
    if (!(await confirm({ title, consequence: apis.deleteHelp, action: apis.delete, danger: true }))) return
    try {
      await remove.mutateAsync({ body: { apiIds: [entry.id] } })
      notifyDone(apis.deleted)
      close()
    } catch (error) {
      notifyFailure(failureText(error))
    }
  }
  return (
    <Group pt="md" style={{ borderTop: '1px solid var(--line)' }}>
      <Button variant="default" c="var(--danger)" loading={remove.isPending} onClick={() => void ask()}>
        {apis.delete}
      </Button>
    </Group>
  )
}
