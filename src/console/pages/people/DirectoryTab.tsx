import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { useFailureText } from '../../app/failures.ts'
import { useNotGranted } from '../../app/not-granted.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useChange } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import { useStatementText } from '../../app/statement.ts'
import { Copy } from '../../ui/Copy.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { PageLink } from '../../ui/PageLink.tsx'
import { Time } from '../../ui/Time.tsx'
import { syncLevels } from './columns.tsx'
import { Facts } from './Facts.tsx'
import type { Person } from './PersonDrawer.tsx'

/** Whether a person is in the directory, if not why, and what helps. */
export const DirectoryTab = ({ person: { id, username, entry } }: { person: Person }) => {
  const { people } = usePageTexts('people')
  const failureText = useFailureText()
  const say = useStatementText()
  const whyNot = useNotGranted('retryPerson')
  const mayAdopt = useMay('listOrphans')
  const retry = useChange('retryPerson', ['getPerson', 'listPeople'])
  const { directory } = people
  // The answer is newer than the record that is read again after it.
  const { dn, state, waitingSince, triedAt, nextTryAt, error, stated, cure } = entry
  return (
    <Stack gap="md">
      <Facts
        facts={[
          [
            directory.state,
            <Meaning key="state" level={syncLevels[state]}>
              {people.sync[state]}
            </Meaning>,
          ],
          [
            directory.dn,
            dn === '' ? (
              directory.noDn
            ) : (
              <Group key="dn" gap={4} wrap="nowrap">
                <Code>{dn}</Code>
                <Copy text={dn} />
              </Group>
            ),
          ],
          [directory.triedAt, <Time key="tried" value={triedAt} />],
          ...(nextTryAt === null ? [] : [[directory.nextTryAt, <Time key="next" value={nextTryAt} />] as const]),
          ...(waitingSince === null
            ? []
            : [[directory.waitingSince, <Time key="since" value={waitingSince} />] as const]),
        ]}
      />
      {(error !== null || cure !== null) && (
        <Alert color={state === 'refused' ? 'red' : 'yellow'} variant="light" title={directory.why}>
          {error !== null && <Text>{say(stated, error)}</Text>}
          {cure !== null && <Text mt={4}>{directory.cures[cure]}</Text>}
          {cure === 'adopt_orphan' && mayAdopt && (
            <PageLink to="/directory" search={{ text: username }}>
              {directory.adopt}
            </PageLink>
          )}
        </Alert>
      )}
      {retry.isError && (
        <Alert color="red" role="alert">
          {failureText(retry.error)}
        </Alert>
      )}
      <Group gap="sm">
        <Button
          variant="default"
          disabled={whyNot !== null}
          title={whyNot ?? undefined}
          loading={retry.isPending}
          onClick={() => retry.mutate({ path: { id } })}
        >
          {state === 'synced' ? people.bulk.menu.sync : directory.retry}
        </Button>
        {retry.data !== undefined && !retry.isPending && (
          <Text role="status">
            {retry.data.data.state === 'synced' ? directory.nowSynced : directory.still[retry.data.data.state]}
          </Text>
        )}
      </Group>
    </Stack>
  )
}
