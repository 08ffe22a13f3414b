import { Alert } from '@mantine/core'
import { useReasonText } from '../../app/failures.ts'
import { useNotGranted } from '../../app/not-granted.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import type { OperationId } from '../../generated/calls.ts'
import type { Person } from './PersonDrawer.tsx'

/** Why the caller may not change this person by an operation; null where nothing speaks against it. */
export const useWhyNot = ({ access }: Person, operation: OperationId): string | null => {
  const reasonText = useReasonText()
  const notGranted = useNotGranted(operation)
  // With a role that grants the operation, a caller of too low a rank would still be refused.
  return access.change ? notGranted : reasonText(access.reason ?? '')
}

/** Says why something cannot be changed here. */
export const MayNot = ({ why, title }: { why: string | null; title?: string }) => {
  const { people } = usePageTexts('people')
  if (why === null) return null
  return (
    <Alert variant="light" color="gray" p="xs" mb="md" role="note" title={title ?? people.person.fixed}>
      {why}
    </Alert>
  )
}
