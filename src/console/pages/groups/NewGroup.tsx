import type { Body } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useChange } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import { addGroup } from '../../generated/forms/addGroup.ts'
import { addGroupLayout } from '../../hints/groups.tsx'
import { ContractForm } from '../../ui/ContractForm.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { RecordDrawer } from '../../ui/RecordDrawer.tsx'
import { numberOf, useAddress } from '../../ui/use-search.ts'

/** Makes a group below the one in the address, then opens it. */
export const NewGroup = () => {
  const { permissions } = usePageTexts('permissions')
  const { groups } = permissions
  const [search, setSearch] = useAddress()
  const may = useMay('addGroup')
  const add = useChange('addGroup', ['listDepartments', 'getDepartmentPath'])
  const parentId = numberOf(search.new)
  const close = (): void => setSearch({ new: '' })
  const save = async (body: Body<'addGroup'>): Promise<number> => {
    const { data } = await add.mutateAsync({ body })
    notifyDone(groups.created(body.groupName))
    return data.id
  }
  return (
    <RecordDrawer opened={may && parentId !== undefined} onClose={close} title={groups.add} size={520}>
      <ContractForm
        focusFirst
        form={addGroup}
        layout={addGroupLayout}
        labels={{ parentId: groups.parent.label }}
        initial={{ groupType: 'cn', parentId }}
        submit={save}
        onDone={(id) => setSearch({ new: '', group: id, tab: 'members' })}
        onCancel={close}
      />
    </RecordDrawer>
  )
}
