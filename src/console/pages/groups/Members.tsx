import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useFailureText } from '../../app/failures.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useChange } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { type Person, PersonTable } from '../../ui/PersonTable.tsx'
import { Empty } from '../../ui/states.tsx'
import { useAddress } from '../../ui/use-search.ts'
import type { Department } from './use-branches.ts'

type Ids = ReadonlySet<string | number>

const none: Ids = new Set()
const changed = ['listMembers', 'listDepartments', 'getDepartmentPath', 'listPeople'] as const
const height = 'calc(100vh - 260px)'

/** The members of a group, or with `add` in the address all others, to choose new ones from. */
export const Members = ({ group }: { group: Department }) => {
  const [search] = useAddress()
  const mayAdd = useMay('addGroupUsers')
  return search.add !== undefined && mayAdd ? <Others group={group} /> : <Present group={group} />
}

/** Whom the caller may add and remove: people of a lower rank. */
const useLocked = (): ((person: Person) => string | undefined) => {
  const { permissions } = usePageTexts('permissions')
  return ({ access }) => (access.change ? undefined : permissions.refused.person)
}

const Refused = ({ failure }: { failure: unknown }) => {
  const failureText = useFailureText()
  return failure === null ? null : (
    <Alert p="xs" color="red" role="alert">
      {failureText(failure)}
    </Alert>
  )
}

const Present = ({ group }: { group: Department }) => {
  const { permissions } = usePageTexts('permissions')
  const { member } = permissions.groups
  const [, setSearch] = useAddress()
  const [selected, setSelected] = useState<Ids>(none)
  const mayAdd = useMay('addGroupUsers')
  const mayRemove = useMay('removeGroupUsers')
  const locked = useLocked()
  const confirm = useConfirm()
  const remove = useChange('removeGroupUsers', changed)
  const take = async (): Promise<void> => {
    const userIds = [...selected].map(Number)
    const title = member.removeTitle(userIds.length, group.name)
    const action = member.remove(userIds.length)
    if (!(await confirm({ title, consequence: member.removeHelp, action, danger: true }))) return
    await remove.mutateAsync({ body: { groupId: group.id, userIds } }).then(
      () => {
        notifyDone(member.removed(userIds.length))
        setSelected(none)
      },
      () => undefined,
    )
  }
  return (
    <Stack gap="sm">
      <Refused failure={remove.error} />
      <PersonTable
        operation="listMembers"
        id={group.id}
        label={permissions.groups.members}
        searchName="mq"
        height={height}
        empty={<Empty title={member.none} help={member.noneHelp} />}
        {...(mayRemove && { selected, onSelect: setSelected, lockedOf: locked })}
        actions={
          <>
            {selected.size > 0 && (
              <Button variant="default" c="var(--danger)" loading={remove.isPending} onClick={() => void take()}>
                {member.remove(selected.size)}
              </Button>
            )}
            {mayAdd && <Button onClick={() => setSearch({ add: 1, mq: '' })}>{member.add}</Button>}
          </>
        }
      />
    </Stack>
  )
}

const Others = ({ group }: { group: Department }) => {
  const { permissions } = usePageTexts('permissions')
  const { member } = permissions.groups
  const [, setSearch] = useAddress()
  const [selected, setSelected] = useState<Ids>(none)
  const locked = useLocked()
  const add = useChange('addGroupUsers', changed)
  const back = (): void => setSearch({ add: '', mq: '' })
  const put = async (): Promise<void> => {
    const userIds = [...selected].map(Number)
    await add.mutateAsync({ body: { groupId: group.id, userIds } }).then(
      () => {
        notifyDone(member.added(userIds.length))
        back()
      },
      () => undefined,
    )
  }
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text fw={600}>{member.addTitle(group.name)}</Text>
        <Anchor component="button" type="button" size="sm" onClick={back}>
          {member.back}
        </Anchor>
      </Group>
      <Refused failure={add.error} />
      <PersonTable
        operation="listMembers"
        id={group.id}
        member={false}
        label={member.addTitle(group.name)}
        searchName="mq"
        height={height}
        empty={<Empty title={member.empty} />}
        selected={selected}
        onSelect={setSelected}
        lockedOf={locked}
        actions={
          <Button disabled={selected.size === 0} loading={add.isPending} onClick={() => void put()}>
            {selected.size === 0 ? member.add : member.addSelected(selected.size)}
          </Button>
        }
      />
    </Stack>
  )
}
