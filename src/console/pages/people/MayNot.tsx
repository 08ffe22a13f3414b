import { Alert } from '@mantine/core'
import { useReasonText } from '../../app/failures.ts'
import { useTexts } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { useSession } from '../../app/session.tsx'
import type { OperationId } from '../../generated/calls.ts'
import type { Person } from './PersonDrawer.tsx'

/** Why the caller may not change this person by an operation; null where nothing speaks against it. */
export const useWhyNot = (person: Person): ((operation: OperationId) => string | null) => {
  const { states } = useTexts()
  const { may } = useSession()
  const reasonText = useReasonText()
  return (operation) => {
    if (!may(operation)) return states.forbiddenHelp(operation)
    return person.access.change ? null : reasonText(person.access.reason ?? '')
  }
}

/** Says why something cannot be changed here. */
export const MayNot = ({ why }: { why: string | null }) => {
  const { people } = usePageTexts('people')
  if (why === null) return null
  return (
    <Alert variant="light" color="gray" p="xs" mb="md" role="note" title={people.person.fixed}>
      {why}
    </Alert>
  )
}
