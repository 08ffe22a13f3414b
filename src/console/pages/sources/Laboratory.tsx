import './sources.css'
import { Group, Stack, Tabs, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { usePageTexts } from '../../app/page-texts.ts'
import { useReading } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageLink } from '../../ui/PageLink.tsx'
import { Empty, PageFor, QueryState } from '../../ui/states.tsx'
import { useAddress } from '../../ui/use-search.ts'
import { RelationEditor } from './RelationEditor.tsx'
import { flagOf } from './relation.ts'

const slots = ['exta', 'extb', 'extc', 'extldap'] as const

/** The field relations of a source, tried on its real records before they are saved. */
export const Laboratory = () => {
  const { sources, runs } = usePageTexts('sources', 'runs')
  const { laboratory: texts } = sources
  const params = useParams({ strict: false })
  const source = slots.find((slot) => slot === params.source)
  return (
    <PageFor operation="listFieldRelations">
      {source === undefined ? (
        <Page title={texts.notFound}>
          <Empty title={texts.notFound}>
            <Back />
          </Empty>
        </Page>
      ) : (
        <Page title={texts.title(runs.sources[source])}>
          <OfSource key={source} source={source} />
        </Page>
      )}
    </PageFor>
  )
}

const Back = () => {
  const { laboratory: texts } = usePageTexts('sources').sources
  return (
    <PageLink to="/sources" activeOptions={{ exact: true }} size="sm">
      {texts.back}
    </PageLink>
  )
}

const kinds = ['users', 'groups'] as const

const OfSource = ({ source }: { source: (typeof slots)[number] }) => {
  const { sources, runs } = usePageTexts('sources', 'runs')
  const { laboratory: texts } = sources
  const [search, setSearch] = useAddress()
  const kind = kinds.find((each) => each === search.kind) ?? 'users'
  const relations = useReading('listFieldRelations', {})
  const maySee = useMay('listSources')
  const states = useReading('listSources', {}, { enabled: maySee })
  const configured = maySee ? states.data?.find((each) => each.source === source)?.configured : true
  return (
    <Stack gap="sm" mt={-8}>
      <Group gap="sm">
        <Back />
        <Text c="dimmed">{texts.why}</Text>
      </Group>
      <Tabs
        value={kind}
        onChange={(value) => setSearch({ kind: value === 'users' ? '' : (value ?? '') })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {kinds.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {runs.kinds[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {kinds.map((each) => (
          <Tabs.Panel key={each} value={each}>
            <QueryState query={relations}>
              {(all) => (
                <RelationEditor
                  source={source}
                  kind={each}
                  relation={all.find(({ flag }) => flag === flagOf(source, each))}
                  configured={configured}
                />
              )}
            </QueryState>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  )
}
