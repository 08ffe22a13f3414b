import { Button, Stack, Text } from '@mantine/core'
import { useFailureText } from '../../app/failures.ts'
import { useLanguage } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { usePages } from '../../app/paging.ts'
import { useEnded, useProgress } from '../../app/progress.ts'
import { useChange } from '../../app/queries.ts'
import { Granted } from '../../app/session.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Late } from '../../ui/Late.tsx'
import { useListed } from '../../ui/ListedRecord.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { notifyDone, notifyFailure } from '../../ui/notify.tsx'
import { Page } from '../../ui/Page.tsx'
import { RunProgress } from '../../ui/RunProgress.tsx'
import { Empty, Failed, Loading, PageFor } from '../../ui/states.tsx'
import { Time } from '../../ui/Time.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { numberOf, useAddress } from '../../ui/use-search.ts'
import { BackupDrawer } from './BackupDrawer.tsx'
import { bytesText } from './bytes.ts'
import { type Backup, stateLevels } from './state-levels.ts'

/** The backups, and what makes one. */
export const Backups = () => (
  <PageFor operation="listBackupFiles">
    <BackupsPage />
  </PageFor>
)

const useColumns = (): Column<Backup>[] => {
  const { backups: texts } = usePageTexts('backups')
  const { language } = useLanguage()
  const isPhone = useIsPhone()
  const all: (Column<Backup> & { desk?: boolean })[] = [
    {
      id: 'when',
      title: texts.columns.when,
      width: 'minmax(124px, 1fr)',
      render: ({ startedAt }) => <Time value={startedAt} />,
    },
    {
      id: 'state',
      title: texts.columns.state,
      width: 'minmax(110px, 1fr)',
      render: ({ status }) => <Meaning level={stateLevels[status]}>{texts.states[status]}</Meaning>,
    },
    {
      id: 'kind',
      title: texts.columns.kind,
      width: 'minmax(90px, 1fr)',
      render: ({ kind }) => texts.kinds[kind],
      desk: true,
    },
    { id: 'by', title: texts.columns.by, width: 'minmax(100px, 1fr)', render: ({ creator }) => creator, desk: true },
    {
      id: 'encrypted',
      title: texts.columns.encrypted,
      width: '100px',
      render: ({ encrypted }) => (
        <Meaning level={encrypted ? 'safe' : 'risk'}>
          {encrypted ? texts.encryptedShort.yes : texts.encryptedShort.no}
        </Meaning>
      ),
      desk: true,
    },
    {
      id: 'size',
      title: texts.columns.size,
      width: '90px',
      end: true,
      render: ({ size }) => (size === 0 ? '–' : bytesText(size, language)),
    },
  ]
  return all.filter(({ desk }) => !isPhone || desk !== true)
}

const BackupsPage = () => {
  const { backups: texts, nav } = usePageTexts('backups')
  const failureText = useFailureText()
  const [search, setSearch] = useAddress()
  const list = usePages('listBackupFiles', { query: { limit: 100 } })
  const make = useChange('createBackup', ['listBackupFiles', 'getScore', 'getOverview', 'listFirstSteps'])
  const rows = list.pages?.flatMap(({ backups }) => backups) ?? []
  const open = numberOf(search.backup)
  const listed = useListed('listBackupFiles', open, list.query.isPending ? undefined : rows)
  const start = (): void =>
    make.mutate(
      { body: { type: 'manual' } },
      {
        onSuccess: ({ data }) => (data.status === 'success' ? notifyDone(texts.made) : notifyFailure(texts.failed)),
        onError: (error) => notifyFailure(failureText(error)),
      },
    )
  const columns = useColumns()
  return (
    <Page
      title={nav.backups}
      actions={
        <Granted to="createBackup">
          <Button loading={make.isPending} onClick={start}>
            {texts.make}
          </Button>
        </Granted>
      }
    >
      <Stack gap="sm">
        <Text c="dimmed" maw={720}>
          {texts.what}
        </Text>
        <Granted to="getProgress">
          <InProgress onEnd={() => void list.query.refetch()} />
        </Granted>
        {list.query.isError && <Failed error={list.query.error} retry={() => void list.query.refetch()} />}
        {list.pages === undefined ? (
          list.query.isPending && <Loading />
        ) : (
          <DataTable
            label={texts.label}
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            nameOf={({ id }) => texts.title(id)}
            current={open}
            onOpen={({ id }) => setSearch({ backup: id })}
            more={list.more}
            height="calc(100vh - 240px)"
            empty={<Empty title={texts.empty} help={texts.emptyHelp} />}
          />
        )}
      </Stack>
      <Late wanted={open !== undefined}>
        <BackupDrawer id={open} listed={listed} onClose={() => setSearch({ backup: undefined })} />
      </Late>
    </Page>
  )
}

/** The backup that is being made, by whichever instance and administrator. */
const InProgress = ({ onEnd }: { onEnd(): void }) => {
  const { backups: texts } = usePageTexts('backups')
  const work = useProgress({ kind: 'backup' })
  const running = work?.find(({ finishedAt }) => finishedAt === null)
  useEnded(work, onEnd)
  if (running === undefined) return null
  const names: Readonly<Record<string, string>> = texts.phases
  return <RunProgress work={running} label={names[running.phase] ?? texts.phases.waiting} />
}
