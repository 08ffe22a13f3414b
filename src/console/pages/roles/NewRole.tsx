import { Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Body } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useChange } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import { addRole } from '../../generated/forms/addRole.ts'
import { addRoleLayout } from '../../hints/roles.ts'
import { ContractForm } from '../../ui/ContractForm.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { RecordDrawer } from '../../ui/RecordDrawer.tsx'
import { textOf, useAddress } from '../../ui/use-search.ts'

/** Makes a role, then opens what it may do. */
export const NewRole = () => {
  const { permissions } = usePageTexts('permissions')
  const { roles } = permissions
  const [search, setSearch] = useAddress()
  const navigate = useNavigate()
  const may = useMay('addRole')
  const add = useChange('addRole', ['listRoles'])
  const close = (): void => setSearch({ new: '' })
  const save = async (body: Body<'addRole'>): Promise<number> => {
    const { data } = await add.mutateAsync({ body })
    notifyDone(roles.created(body.name))
    return data.id
  }
  const open = (id: number): void =>
    void navigate({ to: '/roles/$id', params: { id: String(id) }, search: { tab: 'operations' } })
  return (
    <RecordDrawer opened={may && textOf(search.new) !== ''} onClose={close} title={roles.add} size={520}>
      <ContractForm
        focusFirst
        form={addRole}
        layout={addRoleLayout}
        initial={{ status: 1 }}
        submit={save}
        onDone={open}
        onCancel={close}
      >
        <Text size="sm" c="dimmed">
          {roles.rankHelp}
        </Text>
      </ContractForm>
    </RecordDrawer>
  )
}
