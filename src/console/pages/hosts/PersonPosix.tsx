import { Stack, Text } from '@mantine/core'
import type { Data } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useChange, useReading } from '../../app/queries.ts'
import { Meaning } from '../../ui/Meaning.tsx'
import { QueryState } from '../../ui/states.tsx'
import { Facts } from '../people/Facts.tsx'
import type { Person } from '../people/PersonDrawer.tsx'
import { NumberForm, useMaySetNumber } from './NumberForm.tsx'

type Account = Data<'getPersonPosix'>

/** The account that Linux hosts find. */
export const PersonPosix = ({ person }: { person: Person }) => {
  const query = useReading('getPersonPosix', { path: { id: person.id } })
  return <QueryState query={query}>{(account) => <OneAccount person={person} account={account} />}</QueryState>
}

const OneAccount = ({ person, account }: { person: Person; account: Account }) => {
  const { posix: texts } = usePageTexts('hosts').hosts
  const maySet = useMaySetNumber('setPersonPosix') && person.access.change
  const set = useChange('setPersonPosix', ['getPersonPosix', 'getPerson'])
  const { accounts, enabled, uidNumber, gidNumber, homeDirectory, loginShell, gecos } = account
  if (accounts === 'off') return <Text c="dimmed">{texts.off}</Text>
  const isShown = enabled && person.status === 'enabled'
  const state = enabled
    ? texts[isShown ? 'shown' : 'shownWhenEnabled']
    : accounts === 'all'
      ? texts.noName
      : texts.inNoGroup
  return (
    <Stack gap="sm">
      <Facts
        facts={[
          [
            texts.state,
            <Meaning key="state" level={isShown && uidNumber !== '' ? 'safe' : 'none'}>
              {state}
            </Meaning>,
          ],
          [texts.uidNumber, uidNumber || texts.noNumber],
          ...(uidNumber === ''
            ? []
            : ([
                [texts.gidNumber, gidNumber],
                [texts.home, homeDirectory],
                [texts.shell, loginShell],
                [texts.gecos, gecos],
              ] as const)),
        ]}
      />
      <Text size="xs" c="dimmed">
        {texts.fromSettings}
      </Text>
      {maySet && <NumberForm number={uidNumber} set={(body) => set.mutateAsync({ path: { id: person.id }, body })} />}
    </Stack>
  )
}
