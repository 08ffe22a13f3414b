import '../runs/runs.css'
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import type { Data } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useNumberedPages } from '../../app/paging.ts'
import { Granted } from '../../app/session.tsx'
import { useStatementText } from '../../app/statement.ts'
import { Meaning } from '../../ui/Meaning.tsx'
import { RecordDrawer } from '../../ui/RecordDrawer.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'
import { Time } from '../../ui/Time.tsx'
import { useAddress } from '../../ui/use-search.ts'
import { RecordLink } from '../runs/RecordLink.tsx'

type Pending = Data<'listPendingEntries'>['entries'][number]

/** Opens the records that a directory does not have as they are, for those who may see them. */
export const ShowPending = ({ directory }: { directory: number }) => {
  const { pending: texts, layout } = usePageTexts('directory').directory
  const [, setSearch] = useAddress()
  return (
    <Granted to="listPendingEntries">
      <Group>
        <Button
          variant="default"
          aria-label={texts.showOf(layout.of(directory))}
          onClick={() => setSearch({ pending: directory })}
        >
          {texts.show}
        </Button>
      </Group>
    </Granted>
  )
}

interface PendingDrawerProps {
  /** The number of a directory; undefined: none is open. */
  directory: number | undefined
  onClose(): void
}

/** The records whose entries in a directory are not what they should be, with the reason. */
export const PendingDrawer = ({ directory, onClose }: PendingDrawerProps) => {
  const { pending: texts, layout } = usePageTexts('directory').directory
  const title = directory === undefined ? '' : texts.title(layout.of(directory))
  return (
    <RecordDrawer opened={directory !== undefined} onClose={onClose} title={title}>
      {directory !== undefined && (
        <Stack gap="lg">
          <PendingList directory={directory} />
          <Incomplete directory={directory} />
        </Stack>
      )}
    </RecordDrawer>
  )
}

/** Those whose entries are up to date and lack something; shown only where there are any. */
const Incomplete = ({ directory }: { directory: number }) => {
  const { pending: texts } = usePageTexts('directory').directory
  const list = useNumberedPages('listPendingEntries', { path: { directory }, query: { state: 'incomplete' } })
  if (list.pages === undefined || list.total === 0) return null
  return (
    <Stack gap="sm" component="section" aria-label={texts.incomplete}>
      <Title order={3}>{texts.incomplete}</Title>
      <Entries list={list} label={texts.incomplete} />
    </Stack>
  )
}

const PendingList = ({ directory }: { directory: number }) => {
  const { pending } = usePageTexts('directory').directory
  const list = useNumberedPages('listPendingEntries', { path: { directory } })
  const { query, pages } = list
  if (pages === undefined) {
    return query.isError ? <Failed error={query.error} retry={() => void query.refetch()} /> : <Loading />
  }
  return (
    <Stack gap="sm">
      <Text c="dimmed">{pending.help}</Text>
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
      <Entries list={list} label={pending.label} />
    </Stack>
  )
}

interface EntriesProps {
  list: ReturnType<typeof useNumberedPages<'listPendingEntries'>>
  label: string
}

const Entries = ({ list: { pages = [], total, more }, label }: EntriesProps) => {
  const texts = usePageTexts('directory')
  const { pending } = texts.directory
  const entries = pages.flatMap((page) => page.entries)
  return (
    <>
      <Text size="sm" c="dimmed" role="status">
        {texts.table.total(total)}
      </Text>
      {entries.length === 0 ? (
        <Empty title={pending.none} />
      ) : (
        <ul className="problems" aria-label={label}>
          {entries.map((entry) => (
            <li key={`${entry.kind} ${entry.recordId}`}>
              <OneEntry entry={entry} />
            </li>
          ))}
        </ul>
      )}
      {more.has && (
        <Group>
          <Button variant="default" loading={more.loading} onClick={more.load}>
            {pending.more}
          </Button>
        </Group>
      )}
    </>
  )
}

const OneEntry = ({ entry }: { entry: Pending }) => {
  const { pending: texts } = usePageTexts('directory').directory
  const say = useStatementText()
  const { kind, recordId, name, dn, removal, state, reason, stated, waitingSince, triedAt, nextTryAt } = entry
  const facts = [texts.kinds[kind], texts.states[state], ...(removal ? [texts.removal] : [])]
  return (
    <Stack gap={4}>
      <Meaning level={state === 'refused' ? 'danger' : 'risk'}>
        <Text span fw={600}>
          <RecordLink kind={kind === 'user' ? 'users' : 'groups'} id={name === null ? null : recordId}>
            {name ?? dn}
          </RecordLink>
        </Text>
        <Text span c="dimmed">{` · ${facts.join(' · ')}`}</Text>
      </Meaning>
      <Text>{say(stated, reason)}</Text>
      <Group gap="md">
        <Moment text={texts.since} at={waitingSince} />
        <Moment text={texts.tried} at={triedAt} />
        <Moment text={texts.next} at={nextTryAt} />
      </Group>
    </Stack>
  )
}

const Moment = ({ text, at }: { text: string; at: string | null }) =>
  at !== null && (
    <Text size="sm" c="dimmed">
      {text} <Time value={at} />
    </Text>
  )
