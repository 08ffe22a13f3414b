import { Text } from '@mantine/core'
import { useState } from 'react'
import { usePageTexts } from '../../app/page-texts.ts'
import { useChange } from '../../app/queries.ts'
import { addUser } from '../../generated/forms/addUser.ts'
import { hireLayout } from '../../hints/people.tsx'
import { ContractForm } from '../../ui/ContractForm.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { RecordDrawer } from '../../ui/RecordDrawer.tsx'
import { PageFor } from '../../ui/states.tsx'

interface HirePersonProps {
  opened: boolean
  /** The department that is shown, which the new person is likely to belong to. */
  department: number | null
  onClose(): void
  onHired(id: number): void
}

/** Adds a person, and opens the record. */
export const HirePerson = ({ opened, onClose, ...rest }: HirePersonProps) => {
  const { people } = usePageTexts('people')
  return (
    <RecordDrawer opened={opened} onClose={onClose} title={people.hire.title} size={760}>
      <PageFor operation="addUser">
        <Hire {...rest} onClose={onClose} />
      </PageFor>
    </RecordDrawer>
  )
}

const Hire = ({ department, onClose, onHired }: Omit<HirePersonProps, 'opened'>) => {
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
