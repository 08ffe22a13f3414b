import { Text, Tooltip } from '@mantine/core'
import { useMemo } from 'react'
import type { Data } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useSyncText } from '../../app/statement.ts'
import type { PageTexts } from '../../locales/en/areas.ts'
import type { Column } from '../../ui/DataTable.tsx'
import { type Level, Meaning } from '../../ui/Meaning.tsx'
import { Time } from '../../ui/Time.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { useChosenColumns } from '../attributes/chosen-columns.ts'

export type PersonRow = Data<'listPeople'>['people'][number]

const cut = (text: string) => (
  <span title={text} className="cut">
    {text}
  </span>
)

export const syncLevels: Readonly<Record<PersonRow['sync']['state'], Level>> = {
  synced: 'safe',
  waiting: 'risk',
  refused: 'danger',
}

/** What a source is called: a slot, a name of its own, or none. */
export const sourceText = ({ people }: PageTexts<'people'>, source: string): string => {
  const texts: Readonly<Record<string, string>> = people.sources
  return texts[source === '' ? 'local' : source] ?? source
}

const SyncMark = ({ sync, children }: { sync: PersonRow['sync']; children: string }) => {
  const reason = useSyncText()(sync)
  return (
    <Tooltip label={reason} disabled={reason === undefined} multiline maw={360}>
      <span>
        <Meaning level={syncLevels[sync.state]}>{children}</Meaning>
      </span>
    </Tooltip>
  )
}

const columnsOf = (texts: PageTexts<'people'>): readonly Column<PersonRow>[] => {
  const { people, fields, status, listed } = texts
  const names = (records: readonly { name: string }[]) => cut(listed(records.map(({ name }) => name)))
  return [
    {
      id: 'name',
      title: fields.nickname,
      width: 'minmax(140px, 2fr)',
      sort: 'name',
      render: ({ name, username }) => <Text fw={500}>{cut(name || username)}</Text>,
    },
    {
      id: 'username',
      title: fields.username,
      width: 'minmax(120px, 1.5fr)',
      sort: 'username',
      render: ({ username }) => cut(username),
    },
    {
      id: 'departments',
      title: fields.departmentId,
      width: 'minmax(140px, 2fr)',
      render: ({ departments }) => names(departments),
    },
    { id: 'roles', title: fields.roleIds, width: 'minmax(100px, 1fr)', render: ({ roles }) => names(roles) },
    { id: 'mail', title: fields.mail, width: 'minmax(160px, 2fr)', render: ({ mail }) => cut(mail) },
    { id: 'mobile', title: fields.mobile, width: 'minmax(120px, 1fr)', render: ({ mobile }) => cut(mobile) },
    { id: 'jobNumber', title: fields.jobNumber, width: 'minmax(96px, 1fr)', render: ({ jobNumber }) => cut(jobNumber) },
    {
      id: 'source',
      title: fields.source,
      width: 'minmax(96px, 1fr)',
      render: ({ source }) => cut(sourceText(texts, source)),
    },
    {
      id: 'status',
      title: fields.status,
      width: '104px',
      sort: 'status',
      render: (person) => (
        <Meaning level={person.status === 'enabled' ? 'safe' : 'none'}>{status[person.status]}</Meaning>
      ),
    },
    {
      id: 'sync',
      title: people.columns.sync,
      width: '120px',
      render: ({ sync }) => <SyncMark sync={sync}>{people.sync[sync.state]}</SyncMark>,
    },
    {
      id: 'lastSignInAt',
      title: people.columns.lastSignInAt,
      width: '128px',
      render: ({ lastSignInAt }) => <Time value={lastSignInAt} />,
    },
    {
      id: 'createdAt',
      title: people.columns.createdAt,
      width: '128px',
      sort: 'createdAt',
      render: ({ createdAt }) => <Time value={createdAt} />,
    },
    {
      id: 'updatedAt',
      title: people.columns.updatedAt,
      width: '128px',
      sort: 'updatedAt',
      render: ({ updatedAt }) => <Time value={updatedAt} />,
    },
  ]
}

const first = ['name', 'username', 'departments', 'roles', 'status', 'sync']

/** A phone has room for the name and what is urgent. */
const onPhone = ['status']

/** The columns that this browser shows, and what chooses them. The name is always there. */
export const useColumns = () => {
  const texts = usePageTexts('people')
  const all = useMemo(() => columnsOf(texts), [texts])
  const isPhone = useIsPhone()
  return useChosenColumns('people.columns', { all, first: isPhone ? onPhone : first, fixed: 'name' })
}
