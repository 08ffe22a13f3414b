import { Paper, SimpleGrid, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Data } from '../../app/api.ts'
import { useLanguage } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { useSession } from '../../app/session.tsx'
import type { OperationId } from '../../generated/calls.ts'
import { type Level, Meaning } from '../../ui/Meaning.tsx'
import { PageLink } from '../../ui/PageLink.tsx'
import { Time } from '../../ui/Time.tsx'
import { DirectoryState } from './DirectoryState.tsx'

type Overview = Data<'getOverview'>

interface FigureProps {
  title: string
  /** Where it is shown in full, and the operation that the page there needs. */
  to?: { path: string; search?: Readonly<Record<string, string>>; operation: OperationId }
  value?: string
  children?: ReactNode
}

const Figure = ({ title, to, value, children }: FigureProps) => {
  const { may } = useSession()
  return (
    <Paper withBorder p="md">
      <Stack gap={4}>
        {to !== undefined && may(to.operation) ? (
          <PageLink to={to.path} {...(to.search && { search: to.search })} size="sm">
            {title}
          </PageLink>
        ) : (
          <Text c="dimmed">{title}</Text>
        )}
        {value !== undefined && (
          <Text fz={24} fw={600} lh={1.2}>
            {value}
          </Text>
        )}
        {children}
      </Stack>
    </Paper>
  )
}

const backupLevels: Readonly<Record<NonNullable<Overview['lastBackup']>['status'], Level>> = {
  success: 'safe',
  running: 'none',
  failed: 'danger',
}

/** The figures of the installation, as they are. */
export const Figures = ({ overview }: { overview: Overview }) => {
  const { language } = useLanguage()
  const texts = usePageTexts('home')
  const { home } = texts
  const number = new Intl.NumberFormat(language)
  const { people, departments, groups, alerts, runs, lastBackup, score } = overview
  const open = alerts.danger + alerts.warning + alerts.info
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3, lg: 4 }} spacing="md">
      <Figure
        title={home.people}
        to={{ path: '/people', operation: 'listPeople' }}
        value={number.format(people.enabled)}
      >
        {people.disabled > 0 && <Text c="dimmed">{home.enabledDisabled(people.disabled)}</Text>}
      </Figure>
      <Figure
        title={home.departments}
        to={{ path: '/groups', operation: 'listDepartments' }}
        value={number.format(departments)}
      >
        {groups > 0 && <Text c="dimmed">{home.groups(groups)}</Text>}
      </Figure>
      <Figure title={home.directory} to={{ path: '/directory', operation: 'listOrphans' }}>
        <DirectoryState directory={overview.directory} />
      </Figure>
      <Figure
        title={home.alerts}
        to={{ path: '/security/alerts', operation: 'searchAlerts' }}
        value={open === 0 ? home.noAlerts : number.format(open)}
      >
        {alerts.danger > 0 && <Meaning level="danger">{home.levels.danger(alerts.danger)}</Meaning>}
        {alerts.warning > 0 && <Meaning level="risk">{home.levels.warning(alerts.warning)}</Meaning>}
        {alerts.info > 0 && <Meaning level="none">{home.levels.info(alerts.info)}</Meaning>}
      </Figure>
      <Figure
        title={home.runs}
        to={{ path: '/runs', ...(runs.held > 0 && { search: { state: 'held' } }), operation: 'listRuns' }}
      >
        {runs.held > 0 && <Meaning level="risk">{home.held(runs.held)}</Meaning>}
        {runs.running > 0 && <Meaning level="none">{home.running(runs.running)}</Meaning>}
        {runs.held + runs.running === 0 && <Text>{home.quiet}</Text>}
      </Figure>
      <Figure title={home.backup} to={{ path: '/backups', operation: 'listBackupFiles' }}>
        {lastBackup === undefined ? (
          <Meaning level="risk">{home.noBackup}</Meaning>
        ) : (
          <>
            <Meaning level={backupLevels[lastBackup.status]}>{home.backupStates[lastBackup.status]}</Meaning>
            <Text c="dimmed">
              <Time value={lastBackup.startedAt} />
            </Text>
          </>
        )}
      </Figure>
      <Figure
        title={home.score}
        to={{ path: '/security', operation: 'getScore' }}
        {...(score !== undefined && { value: number.format(score.score) })}
      >
        <Text c="dimmed">{score === undefined ? home.noScore : <Time value={score.at} />}</Text>
      </Figure>
    </SimpleGrid>
  )
}
