import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Body } from '../../app/api.ts'
import { useFailureText } from '../../app/failures.ts'
import { useTexts } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { useChange } from '../../app/queries.ts'
import { Granted, useMay } from '../../app/session.tsx'
import { useSyncText } from '../../app/statement.ts'
import { updateGroup } from '../../generated/forms/updateGroup.ts'
import { type GroupField, groupFields } from '../../generated/record-fields.ts'
import { updateGroupLayout } from '../../hints/groups.tsx'
import { ContractForm } from '../../ui/ContractForm.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { notifyDone, notifyFailure } from '../../ui/notify.tsx'
import { useSaveOver } from '../../ui/overwrite.tsx'
import { useAddress } from '../../ui/use-search.ts'
import { DepartmentValues, useKnownDepartmentValues } from '../attributes/RecordValues.tsx'
import { EntryMark } from './EntryMark.tsx'
import type { Department } from './use-branches.ts'
import { findGroup, groupKey } from './use-group.ts'

interface GroupSettingsProps {
  group: Department
  onGone(): void
}

/** A group as the form has it. */
const formOf = ({ id, version, name, ...group }: Department) => {
  const texts: Record<GroupField, string> = { ...group, groupName: name }
  return { id, version, ...(Object.fromEntries(groupFields.map((field) => [field, texts[field]])) as typeof texts) }
}

/** What a group is, where it comes from, and whether the directory has it. */
export const GroupSettings = ({ group, onGone }: GroupSettingsProps) => {
  const { fields } = useTexts()
  const { permissions } = usePageTexts('permissions')
  const { groups } = permissions
  const client = useQueryClient()
  const saveOver = useSaveOver()
  const mayChange = useMay('updateGroup')
  const change = useChange('updateGroup', ['listDepartments', 'getDepartmentPath'])
  const [before, setBefore] = useState(group)
  const [saves, setSaves] = useState(0)
  const isKnown = useKnownDepartmentValues(group.id)
  const save = async (body: Body<'updateGroup'>): Promise<void> => {
    await saveOver({
      before: formOf(before),
      read: async () => formOf(await findGroup(group.id)),
      body,
      fields: groupFields.map((field) => [field, fields[field]]),
      save: (body) => change.mutateAsync({ body }),
    })
    notifyDone(groups.saved(body.groupName))
    const after = client.getQueryData<Department>(groupKey(group.id))
    setBefore(after ?? group)
    setSaves(saves + 1)
  }
  return (
    <Stack gap="md">
      {group.source !== '' && (
        <Alert p="xs" color="gray" role="note">
          {groups.imported(group.source)}
        </Alert>
      )}
      {!group.access.change && (
        <Alert p="xs" color="gray" role="note">
          {permissions.refused.group}
        </Alert>
      )}
      <dl className="facts">
        <dt>{groups.kind}</dt>
        <dd>{groups.kindsLong[group.type]}</dd>
        <dt>{groups.source}</dt>
        <dd>{group.source === '' ? groups.local : group.source}</dd>
        <dt>{groups.below}</dt>
        <dd>{groups.belowCount(group.childCount)}</dd>
        <dt>{groups.dn}</dt>
        <dd>{group.dn === '' ? groups.noDn : <span className="mono">{group.dn}</span>}</dd>
        <dt>{groups.directory}</dt>
        <dd>
          <DirectoryState group={group} />
        </dd>
      </dl>
      <ContractForm
        key={saves}
        form={updateGroup}
        layout={updateGroupLayout}
        initial={formOf(before)}
        readOnly={!mayChange}
        locked={group.access.change ? [] : ['groupName']}
        submit={save}
      >
        {mayChange && group.access.change && (
          <Text size="sm" c="dimmed">
            {groups.renameHelp}
          </Text>
        )}
      </ContractForm>
      <DepartmentValues id={group.id} />
      {isKnown && <Others group={group} onGone={onGone} />}
    </Stack>
  )
}

const DirectoryState = ({ group }: { group: Department }) => {
  const { permissions, named } = usePageTexts('permissions')
  const { groups } = permissions
  const failureText = useFailureText()
  const syncText = useSyncText()
  const retry = useChange('retryDepartment', ['listDepartments', 'getDepartmentPath'])
  const again = async (): Promise<void> => {
    try {
      const { data } = await retry.mutateAsync({ path: { id: group.id } })
      if (data.state === 'refused')
        notifyFailure(named(groups.retried.refused, syncText({ ...data, reason: data.error }) ?? ''))
      else notifyDone(groups.retried[data.state])
    } catch (error) {
      notifyFailure(failureText(error))
    }
  }
  return (
    <Stack gap={6} align="flex-start">
      <Group gap="sm">
        <EntryMark sync={group.sync} />
        {group.sync.state !== 'synced' && (
          <Granted to="retryDepartment">
            <Button variant="default" size="compact-sm" loading={retry.isPending} onClick={() => void again()}>
              {groups.retry}
            </Button>
          </Granted>
        )}
      </Group>
      {group.sync.reason !== null && <Code block>{syncText(group.sync)}</Code>}
    </Stack>
  )
}

/** What else can be done with a group: one below it, or its end. */
const Others = ({ group, onGone }: GroupSettingsProps) => {
  const { permissions } = usePageTexts('permissions')
  const { groups } = permissions
  const [, setSearch] = useAddress()
  const failureText = useFailureText()
  const confirm = useConfirm()
  const mayDelete = useMay('deleteGroups') && group.access.change
  const remove = useChange('deleteGroups', ['listDepartments', 'listPeople'])
  const ask = async (): Promise<void> => {
    const go = await confirm({
      title: groups.deleteTitle(group.name),
      consequence: (
        <Stack gap="xs">
          <span>{groups.deleteMembers(group.memberCount)}</span>
          {group.dn !== '' && <span>{groups.deleteEntry(group.dn)}</span>}
          {group.source !== '' && <span>{groups.deleteImported(group.source)}</span>}
          <span>{groups.deleteFinal}</span>
        </Stack>
      ),
      action: groups.delete,
      danger: true,
      ...(group.memberCount > 0 && { typed: group.name }),
    })
    if (!go) return
    try {
      await remove.mutateAsync({ body: { groupIds: [group.id] } })
      notifyDone(groups.deleted(group.name))
      onGone()
    } catch (error) {
      notifyFailure(failureText(error))
    }
  }
  return (
    <Group gap="sm" pt="md" style={{ borderTop: '1px solid var(--line)' }}>
      <Granted to="addGroup">
        <Button variant="default" onClick={() => setSearch({ new: group.id, group: '', tab: '' })}>
          {groups.addBelow}
        </Button>
      </Granted>
      {mayDelete && (
        <Button
          variant="default"
          {...(!group.hasChildren && { c: 'var(--danger)' })}
          disabled={group.hasChildren}
          loading={remove.isPending}
          onClick={() => void ask()}
        >
          {groups.delete}
        </Button>
      )}
      {mayDelete && group.hasChildren && (
        <Text size="sm" c="dimmed">
          {groups.hasBelow(group.childCount)}
        </Text>
      )}
    </Group>
  )
}
