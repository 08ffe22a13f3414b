import { Anchor, Breadcrumbs, Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFailureText, useReasonText } from '../../app/failures.ts'
import { useTexts } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { useChange, useReading } from '../../app/queries.ts'
import { Granted, useMay } from '../../app/session.tsx'
import { useSyncText } from '../../app/statement.ts'
import { Meaning } from '../../ui/Meaning.tsx'
import { notifyDone, notifyFailure } from '../../ui/notify.tsx'
import { Failed } from '../../ui/states.tsx'
import { syncLevels } from './columns.tsx'
import type { Moving } from './MoveDepartment.tsx'

interface DepartmentHeadProps {
  id: number
  onSelect(department: number | null): void
  onMove(moving: Moving): void
  children: ReactNode
}

/** Which department the list is of: the way to it, its state in the directory, and what can be done with it. */
export const DepartmentHead = ({ id, onSelect, onMove, children }: DepartmentHeadProps) => {
  const { people } = usePageTexts('people')
  const reasonText = useReasonText()
  const syncText = useSyncText()
  const mayMove = useMay('moveDepartment')
  const path = useReading('getDepartmentPath', { path: { id } })
  const name = path.data?.at(-1)?.name
  // The record itself is in the answer to a search for its name.
  const found = useReading(
    'listDepartments',
    { query: { q: name ?? '', limit: 200 } },
    { enabled: name !== undefined && name !== '' },
  )
  if (path.isError) return <Failed error={path.error} retry={() => void path.refetch()} />
  if (path.data === undefined || name === undefined) return null
  const department = found.data?.departments.find((each) => each.id === id)
  const parent = path.data.at(-2)?.id ?? null
  const fixed = department?.access.reason ?? null
  return (
    <div className="department-head">
      <Breadcrumbs separator="/" separatorMargin={6} className="department-path">
        <Anchor component="button" type="button" onClick={() => onSelect(null)}>
          {people.tree.all}
        </Anchor>
        {path.data.slice(0, -1).map((step) => (
          <Anchor key={step.id} component="button" type="button" onClick={() => onSelect(step.id)}>
            {step.name}
          </Anchor>
        ))}
        <Text component="h2" fw={600} size="md" m={0} title={department?.dn}>
          {name}
        </Text>
      </Breadcrumbs>
      <Group gap="sm">
        {children}
        {department !== undefined && department.sync.state !== 'synced' && (
          <>
            <span title={syncText(department.sync)}>
              <Meaning level={syncLevels[department.sync.state]}>{people.sync[department.sync.state]}</Meaning>
            </span>
            <Granted to="retryDepartment">
              <RetryDepartment id={id} />
            </Granted>
          </>
        )}
        {mayMove && (
          <Button
            variant="default"
            disabled={fixed !== null}
            title={fixed === null ? undefined : reasonText(fixed)}
            onClick={() => onMove({ id, name, parent, version: department?.version })}
          >
            {people.move.open}
          </Button>
        )}
      </Group>
    </div>
  )
}

const RetryDepartment = ({ id }: { id: number }) => {
  const { actions } = useTexts()
  const { people } = usePageTexts('people')
  const failureText = useFailureText()
  const syncText = useSyncText()
  const retry = useChange('retryDepartment', ['listDepartments'])
  return (
    <Button
      variant="default"
      loading={retry.isPending}
      onClick={() =>
        retry.mutate(
          { path: { id } },
          {
            onSuccess: ({ data }) =>
              data.state === 'synced'
                ? notifyDone(people.directory.nowSynced)
                : notifyFailure(syncText({ ...data, reason: data.error }) ?? people.sync[data.state]),
            onError: (error) => notifyFailure(failureText(error)),
          },
        )
      }
    >
      {actions.retry}
    </Button>
  )
}
