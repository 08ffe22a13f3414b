import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useFailureText } from '../../app/failures.ts'
import { useLanguage } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { useChange } from '../../app/queries.ts'
import { Granted, useMay } from '../../app/session.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { type Listed, ListedRecord } from '../../ui/ListedRecord.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { notifyDone, notifyFailure } from '../../ui/notify.tsx'
import { ButtonLink } from '../../ui/PageLink.tsx'
import { RecordDrawer } from '../../ui/RecordDrawer.tsx'
import { exactTime } from '../../ui/time-text.ts'
import { bytesText } from './bytes.ts'
import { downloadBackup } from './download.ts'
import { type Backup, stateLevels } from './state-levels.ts'

interface BackupDrawerProps {
  /** Undefined: none is open. */
  id: number | undefined
  listed: Listed<Backup>
  onClose(): void
}

/** All that is known of a backup, and what can be done with it. */
export const BackupDrawer = ({ id, listed, onClose }: BackupDrawerProps) => {
  const { backups: texts } = usePageTexts('backups')
  return (
    <RecordDrawer
      opened={id !== undefined}
      onClose={onClose}
      title={id === undefined ? '' : texts.title(id)}
      size={520}
    >
      <ListedRecord listed={listed} gone={texts.gone}>
        {(backup) => <Details backup={backup} onClose={onClose} />}
      </ListedRecord>
    </RecordDrawer>
  )
}

const Details = ({ backup, onClose }: { backup: Backup; onClose(): void }) => {
  const { backups: texts } = usePageTexts('backups')
  const { language } = useLanguage()
  const { id, kind, status, startedAt, finishedAt, size, encrypted, creator, error, path } = backup
  const mayRestore = useMay('restoreBackup')
  const maySee = useMay('getBackupContents')
  return (
    <Stack gap="md">
      <dl className="facts">
        <dt>{texts.columns.state}</dt>
        <dd>
          <Meaning level={stateLevels[status]}>{texts.states[status]}</Meaning>
        </dd>
        {error !== '' && (
          <>
            <dt>{texts.error}</dt>
            <dd>{error}</dd>
          </>
        )}
        <dt>{texts.columns.when}</dt>
        <dd>
          <time dateTime={startedAt}>{exactTime(Date.parse(startedAt), language)}</time>
        </dd>
        <dt>{texts.took}</dt>
        <dd>
          {finishedAt === null ? '–' : <time dateTime={finishedAt}>{exactTime(Date.parse(finishedAt), language)}</time>}
        </dd>
        <dt>{texts.columns.kind}</dt>
        <dd>{texts.kinds[kind]}</dd>
        <dt>{texts.columns.by}</dt>
        <dd>{creator || '–'}</dd>
        <dt>{texts.columns.size}</dt>
        <dd>{size === 0 ? '–' : bytesText(size, language)}</dd>
        <dt>{texts.columns.encrypted}</dt>
        <dd>{encrypted ? texts.yes : texts.no}</dd>
        <dt>{texts.file}</dt>
        <dd>
          <Code>{path}</Code>
        </dd>
      </dl>
      <Group gap="sm">
        {status === 'success' && mayRestore && maySee && (
          <ButtonLink to="/backups/$id/restore" params={{ id: String(id) }}>
            {texts.restore.open}
          </ButtonLink>
        )}
        {status === 'success' && <Download backup={backup} />}
        {status !== 'running' && <Delete id={id} onDone={onClose} />}
      </Group>
      {status === 'success' && (
        <Granted to="downloadBackup">
          <Text size="xs" c="dimmed">
            {texts.downloadWhy}
          </Text>
        </Granted>
      )}
    </Stack>
  )
}

const Download = ({ backup: { id, path } }: { backup: Backup }) => {
  const { backups: texts } = usePageTexts('backups')
  const failureText = useFailureText()
  const [busy, setBusy] = useState(false)
  const start = async (): Promise<void> => {
    setBusy(true)
    try {
      await downloadBackup(id, path)
    } catch (error) {
      notifyFailure(failureText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Granted to="downloadBackup">
      <Button variant="default" loading={busy} onClick={() => void start()}>
        {texts.download}
      </Button>
    </Granted>
  )
}

const Delete = ({ id, onDone }: { id: number; onDone(): void }) => {
  const { backups: texts } = usePageTexts('backups')
  const failureText = useFailureText()
  const confirm = useConfirm()
  const remove = useChange('deleteBackup', ['listBackupFiles', 'getScore', 'getOverview'])
  const start = async (): Promise<void> => {
    const question = { title: texts.delete, consequence: texts.deleteWhy(id), action: texts.delete, danger: true }
    if (!(await confirm(question))) return
    remove.mutate(
      { path: { id } },
      {
        onSuccess: () => {
          notifyDone(texts.deleted(id))
          onDone()
        },
        onError: (error) => notifyFailure(failureText(error)),
      },
    )
  }
  return (
    <Granted to="deleteBackup">
      <Button variant="default" className="danger-item" loading={remove.isPending} onClick={() => void start()}>
        {texts.delete}
      </Button>
    </Granted>
  )
}
