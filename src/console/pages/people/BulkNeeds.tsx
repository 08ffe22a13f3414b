import { useTexts } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { DepartmentPicker } from '../../ui/DepartmentPicker.tsx'
import { RolePicker } from '../../ui/RolePicker.tsx'
import { type Bulk, needsOf, type Wanted } from './bulk.ts'

interface BulkNeedsProps {
  bulk: Bulk
  wanted: Wanted
  onChange(wanted: Wanted): void
}

/** The roles, groups or departments that an action needs. */
export const BulkNeeds = ({ bulk: { action, from, given, known }, wanted, onChange }: BulkNeedsProps) => {
  const { fields } = useTexts()
  const { people } = usePageTexts('people')
  const needs = needsOf(action)
  if (needs === 'roles') {
    return (
      <RolePicker
        label={fields.roleIds}
        value={wanted.roleIds ?? []}
        known={known}
        disabled={given !== undefined}
        onChange={(roleIds) => onChange({ roleIds })}
        autoFocus={given === undefined}
      />
    )
  }
  if (needs === 'groups') {
    return (
      <DepartmentPicker
        label={fields.departmentId}
        value={wanted.groupIds ?? []}
        known={known}
        disabled={given !== undefined}
        onChange={(groupIds) => onChange({ groupIds })}
        autoFocus={given === undefined}
      />
    )
  }
  if (needs === null) return null
  const one = (id: number | undefined): number[] => (id === undefined ? [] : [id])
  return (
    <>
      <DepartmentPicker
        label={people.bulk.from}
        single
        value={one(wanted.from)}
        known={from === undefined ? [] : [from]}
        autoFocus={from === undefined}
        onChange={([id]) => onChange(places(id, wanted.to))}
      />
      <DepartmentPicker
        label={people.bulk.to}
        single
        value={one(wanted.to)}
        exclude={one(wanted.from)}
        onChange={([id]) => onChange(places(wanted.from, id))}
        autoFocus={from !== undefined}
      />
    </>
  )
}

const places = (from: number | undefined, to: number | undefined): Wanted => ({
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
})
