import { Code, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { usePageTexts } from '../../app/page-texts.ts'
import { useStatementText } from '../../app/statement.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { RecordDrawer } from '../../ui/RecordDrawer.tsx'
import { Empty } from '../../ui/states.tsx'
import type { Mapped } from './relation.ts'

interface ResultsProps {
  /** The field that is looked at. */
  field: string
  /** What it is called. */
  name: string
  /** Records with the saved expressions. */
  stored: readonly Mapped[]
  /** The same with those that are typed. */
  tried: readonly Mapped[]
  /** They are not yet of what is typed now. */
  busy: boolean
}

/** What an expression makes of real records, beside what the saved one makes of them. */
export const Results = ({ field, name, stored, tried, busy }: ResultsProps) => {
  const { laboratory: texts } = usePageTexts('sources').sources
  const [open, setOpen] = useState<string>()
  const before = new Map(stored.map((each) => [each.sourceId, each.fields[field]]))
  const isChanged = ({ sourceId, fields }: Mapped): boolean => before.get(sourceId) !== fields[field]
  const say = useStatementText()
  const problemOf = ({ problems }: Mapped): string | undefined => {
    const found = problems.find((each) => each.field === field)
    return found === undefined ? undefined : say(found.stated, found.reason)
  }
  const changed = tried.filter(isChanged).length
  const unusable = tried.filter((each) => problemOf(each) !== undefined).length
  const value = (text: string | undefined) =>
    text === undefined || text === '' ? (
      <span className="dimmed">{texts.noValue}</span>
    ) : (
      // Several values of a declared attribute are a line each.
      <span title={text}>{text.replaceAll('\n', ' · ')}</span>
    )
  const columns: Column<Mapped>[] = [
    {
      id: 'record',
      title: texts.record,
      width: 'minmax(110px, 1fr)',
      render: (each) => <span title={each.sourceId}>{nameOf(each)}</span>,
    },
    {
      id: 'saved',
      title: texts.saved,
      width: 'minmax(120px, 1fr)',
      render: ({ sourceId }) => value(before.get(sourceId)),
    },
    {
      id: 'typed',
      title: texts.typed,
      width: 'minmax(140px, 1.4fr)',
      render: (each) => {
        const problem = problemOf(each)
        if (problem !== undefined) return <Meaning level="danger">{problem}</Meaning>
        return isChanged(each) ? <strong>{value(each.fields[field])}</strong> : value(each.fields[field])
      },
    },
  ]
  const shown = tried.find(({ sourceId }) => sourceId === open)
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <Title order={2}>{texts.recordsOf(name)}</Title>
        <Group gap="sm" role="status">
          {unusable > 0 && <Meaning level="danger">{texts.problems(unusable)}</Meaning>}
          <Text c="dimmed">{changed > 0 ? texts.changed(changed) : texts.same}</Text>
        </Group>
      </Group>
      <div className={busy ? 'stale' : undefined} aria-busy={busy}>
        <DataTable
          label={texts.recordsOf(name)}
          columns={columns}
          rows={tried}
          keyOf={({ sourceId }) => sourceId}
          nameOf={nameOf}
          current={open}
          onOpen={({ sourceId }) => setOpen(sourceId)}
          height="calc(100vh - 240px)"
          empty={<Empty title={texts.none} />}
        />
      </div>
      <RecordDrawer opened={shown !== undefined} onClose={() => setOpen(undefined)} title={shown && nameOf(shown)}>
        <Text c="dimmed" mb="xs">
          {texts.raw}
        </Text>
        <Code block>{JSON.stringify(shown?.record, null, 2)}</Code>
      </RecordDrawer>
    </Stack>
  )
}

/** As the source calls the record, where it does. */
const nameOf = ({ sourceId, record }: Mapped): string =>
  typeof record.name === 'string' && record.name !== '' ? record.name : sourceId
