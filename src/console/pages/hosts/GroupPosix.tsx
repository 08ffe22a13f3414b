import { Button, Group, Stack, Text } from '@mantine/core'
import type { Data } from '../../app/api.ts'
import { useFailureText } from '../../app/failures.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useChange, useReading } from '../../app/queries.ts'
import { Granted } from '../../app/session.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { notifyDone, notifyFailure } from '../../ui/notify.tsx'
import { QueryState } from '../../ui/states.tsx'
import type { Department } from '../groups/use-branches.ts'
import { Facts } from '../people/Facts.tsx'
import { NumberForm, useMaySetNumber } from './NumberForm.tsx'

type PosixGroup = Data<'getDepartmentPosix'>

/** The group that Linux hosts find. */
export const GroupPosix = ({ group }: { group: Department }) => {
  const query = useReading('getDepartmentPosix', { path: { id: group.id } })
  return <QueryState query={query}>{(posix) => <OneGroup group={group} posix={posix} />}</QueryState>
}

interface OneGroupProps {
  group: Department
  posix: PosixGroup
}

const OneGroup = ({ group, posix }: OneGroupProps) => {
  const { posix: texts } = usePageTexts('hosts').hosts
  const maySet = useMaySetNumber('setDepartmentPosix')
  const change = useChange('setDepartmentPosix', ['getDepartmentPosix', 'listDepartments', 'getPersonPosix'])
  const { accounts, enabled, gidNumber } = posix
  if (group.type !== 'cn') return <Text c="dimmed">{texts.onlyCn}</Text>
  if (accounts === 'off' && !enabled) return <Text c="dimmed">{texts.groupOff}</Text>
  return (
    <Stack gap="sm">
      <Facts
        facts={[
          [
            texts.state,
            <Meaning key="state" level={enabled ? 'safe' : 'none'}>
              {stateOf(posix, texts)}
            </Meaning>,
          ],
          [texts.gidNumber, gidNumber || (enabled ? texts.noNumber : '')],
        ]}
      />
      {accounts === 'groups' && <Switch group={group} posix={posix} />}
      {maySet && <NumberForm number={gidNumber} set={(body) => change.mutateAsync({ path: { id: group.id }, body })} />}
    </Stack>
  )
}

const stateOf = (
  { accounts, enabled, switchedOn }: PosixGroup,
  texts: ReturnType<typeof usePageTexts<['hosts']>>['hosts']['posix'],
): string => {
  if (accounts === 'all') return texts.everyone
  if (accounts === 'off') return texts.everyGroup
  if (switchedOn) return texts.on
  return enabled ? texts.everyGroup : texts.isOff
}

/** Gives the members accounts, or takes them away. */
const Switch = ({ group, posix: { switchedOn } }: OneGroupProps) => {
  const { hosts, named } = usePageTexts('hosts')
  const { posix: texts } = hosts
  const failureText = useFailureText()
  const confirm = useConfirm()
  const change = useChange('setDepartmentPosix', ['getDepartmentPosix', 'listDepartments', 'getPersonPosix'])
  const action = switchedOn ? texts.switchOff : texts.switchOn
  const ask = async (): Promise<void> => {
    const consequence = (switchedOn ? texts.switchOffWhy : texts.switchOnWhy)(group.memberCount)
    if (!(await confirm({ title: named(action, group.name), consequence, action, danger: switchedOn }))) return
    change.mutate(
      { path: { id: group.id }, body: { enabled: !switchedOn } },
      {
        onSuccess: () => notifyDone((switchedOn ? texts.switchedOff : texts.switchedOn)(group.name)),
        onError: (error) => notifyFailure(failureText(error)),
      },
    )
  }
  return (
    <Granted to="setDepartmentPosix">
      <Group>
        <Button variant="default" loading={change.isPending} onClick={() => void ask()}>
          {action}
        </Button>
      </Group>
    </Granted>
  )
}
