import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Body } from '../../app/api.ts'
import { useFailureText } from '../../app/failures.ts'
import { useTexts } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { reading, useChange, useReading } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import { updateRole } from '../../generated/forms/updateRole.ts'
import { updateRoleLayout } from '../../hints/roles.ts'
import { ContractForm } from '../../ui/ContractForm.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { notifyDone, notifyFailure } from '../../ui/notify.tsx'
import { useSaveOver } from '../../ui/overwrite.tsx'
import { administratorKeyword, type Role, readRole, useRoleRefusal } from './role-access.ts'

/** What a role is called, and how high it is. */
export const RoleSettings = ({ role }: { role: Role }) => {
  const { fields } = useTexts()
  const { permissions } = usePageTexts('permissions')
  const { roles } = permissions
  const client = useQueryClient()
  const saveOver = useSaveOver()
  const mayChange = useMay('updateRole')
  const change = useChange('updateRole', ['listRoles', 'getMyGrants', 'getMe'])
  const refusal = useRoleRefusal()(role) ?? (mayChange ? null : permissions.refused.notGranted)
  // What the form was opened with: a change by another administrator is compared with it.
  const [before, setBefore] = useState(role)
  const [saves, setSaves] = useState(0)
  const isAdministrator = role.keyword === administratorKeyword
  const locked = refusal !== null ? allFields : isAdministrator ? fixed : []
  const save = async (body: Body<'updateRole'>): Promise<void> => {
    await saveOver({
      before,
      read: () => readRole(client, role.id),
      body,
      fields: shown.map((name) => [name, fields[name]] as const),
      save: (body) => change.mutateAsync({ body }),
    })
    notifyDone(roles.saved(body.name))
    const after = client.getQueryData(reading('listRoles', {}).queryKey)?.roles.find(({ id }) => id === role.id)
    setBefore(after ?? role)
    setSaves(saves + 1)
  }
  return (
    <Stack maw={640} gap="md">
      {refusal !== null && (
        <Alert p="xs" color="gray" role="note">
          {refusal}
        </Alert>
      )}
      {isAdministrator && refusal === null && (
        <Alert p="xs" color="gray" role="note">
          {permissions.refused.administrator}
        </Alert>
      )}
      <ContractForm
        key={saves}
        form={updateRole}
        layout={updateRoleLayout}
        initial={{ ...pickFields(before), id: role.id }}
        locked={locked}
        readOnly={refusal !== null}
        submit={save}
      >
        <Text size="sm" c="dimmed">
          {roles.rankHelp} {roles.disableHelp}
        </Text>
      </ContractForm>
      <DeleteRole role={role} refusal={refusal} />
    </Stack>
  )
}

const shown = ['name', 'keyword', 'sort', 'status', 'remark'] as const
const allFields: readonly string[] = shown
/** The administrator's role keeps these. */
const fixed: readonly string[] = ['keyword', 'sort', 'status']

const pickFields = ({ name, keyword, sort, status, remark }: Role) => ({ name, keyword, sort, status, remark })

const DeleteRole = ({ role, refusal }: { role: Role; refusal: string | null }) => {
  const { permissions } = usePageTexts('permissions')
  const { roles } = permissions
  const failureText = useFailureText()
  const confirm = useConfirm()
  const navigate = useNavigate()
  const mayDelete = useMay('deleteRoles')
  const mayCount = useMay('listRoleHolders')
  const holders = useReading('listRoleHolders', { path: { id: role.id }, query: { limit: 1 } }, { enabled: mayCount })
  const remove = useChange('deleteRoles', ['listRoles'])
  if (!mayDelete || refusal !== null || role.keyword === administratorKeyword) return null
  const held = holders.data?.total ?? 0
  const ask = async (): Promise<void> => {
    const title = roles.deleteTitle(role.name)
    if (!(await confirm({ title, consequence: roles.deleteHelp, action: roles.delete, danger: true }))) return
    try {
      await remove.mutateAsync({ body: { roleIds: [role.id] } })
      notifyDone(roles.deleted(role.name))
      void navigate({ to: '/roles' })
    } catch (error) {
      notifyFailure(failureText(error))
    }
  }
  return (
    <Group gap="sm" pt="md" style={{ borderTop: '1px solid var(--line)' }}>
      <Button
        variant="default"
        {...(held === 0 && { c: 'var(--danger)' })}
        disabled={held > 0 || (mayCount && holders.isPending)}
        loading={remove.isPending}
        onClick={() => void ask()}
      >
        {roles.delete}
      </Button>
      {held > 0 && (
        <Text size="sm" c="dimmed">
          {roles.held(held, holders.data?.totalIsExact !== false)}
        </Text>
      )}
    </Group>
  )
}
