import { Group, Stack, Table, Text } from '@mantine/core'
import { useReading } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import { useStatementText } from '../../app/statement.ts'
import { Meaning } from '../../ui/Meaning.tsx'
import { PageLink } from '../../ui/PageLink.tsx'
import { RecordDrawer } from '../../ui/RecordDrawer.tsx'
import { RecordLink } from './RecordLink.tsx'
import { Retry } from './Retry.tsx'
import { type Change, changeLevels, type Run } from './run-text.ts'
import { fieldsOf, useValueTexts } from './values.tsx'

interface ChangeDrawerProps {
  run: Run
  /** Undefined: none is open, or it is not among those that are loaded. */
  change: Change | undefined
  onClose(): void
}

/** A change of a plan: every value before and after, and why it was not applied. */
export const ChangeDrawer = ({ run, change, onClose }: ChangeDrawerProps) => (
  <RecordDrawer opened={change !== undefined} onClose={onClose} title={change?.name ?? ''}>
    {change !== undefined && <OneChange run={run} change={change} />}
  </RecordDrawer>
)

const OneChange = ({ run, change }: { run: Run; change: Change }) => {
  const { plan, fieldName, named } = useValueTexts(run)
  const say = useStatementText()
  const { action, state, reason, stated, sourceId, recordId, before, after } = change
  return (
    <Stack gap="md">
      <Group gap="md">
        <Meaning level={changeLevels[state]}>
          {plan.actions[action]} · {plan.states[state]}
        </Meaning>
        <RecordLink kind={run.kind} id={recordId} />
      </Group>
      {reason !== '' && <Text>{say(stated, reason)}</Text>}
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{plan.field}</Table.Th>
            <Table.Th>{plan.before}</Table.Th>
            <Table.Th>{plan.after}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {fieldsOf(change).map((field) => (
            <Table.Tr key={field}>
              <Table.Td c="dimmed">
                <span title={field}>{fieldName(field)}</span>
              </Table.Td>
              <Table.Td>{field in before && <Value {...{ run, field }} value={before[field]} />}</Table.Td>
              <Table.Td>{field in after && <Value {...{ run, field }} value={after[field]} />}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {run.source !== 'sql' && (
        <Text c="dimmed">
          {named(plan.sourceId, '')} <span className="mono">{sourceId}</span>
        </Text>
      )}
      {state === 'failed' && recordId !== null && <Retry kind={run.kind} id={recordId} />}
    </Stack>
  )
}

const Value = ({ run, field, value }: { run: Run; field: string; value: unknown }) => {
  const { valueText } = useValueTexts(run)
  if (field === 'memberOf' && Array.isArray(value)) {
    return value.length === 0 ? (
      valueText(field, '')
    ) : (
      <ul className="plain-list">
        {value.map((id) => (
          <li key={String(id)}>
            <DepartmentName id={Number(id)} />
          </li>
        ))}
      </ul>
    )
  }
  return <span className="value">{valueText(field, value)}</span>
}

/** A department by its place; by its id where the caller may not see it, or it is gone. */
const DepartmentName = ({ id }: { id: number }) => {
  const may = useMay('getDepartmentPath')
  const path = useReading('getDepartmentPath', { path: { id } }, { enabled: may })
  const name = path.data?.map((each) => each.name).join(' / ')
  if (name === undefined || name === '') return <>#{id}</>
  return (
    <PageLink to="/groups" search={{ group: id }}>
      {name}
    </PageLink>
  )
}
