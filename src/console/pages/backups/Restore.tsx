import { Alert, Button, Group, Stack, Stepper, Table, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Data, Failure } from '../../app/api.ts'
import { useFailureText } from '../../app/failures.ts'
import { useLanguage } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { useProgress, type Work } from '../../app/progress.ts'
import { keyOf, useChange, useReading } from '../../app/queries.ts'
import { Granted, useMay } from '../../app/session.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageLink } from '../../ui/PageLink.tsx'
import { RunProgress } from '../../ui/RunProgress.tsx'
import { Failed, Loading, PageFor } from '../../ui/states.tsx'
import { exactTime } from '../../ui/time-text.ts'

type Contents = Data<'getBackupContents'>

/**
 * Replaces all data by that of a backup, step by step: the file is verified, what happens is said, and what was done stays on the
 * page although the session ends with it.
 */
export const Restore = () => {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return (
    <PageFor operation="restoreBackup">
      <PageFor operation="getBackupContents">
        <Steps key={id} id={id} />
      </PageFor>
    </PageFor>
  )
}

const Steps = ({ id }: { id: string }) => {
  const { backups } = usePageTexts('backups')
  const { restore: texts } = backups
  const client = useQueryClient()
  const restore = useChange('restoreBackup')
  // As another browser started it, or this one before it was reloaded.
  const underWay = useRestoring()
  const isRunning = restore.isPending || (!restore.isSuccess && underWay !== undefined)
  // Reads the whole file: not again by itself, nor while or after the restore.
  const contents = useReading(
    'getBackupContents',
    { path: { id: Number(id) } },
    { staleTime: Number.POSITIVE_INFINITY, enabled: !isRunning && !restore.isSuccess },
  )
  const done = restore.data?.data
  const { isSuccess } = restore
  useEffect(() => {
    // The session ended with it: the sign-in comes over this page, and nothing known before counts.
    if (isSuccess) void client.invalidateQueries({ queryKey: keyOf('getMe') })
  }, [isSuccess, client])
  const step = done !== undefined ? 4 : isRunning ? 2 : contents.data !== undefined ? 1 : 0
  return (
    <Page title={texts.title(id)}>
      <Stack gap="md" maw={760}>
        <PageLink to="/backups" activeOptions={{ exact: true }} size="sm">
          {texts.toList}
        </PageLink>
        <Stepper active={step} size="sm" allowNextStepsSelect={false} aria-label={texts.title(id)}>
          {Object.values(texts.steps).map((label) => (
            <Stepper.Step key={label} label={label} />
          ))}
        </Stepper>
        {done !== undefined ? (
          <Done restored={done} />
        ) : isRunning ? (
          <Running work={underWay} isOwn={restore.isPending} />
        ) : contents.data !== undefined ? (
          <>
            {restore.isError && <Refused error={restore.error} />}
            <Decide id={id} contents={contents.data} start={() => restore.mutate({ path: { id: Number(id) } })} />
          </>
        ) : contents.isError ? (
          isOfBackup(contents.error) ? (
            <Refused error={contents.error} />
          ) : (
            <Failed error={contents.error} retry={() => void contents.refetch()} />
          )
        ) : (
          <Stack gap="xs">
            <Text>{texts.verifying}</Text>
            <Loading />
          </Stack>
        )}
      </Stack>
    </Page>
  )
}

/** Whether it is the backup's fault, and not that of the way to the service or of the caller. */
const isOfBackup = ({ reason }: Failure): boolean => reason.startsWith('backups.')

const Refused = ({ error }: { error: Failure }) => {
  const { restore: texts } = usePageTexts('backups').backups
  const failureText = useFailureText()
  // A proxy that gave up waiting says nothing of the restore.
  const isLost = error.reason === 'console.unreachable' || error.reason === 'console.not_understood'
  return (
    <Alert color="red" role="alert" title={isOfBackup(error) ? texts.notUsable : undefined}>
      {isLost ? texts.lost : failureText(error)}
    </Alert>
  )
}

const effects = ['safety', 'replaced', 'kept', 'ended', 'follows'] as const

const Decide = ({ id, contents, start }: { id: string; contents: Contents; start(): void }) => {
  const { restore: texts } = usePageTexts('backups').backups
  const { language } = useLanguage()
  const confirm = useConfirm()
  const { takenAt, version, rows } = contents
  const time = exactTime(Date.parse(takenAt), language)
  const ask = async (): Promise<void> => {
    const question = {
      title: texts.confirm(id),
      consequence: texts.consequence(time),
      action: texts.start,
      danger: true,
    }
    if (await confirm({ ...question, typed: id })) start()
  }
  return (
    <>
      <Meaning level="safe">{texts.verified}</Meaning>
      <dl className="facts">
        <dt>{texts.taken}</dt>
        <dd>
          <time dateTime={takenAt}>{time}</time>
        </dd>
        <dt>{texts.version}</dt>
        <dd>{version}</dd>
        <dt>{texts.rows}</dt>
        <dd>{texts.count(rows)}</dd>
      </dl>
      <Title order={2}>{texts.inside}</Title>
      <Inside contents={contents} />
      <dl className="facts">
        {effects.map((effect) => (
          <div className="fact" key={effect}>
            <dt>{texts.effects[effect]}</dt>
            <dd>{texts.effects[`${effect}What`]}</dd>
          </div>
        ))}
      </dl>
      <Group>
        <Button color="red" onClick={() => void ask()}>
          {texts.start}
        </Button>
      </Group>
    </>
  )
}

/** The records that people know, beside how many there are now where that is known. */
const Inside = ({ contents: { tables } }: { contents: Contents }) => {
  const { restore: texts } = usePageTexts('backups').backups
  const mayCompare = useMay('getOverview')
  const overview = useReading('getOverview', {}, { enabled: mayCompare })
  const { data } = overview
  const now: Readonly<Record<string, number | undefined>> = {
    users: data && data.people.enabled + data.people.disabled,
    groups: data && data.departments + data.groups,
  }
  const names = Object.entries(texts.tables)
  const known = names.flatMap(([name, label]) => {
    const table = tables.find((each) => each.name === name)
    return table === undefined ? [] : [{ name, label, rows: table.rows }]
  })
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.table.what}</Table.Th>
          <Table.Th ta="end">{texts.table.backup}</Table.Th>
          <Table.Th ta="end">{texts.table.now}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {known.map(({ name, label, rows }) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" fw={400}>
              {label}
            </Table.Th>
            <Table.Td ta="end">{texts.count(rows)}</Table.Td>
            <Table.Td ta="end">{now[name] === undefined ? texts.none : texts.count(now[name])}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** The restore in progress, on any instance. */
const useRestoring = (): Work | undefined => {
  const enabled = useMay('getProgress')
  return useProgress({ kind: 'restore' }, { enabled })?.find(({ finishedAt }) => finishedAt === null)
}

const Running = ({ work, isOwn }: { work: Work | undefined; isOwn: boolean }) => {
  const { restore: texts } = usePageTexts('backups').backups
  const names: Readonly<Record<string, string>> = texts.phases
  return (
    <Stack gap="sm" role="status">
      <Text>{isOwn ? texts.running : texts.runningElsewhere(work?.backupId)}</Text>
      {work === undefined ? <Loading /> : <RunProgress work={work} label={names[work.phase] ?? texts.phases.waiting} />}
    </Stack>
  )
}

const Done = ({ restored: { rows, safetyBackupId } }: { restored: Data<'restoreBackup'> }) => {
  const { restore: texts } = usePageTexts('backups').backups
  return (
    <Alert color="green" role="status" title={texts.done}>
      <Stack gap="xs">
        <Text>{texts.doneRows(rows)}</Text>
        <Text>{texts.safetyAt(safetyBackupId)}</Text>
        <Group gap="md">
          <Granted to="listPeople">
            <PageLink to="/people">{texts.toPeople}</PageLink>
          </Granted>
          <PageLink to="/backups/$id/restore" params={{ id: String(safetyBackupId) }}>
            {texts.undo(safetyBackupId)}
          </PageLink>
        </Group>
      </Stack>
    </Alert>
  )
}
