import { Button, Code, Group, List, Stack, Text, Title } from '@mantine/core'
import type { Data } from '../../app/api.ts'
import { useLanguage } from '../../app/language.tsx'
import { describe, useOperationTexts } from '../../app/operations.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useReading } from '../../app/queries.ts'
import { LogResult } from '../../ui/LogResult.tsx'
import { PageLink } from '../../ui/PageLink.tsx'
import { RecordDrawer } from '../../ui/RecordDrawer.tsx'
import { QueryState } from '../../ui/states.tsx'
import { exactTime } from '../../ui/time-text.ts'
import { useAddress } from '../../ui/use-search.ts'

interface EntryDrawerProps {
  /** Undefined: none is open. */
  id: number | undefined
  onClose(): void
}

/** Everything that the log has about one request. */
export const EntryDrawer = ({ id, onClose }: EntryDrawerProps) => {
  const { log } = usePageTexts('log')
  return (
    <RecordDrawer opened={id !== undefined} onClose={onClose} title={id === undefined ? '' : log.entry.title(id)}>
      {id !== undefined && <Entry id={id} />}
    </RecordDrawer>
  )
}

const Entry = ({ id }: { id: number }) => {
  const { language } = useLanguage()
  const texts = usePageTexts('log')
  const operationTexts = useOperationTexts()
  const { log } = texts
  const [, setSearch] = useAddress()
  const entry = useReading('getLogEntry', { path: { id } })
  return (
    <QueryState query={entry}>
      {(data) => (
        <Stack gap="md">
          <dl className="facts">
            <dt>{log.columns.result}</dt>
            <dd>
              <LogResult entry={data} />
            </dd>
            <dt>{log.columns.caller}</dt>
            <dd>
              {data.username === '' ? (
                log.anonymous
              ) : data.userId === null ? (
                data.username
              ) : (
                <PageLink to="/people" search={{ person: data.userId }}>
                  {data.username}
                </PageLink>
              )}
            </dd>
            <dt>{log.entry.operation}</dt>
            <dd>{describe(operationTexts, data) || data.operationId || '–'}</dd>
            <dt>{log.entry.path}</dt>
            <dd>
              <Code>
                {data.method} {data.path}
              </Code>
            </dd>
            <dt>{log.entry.started}</dt>
            <dd>
              <time dateTime={data.startTime}>{exactTime(Date.parse(data.startTime), language)}</time>
            </dd>
            <dt>{log.columns.took}</dt>
            <dd>
              {log.milliseconds(data.timeCost)}
              {data.times > 1 && ` · ${log.times(data.times)}`}
            </dd>
            <dt>{log.columns.address}</dt>
            <dd>{data.ip}</dd>
            <dt>{log.entry.program}</dt>
            <dd>{data.userAgent}</dd>
          </dl>
          <Group gap="sm">
            {data.username !== '' && (
              <Button variant="default" onClick={() => setSearch({ user: data.username, entry: undefined })}>
                {log.entry.onlyCaller}
              </Button>
            )}
            <Button variant="default" onClick={() => setSearch({ path: data.path, entry: undefined })}>
              {log.entry.onlyPath}
            </Button>
          </Group>
          <Title order={2}>{log.entry.touched}</Title>
          {data.touched.length === 0 ? (
            <Text c="dimmed">{log.entry.touchedNone}</Text>
          ) : (
            <List>
              {data.touched.map((record) => (
                <List.Item key={`${record.kind} ${record.id}`}>
                  <Touched record={record} />
                </List.Item>
              ))}
            </List>
          )}
          <Title order={2}>{log.entry.chain}</Title>
          <dl className="facts">
            <dt>{log.entry.hash}</dt>
            <dd>
              <Code>{data.hash}</Code>
            </dd>
            <dt>{log.entry.previous}</dt>
            <dd>{data.previousHash === '' ? '–' : <Code>{data.previousHash}</Code>}</dd>
          </dl>
        </Stack>
      )}
    </QueryState>
  )
}

type Record = Data<'getLogEntry'>['touched'][number]

/** Where a record is shown, for the kinds that have a page. */
const pages: Readonly<Partial<globalThis.Record<Record['kind'], { to: string; parameter: string }>>> = {
  user: { to: '/people', parameter: 'person' },
  group: { to: '/groups', parameter: 'group' },
  role: { to: '/roles', parameter: 'role' },
}

/** Records that are known by their id alone. */
const nameless: ReadonlySet<Record['kind']> = new Set(['record', 'logEntry', 'meal'])

const Touched = ({ record: { kind, id, name } }: { record: Record }) => {
  const { log } = usePageTexts('log')
  const page = pages[kind]
  const text = `${log.kinds[kind]} ${name ?? id}`
  if (name === null && nameless.has(kind)) return <span>{text}</span>
  if (name === null) return <span>{`${text} (${log.entry.gone})`}</span>
  if (page === undefined) return <span>{text}</span>
  return (
    <PageLink to={page.to} search={{ [page.parameter]: id }}>
      {text}
    </PageLink>
  )
}
