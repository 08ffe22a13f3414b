import { Text } from '@mantine/core'
import { useState } from 'react'
import { usePageTexts } from '../../app/page-texts.ts'
import { useChange } from '../../app/queries.ts'
import { addUser } from '../../generated/forms/addUser.ts'
import { hireLayout } from '../../hints/people.tsx'
import { ContractForm } from '../../ui/ContractForm.tsx'
import { notifyDone } from '../../ui/notify.tsx'

export interface HireFormProps {
  /** The department that is shown, which the new person is likely to belong to. */
  department: number | null
  onClose(): void
  onHired(id: number): void
}

/** What a new person begins with. */
export const HireForm = ({ department, onClose, onHired }: HireFormProps) => {
  const { people } = usePageTexts('people')
  const [initial] = useState(() => ({ departmentId: department === null ? [] : [department], roleIds: [] }))
  const add = useChange('addUser', ['listPeople', 'listDepartments'])
  return (
    <ContractForm
      form={addUser}
      layout={hireLayout}
      initial={initial}
      submitText={people.hire.action}
      onCancel={onClose}
      focusFirst
      submit={async (body) => {
        const { data } = await add.mutateAsync({ body })
        notifyDone(people.hire.done)
        return data.id
      }}
      onDone={onHired}
    >
      <Text size="xs" c="dimmed">
        {people.hire.passwordHelp}
      </Text>
    </ContractForm>
  )
}
