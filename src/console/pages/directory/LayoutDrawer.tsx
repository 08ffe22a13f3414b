import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { Data } from '../../app/api.ts'
import { useFailureText } from '../../app/failures.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useNumberedPages } from '../../app/paging.ts'
import { useChange } from '../../app/queries.ts'
import { Granted } from '../../app/session.tsx'
import { useStatementText } from '../../app/statement.ts'
import { useConfirm } from '../../ui/confirm.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { PageLink } from '../../ui/PageLink.tsx'
import { RecordDrawer } from '../../ui/RecordDrawer.tsx'
import { RunProgress } from '../../ui/RunProgress.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { useRunningRuns } from '../runs/use-running-runs.ts'
import type { Directory } from './use-directories.ts'

type Plan = Data<'getGroupLayout'>
type Move = Plan['moves'][number]

const changed = [
  'getGroupLayout',
  'listDirectories',
  'listRuns',
  'getOverview',
  'listDepartments',
  'getDepartment',
] as const

interface LayoutDrawerProps {
  /** undefined: none is open. */
  directory: Directory | undefined
  onClose(): void
}

/** What another layout of groups would move in a directory, and the change itself. */
export const LayoutDrawer = ({ directory, onClose }: LayoutDrawerProps) => {
  const { layout: texts } = usePageTexts('directory').directory
  return (
    <RecordDrawer
      opened={directory !== undefined}
      onClose={onClose}
      title={directory === undefined ? '' : texts.planTitle(texts.of(directory.directory))}
      size={960}
    >
      {directory !== undefined && <OneLayout key={directory.directory} {...directory} />}
    </RecordDrawer>
  )
}

const OneLayout = ({ directory, baseDn }: Directory) => {
  const { layout: texts } = usePageTexts('directory').directory
  const failureText = useFailureText()
  const list = useNumberedPages('getGroupLayout', { path: { directory } })
  const change = useChange('changeGroupLayout', changed)
  // The plan that is looked at begins with the first page: if another one is in effect by then, the service refuses.
  const plan = list.pages?.[0]
  const { query } = list
  if (plan === undefined) {
    return query.isError ? <Failed error={query.error} retry={() => void query.refetch()} /> : <Loading />
  }
  const moves = list.pages?.flatMap((page) => page.moves) ?? []
  const differs = plan.layout !== plan.wanted
  const isOutdated = change.error?.reason === 'mirror.layout_outdated'
  return (
    <Stack gap="md">
      <Head plan={plan} baseDn={baseDn} />
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
      {change.isPending && <Moving />}
      {change.data !== undefined && <Outcome run={change.data.data} />}
      {change.error !== null && (
        <Alert color={isOutdated ? 'yellow' : 'red'} role="alert">
          {isOutdated ? texts.outdated : failureText(change.error)}
        </Alert>
      )}
      {(differs || plan.total > 0) && <Moves moves={moves} baseDn={baseDn} more={list.more} />}
      {differs && (
        <Granted to="changeGroupLayout">
          <Start plan={plan} change={change} />
        </Granted>
      )}
    </Stack>
  )
}

/** What is in effect, what would move, and why that has to be confirmed. */
const Head = ({ plan, baseDn }: { plan: Plan; baseDn: string }) => {
  const { layout: texts } = usePageTexts('directory').directory
  const say = useStatementText()
  const { layout, wanted, total, heldBecause } = plan
  if (layout === wanted) {
    return (
      <Stack gap={4}>
        <Text>{texts.meanings[layout]}</Text>
        <Meaning level={total === 0 ? 'safe' : 'risk'}>{total === 0 ? texts.inPlace : texts.notInPlace(total)}</Meaning>
        {total > 0 && <Text c="dimmed">{texts.notInPlaceHelp}</Text>}
      </Stack>
    )
  }
  return (
    <Stack gap={4}>
      <Meaning level="risk">{texts.differs(texts.names[layout], texts.names[wanted])}</Meaning>
      {total > 0 && <Text role="status">{texts.moves(total, baseDn)}</Text>}
      {heldBecause.length > 0 && (
        <>
          <Text fw={600} mt="xs">
            {texts.held}
          </Text>
          <ul className="plain-list">
            {heldBecause.map((each) => (
              <li key={each.code}>{say(each, each.text)}</li>
            ))}
          </ul>
        </>
      )}
    </Stack>
  )
}

const Moving = () => {
  const { layout: texts } = usePageTexts('directory').directory
  const work = [...useRunningRuns('listRuns').values()].find(
    ({ source, runKind }) => source === 'sql' && runKind === 'groups',
  )
  return (
    <div role="status">
      {work === undefined ? <Text>{texts.moving}…</Text> : <RunProgress work={work} label={texts.moving} />}
    </div>
  )
}

const Outcome = ({ run }: { run: Data<'changeGroupLayout'> }) => {
  const { layout: texts, compare } = usePageTexts('directory').directory
  const { state, moved, failed, runId } = run
  return (
    <Alert color={failed > 0 ? 'yellow' : 'green'} role="status">
      {state === 'running' ? texts.goesOn : [texts.done(moved), ...(failed > 0 ? [texts.left(failed)] : [])].join(' ')}{' '}
      <Granted to="getRun">
        <PageLink to="/runs/$id" params={{ id: String(runId) }}>
          {compare.run(runId)}
        </PageLink>
      </Granted>
    </Alert>
  )
}

const Note = ({ renamed, obstacle }: Move) => {
  const { layout: texts } = usePageTexts('directory').directory
  const say = useStatementText()
  if (obstacle !== null) {
    const why = say(obstacle, obstacle.text)
    return (
      <span title={why}>
        <Meaning level="danger">{why}</Meaning>
      </span>
    )
  }
  return renamed ? <Meaning level="risk">{texts.renamed}</Meaning> : null
}

interface MovesProps {
  moves: readonly Move[]
  baseDn: string
  more: { has: boolean; loading: boolean; load(): void }
}

const Moves = ({ moves, baseDn, more }: MovesProps) => {
  const { layout: texts } = usePageTexts('directory').directory
  const { columns: titles } = texts
  const isPhone = useIsPhone()
  const dn = (text: string) => (
    <span className="mono" title={text}>
      {text.endsWith(`,${baseDn}`) ? text.slice(0, -baseDn.length - 1) : text}
    </span>
  )
  const name: Column<Move> = {
    id: 'name',
    title: titles.name,
    width: 'minmax(90px, 1fr)',
    twoLines: true,
    render: ({ groupName }) => <span title={groupName}>{groupName}</span>,
  }
  const to: Column<Move> = {
    id: 'to',
    title: titles.to,
    width: 'minmax(140px, 2fr)',
    twoLines: true,
    render: (move) => dn(move.to),
  }
  const from: Column<Move> = {
    ...{ id: 'from', title: titles.from, width: 'minmax(140px, 2fr)' },
    render: (move) => (move.from === null ? texts.noEntry : dn(move.from)),
  }
  const note: Column<Move> = {
    ...{ id: 'note', title: titles.note, width: isPhone ? 'minmax(100px, 1fr)' : 'minmax(130px, 1fr)', twoLines: true },
    render: (move) => <Note {...move} />,
  }
  // The names of the entries are those of the groups, but for numbers.
  const columns = isPhone ? [to, note] : [name, from, to, note]
  return (
    <DataTable
      label={texts.label}
      columns={columns}
      rows={moves}
      keyOf={({ groupId }) => groupId}
      nameOf={({ groupName }) => groupName}
      more={more}
      height="min(480px, calc(100vh - 320px))"
      empty={<Empty title={texts.nothing} help={texts.nothingHelp} />}
    />
  )
}

interface StartProps {
  plan: Plan
  change: ReturnType<typeof useChange<'changeGroupLayout'>>
}

const Start = ({ plan, change }: StartProps) => {
  const { layout: texts } = usePageTexts('directory').directory
  const say = useStatementText()
  const confirm = useConfirm()
  const { directory, wanted, total, planHash, heldBecause } = plan
  const wantedName = texts.names[wanted]
  const ask = async (): Promise<void> => {
    const consequence = (
      <Stack gap="xs">
        {total > 0 && <Text>{texts.effect(total)}</Text>}
        {heldBecause.length > 0 && (
          <ul className="plain-list">
            {heldBecause.map((each) => (
              <li key={each.code}>{say(each, each.text)}</li>
            ))}
          </ul>
        )}
        <Text c="dimmed">{texts.back}</Text>
      </Stack>
    )
    const question = { title: texts.question(wantedName), consequence, action: texts.action(total) }
    if (!(await confirm({ ...question, danger: heldBecause.length > 0 }))) return
    change.mutate({ path: { directory }, body: { planHash, confirmed: heldBecause.length > 0 } })
  }
  return (
    <Group justify="flex-end">
      <Button loading={change.isPending} onClick={() => void ask()}>
        {texts.change(wantedName)}
      </Button>
    </Group>
  )
}
