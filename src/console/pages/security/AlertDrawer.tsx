import { Button, Group, List, Stack, Text, Title } from '@mantine/core'
import { useFailureText } from '../../app/failures.ts'
import { useLanguage } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { useChange } from '../../app/queries.ts'
import { Granted, useSession } from '../../app/session.tsx'
import type { OperationId } from '../../generated/calls.ts'
import { type Listed, ListedRecord } from '../../ui/ListedRecord.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { notifyDone, notifyFailure } from '../../ui/notify.tsx'
import { PageLink } from '../../ui/PageLink.tsx'
import { RecordDrawer } from '../../ui/RecordDrawer.tsx'
import { Time } from '../../ui/Time.tsx'
import { exactTime } from '../../ui/time-text.ts'
import type { SearchValues } from '../../ui/use-search.ts'
import { type Alert, useAlertTexts } from './alert-texts.ts'
import { levelMeanings } from './levels.ts'

interface AlertDrawerProps {
  /** Undefined: none is open. */
  id: number | undefined
  listed: Listed<Alert>
  onClose(): void
}

/** All that is known of an alert, the records it is about, and the button that closes it. */
export const AlertDrawer = ({ id, listed, onClose }: AlertDrawerProps) => {
  const { security, states } = usePageTexts('security')
  const { titleOf } = useAlertTexts()
  const { record } = listed
  const title = record === undefined ? security.alerts.title(id ?? 0) : titleOf(record)
  return (
    <RecordDrawer opened={id !== undefined} onClose={onClose} title={title}>
      <ListedRecord listed={listed} gone={states.gone}>
        {(alert) => <Details alert={alert} onClose={onClose} />}
      </ListedRecord>
    </RecordDrawer>
  )
}

const Details = ({ alert, onClose }: { alert: Alert; onClose(): void }) => {
  const { security } = usePageTexts('security')
  const { language } = useLanguage()
  const { alerts: texts } = security
  const { textOf, placeOf } = useAlertTexts()
  const failureText = useFailureText()
  const handle = useChange('handleAlert', ['searchAlerts', 'getScore', 'getOverview'])
  const { level, raisedAt, lastAt, times, handledAt, handledBy, location } = alert
  return (
    <Stack gap="md">
      <Text style={{ whiteSpace: 'pre-line' }}>{textOf(alert)}</Text>
      {handledAt === null && (
        <Granted to="handleAlert">
          <Group>
            <Button
              loading={handle.isPending}
              onClick={() =>
                handle.mutate(
                  { path: { id: alert.id } },
                  {
                    onSuccess: () => {
                      notifyDone(texts.done(1))
                      onClose()
                    },
                    onError: (error) => notifyFailure(failureText(error)),
                  },
                )
              }
            >
              {texts.handle}
            </Button>
          </Group>
        </Granted>
      )}
      <About alert={alert} />
      <dl className="facts">
        <dt>{texts.level}</dt>
        <dd>
          <Meaning level={levelMeanings[level]}>{security.levels[level]}</Meaning>
        </dd>
        <dt>{texts.state}</dt>
        <dd>
          {handledAt === null ? (
            texts.open
          ) : (
            <>
              {texts.handledBy(handledBy === 'system' ? texts.system : (handledBy ?? '–'))} · <Time value={handledAt} />
            </>
          )}
        </dd>
        <dt>{texts.columns.raised}</dt>
        <dd>
          <time dateTime={raisedAt}>{exactTime(Date.parse(raisedAt), language)}</time>
        </dd>
        {times > 1 && (
          <>
            <dt>{texts.times1}</dt>
            <dd>{texts.times(times)}</dd>
            <dt>{texts.last}</dt>
            <dd>
              <Time value={lastAt} />
            </dd>
          </>
        )}
        {location !== '' && (
          <>
            <dt>{texts.location}</dt>
            <dd>{placeOf(alert)}</dd>
          </>
        )}
      </dl>
    </Stack>
  )
}

interface RecordLink {
  text: string
  to: string
  search?: SearchValues
  needs: OperationId
}

/** The records that an alert is about, for which the console has a page. */
const useLinks = ({ rule, params, deviceId }: Alert): RecordLink[] => {
  const { to } = usePageTexts('security').security.alerts
  const { username, id, source, address, caller } = params
  // `user li.na` or `address 203.0.113.9`
  const user = username ?? (caller?.startsWith('user ') ? caller.slice('user '.length) : undefined)
  return [
    ...(deviceId === null
      ? []
      : [
          {
            text: to.device,
            to: '/security/devices',
            search: { device: deviceId },
            needs: 'listDevicesInFull' as const,
          },
        ]),
    ...(source === undefined || id === undefined
      ? []
      : [{ text: to.run(id), to: `/runs/${id}`, needs: 'getRun' as const }]),
    ...(user === undefined
      ? []
      : [{ text: to.user(user), to: '/people', search: { q: user }, needs: 'listPeople' as const }]),
    ...(rule === 'lateWithdrawals' || rule === 'foreignPasswords'
      ? [{ text: to.directory, to: '/people', search: { sync: 'refused' }, needs: 'listPeople' as const }]
      : []),
    ...(rule === 'peopleWithoutRecord' || rule === 'comparisonRefused'
      ? [{ text: to.orphans, to: '/directory', needs: 'listOrphans' as const }]
      : []),
    ...(rule.startsWith('backup') || rule === 'restoredAtTerminal'
      ? [{ text: to.backups, to: '/backups', needs: 'listBackupFiles' as const }]
      : []),
    ...(address === undefined && !rule.startsWith('log')
      ? []
      : [
          {
            text: to.log,
            to: '/log',
            ...(address !== undefined && { search: { ip: address } }),
            needs: 'listLogEntries' as const,
          },
        ]),
  ]
}

const About = ({ alert }: { alert: Alert }) => {
  const { alerts: texts } = usePageTexts('security').security
  const { may } = useSession()
  const links = useLinks(alert).filter(({ needs }) => may(needs))
  if (links.length === 0) return null
  return (
    <Stack gap={4}>
      <Title order={2}>{texts.about}</Title>
      <List>
        {links.map(({ text, to, search }) => (
          <List.Item key={to + text}>
            <PageLink to={to} {...(search !== undefined && { search })}>
              {text}
            </PageLink>
          </List.Item>
        ))}
      </List>
    </Stack>
  )
}
