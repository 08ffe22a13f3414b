import { Stack, Title } from '@mantine/core'
import type { Data } from '../../app/api.ts'
import { describe, useOperationTexts } from '../../app/operations.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useSession } from '../../app/session.tsx'
import type { OperationId } from '../../generated/calls.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { type Level, Meaning } from '../../ui/Meaning.tsx'
import { PageLink } from '../../ui/PageLink.tsx'
import { Empty } from '../../ui/states.tsx'
import { Time } from '../../ui/Time.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { runLevels, useRunTexts } from '../runs/run-text.ts'
import { useAlertTexts } from '../security/alert-texts.ts'
import { levelMeanings } from '../security/levels.ts'

type Happening = Data<'getOverview'>['lately'][number]
type Change = NonNullable<Happening['change']>
type Run = NonNullable<Happening['run']>

interface Place {
  to: string
  params?: { id: string }
  search?: Readonly<Record<string, number>>
  /** What its page needs. */
  operation: OperationId
}

/** Where a record of each kind is shown; the others by the entry of the log. */
const pages: Readonly<
  Partial<Record<Change['touched']['kind'], { to: string; parameter: string; operation: OperationId }>>
> = {
  user: { to: '/people', parameter: 'person', operation: 'listPeople' },
  group: { to: '/groups', parameter: 'group', operation: 'listDepartments' },
  serviceAccount: { to: '/service-accounts', parameter: 'account', operation: 'listServiceAccounts' },
  attribute: { to: '/attributes', parameter: 'attribute', operation: 'listAttributes' },
  device: { to: '/security/devices', parameter: 'device', operation: 'listDevicesInFull' },
  alert: { to: '/security/alerts', parameter: 'alert', operation: 'searchAlerts' },
}

const placeOfChange = (entry: number, { kind, id, name }: Change['touched']): Place => {
  if (name !== null && kind === 'role') return { to: '/roles/$id', params: { id: String(id) }, operation: 'listRoles' }
  const page = pages[kind]
  if (name === null || page === undefined) return { to: '/log', search: { entry }, operation: 'listLogEntries' }
  return { to: page.to, search: { [page.parameter]: id }, operation: page.operation }
}

const placeOf = ({ kind, id, change, restore }: Happening): Place => {
  if (change !== undefined) return placeOfChange(id, change.touched)
  if (kind === 'run') return { to: '/runs/$id', params: { id: String(id) }, operation: 'getRun' }
  if (kind === 'alert') return { to: '/security/alerts', search: { alert: id }, operation: 'searchAlerts' }
  const backup = restore === undefined ? id : restore.backupId
  return { to: '/backups', ...(backup !== null && { search: { backup } }), operation: 'listBackupFiles' }
}

const counts = ['added', 'updated', 'moved', 'disabled', 'failed', 'held'] as const

const stateLevels = { running: 'none', success: 'safe', done: 'safe', failed: 'danger' } as const

/** What a line says, and how serious it is. */
const useWords = (): ((happening: Happening) => { level: Level; text: string }) => {
  const { lately } = usePageTexts('home').home
  const operationTexts = useOperationTexts()
  const { titleOf } = useAlertTexts()
  const { runs, nameOf } = useRunTexts()
  const ofChange = (change: Change): string => {
    const { touched, records } = change
    const what = describe(operationTexts, change) || `${change.method} ${change.path}`
    const { kind, name } = touched
    // An alert has its title in English only, and says it at its own line.
    if (kind === 'alert' || name === null) return what
    return lately.of(what, `${name}${records > 1 ? lately.others(records - 1) : ''}`)
  }
  const ofRun = (run: Run): string => {
    const figures = counts.filter((name) => run[name] > 0).map((name) => `${runs.figures[name]} ${run[name]}`)
    return lately.of(nameOf(run), [runs.states[run.state], ...figures].join(' · '))
  }
  return ({ change, run, alert, backup, restore }) => {
    if (change !== undefined) return { level: 'none', text: ofChange(change) }
    if (run !== undefined) return { level: runLevels[run.state], text: ofRun(run) }
    if (alert !== undefined) {
      const isOpen = alert.handledAt === null
      const title = titleOf(alert)
      return {
        level: isOpen ? levelMeanings[alert.level] : 'safe',
        text: isOpen ? title : `${title} · ${lately.handled}`,
      }
    }
    if (backup !== undefined) return { level: stateLevels[backup.status], text: lately.backups[backup.status] }
    const state = restore?.state ?? 'done'
    return { level: stateLevels[state], text: lately.restores[state] }
  }
}

/** What was changed and by whom, runs, alerts, backups and restores: each with the way to its record. */
export const Lately = ({ happenings }: { happenings: readonly Happening[] }) => {
  const { lately: texts } = usePageTexts('home').home
  const { creatorOf } = useRunTexts()
  const words = useWords()
  const isPhone = useIsPhone()
  const { may } = useSession()
  const columns: Column<Happening>[] = [
    {
      id: 'what',
      title: texts.what,
      width: isPhone ? '200px' : 'minmax(280px, 4fr)',
      twoLines: true,
      render: (happening) => {
        const { level, text } = words(happening)
        const { operation, to, params, search } = placeOf(happening)
        return (
          <Meaning level={level}>
            {may(operation) ? (
              <PageLink title={text} to={to} {...(params && { params })} {...(search && { search })}>
                {text}
              </PageLink>
            ) : (
              <span title={text}>{text}</span>
            )}
          </Meaning>
        )
      },
    },
    {
      id: 'who',
      title: texts.who,
      width: 'minmax(96px, 1fr)',
      render: ({ by }) => <span title={creatorOf(by)}>{creatorOf(by)}</span>,
    },
    { id: 'when', title: texts.when, width: 'minmax(120px, 1fr)', render: ({ at }) => <Time value={at} /> },
  ]
  return (
    <Stack gap="xs">
      <Title order={2}>{texts.title}</Title>
      <DataTable
        label={texts.title}
        columns={columns}
        rows={happenings}
        keyOf={({ kind, id }) => `${kind} ${id}`}
        nameOf={(happening) => words(happening).text}
        empty={<Empty title={texts.none} />}
        height="420px"
      />
    </Stack>
  )
}
