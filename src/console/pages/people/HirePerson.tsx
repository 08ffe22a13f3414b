import { lazy } from 'react'
import { usePageTexts } from '../../app/page-texts.ts'
import { RecordDrawer } from '../../ui/RecordDrawer.tsx'
import { PageFor } from '../../ui/states.tsx'
import type { HireFormProps } from './HireForm.tsx'

// The frame is there at once.
const HireForm = lazy(async () => ({ default: (await import('./HireForm.tsx')).HireForm }))

/** Adds a person, and opens the record. */
export const HirePerson = (props: HireFormProps) => {
  const { people } = usePageTexts('people')
  return (
    <RecordDrawer opened onClose={props.onClose} title={people.hire.title} size={760}>
      <PageFor operation="addUser">
        <HireForm {...props} />
      </PageFor>
    </RecordDrawer>
  )
}
