import { Stack, Text } from '@mantine/core'
import { usePageTexts } from '../../app/page-texts.ts'
import { useChange, useReading } from '../../app/queries.ts'
import { Granted } from '../../app/session.tsx'
import { Part } from '../../ui/Part.tsx'
import { MayNot, useWhyNot } from '../people/MayNot.tsx'
import type { Person } from '../people/PersonDrawer.tsx'
import { PersonPosix } from './PersonPosix.tsx'
import { SshKeys } from './SshKeys.tsx'

/** What hosts read of a person: SSH keys and the POSIX account. */
export const HostsTab = ({ person }: { person: Person }) => {
  const { hosts } = usePageTexts('hosts')
  return (
    <Stack gap="lg">
      <Granted to="listPersonSshKeys">
        <Part title={hosts.keys.title}>
          <PersonKeys person={person} />
        </Part>
      </Granted>
      <Granted to="getPersonPosix">
        <Part title={hosts.posix.account}>
          <PersonPosix person={person} />
        </Part>
      </Granted>
    </Stack>
  )
}

const PersonKeys = ({ person }: { person: Person }) => {
  const { keys: texts } = usePageTexts('hosts').hosts
  const path = { id: person.id }
  const whyNotAdd = useWhyNot(person, 'addPersonSshKey')
  const whyNotRemove = useWhyNot(person, 'removePersonSshKey')
  const query = useReading('listPersonSshKeys', { path })
  const add = useChange('addPersonSshKey', ['listPersonSshKeys', 'getPerson'])
  const remove = useChange('removePersonSshKey', ['listPersonSshKeys', 'getPerson'])
  return (
    <>
      <MayNot why={whyNotAdd} />
      {person.status !== 'enabled' && (
        <Text size="sm" mb="xs">
          {texts.disabled}
        </Text>
      )}
      <SshKeys
        query={query}
        isOwn={false}
        add={whyNotAdd === null ? (body) => add.mutateAsync({ path, body }) : undefined}
        remove={
          whyNotRemove === null ? (fingerprint) => remove.mutateAsync({ path, body: { fingerprint } }) : undefined
        }
      />
    </>
  )
}
