import { Alert, Button, Stack, Text } from '@mantine/core'
import { usePageTexts } from '../../app/page-texts.ts'
import { useReading } from '../../app/queries.ts'
import { highest, useSession } from '../../app/session.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { DeletedMeanwhile, useLastListed } from '../../ui/last-listed.tsx'
import { Page } from '../../ui/Page.tsx'
import { RecordDrawer } from '../../ui/RecordDrawer.tsx'
import { Empty, PageFor, QueryState } from '../../ui/states.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { numberOf, useAddress } from '../../ui/use-search.ts'
import { AttributeDetails } from './AttributeDetails.tsx'
import { type Attribute, useLabelOf, useRoleNames, useShortBoundsOf, useSourcesOf } from './attribute.ts'
import { NewAttribute } from './NewAttribute.tsx'

/** The fields of people and groups that administrators declared. */
export const Attributes = () => (
  <PageFor operation="listAttributes">
    <Declared />
  </PageFor>
)

const Declared = () => {
  const { attributes: texts, nav } = usePageTexts('attributes')
  const { me, may } = useSession()
  const [search, setSearch] = useAddress()
  const list = useReading('listAttributes', {})
  const isHighest = me.rank === highest
  const mayDeclare = isHighest && may('declareAttribute')
  return (
    <Page
      title={nav.attributes}
      actions={mayDeclare && <Button onClick={() => setSearch({ new: true })}>{texts.declare}</Button>}
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {texts.help}
        </Text>
        {!isHighest && (
          <Alert p="xs" color="gray" role="note">
            {texts.highestOnly}
          </Alert>
        )}
        <QueryState query={list}>
          {({ attributes }) => (
            <>
              <AttributeTable attributes={attributes} />
              <Opened attributes={attributes} />
            </>
          )}
        </QueryState>
      </Stack>
      {search.new === true && mayDeclare && <NewAttribute onClose={() => setSearch({ new: undefined })} />}
    </Page>
  )
}

const cut = (text: string) => (
  <span className="cut" title={text}>
    {text}
  </span>
)

const AttributeTable = ({ attributes }: { attributes: readonly Attribute[] }) => {
  const { attributes: texts, fields } = usePageTexts('attributes')
  const { columns } = texts
  const [search, setSearch] = useAddress()
  const labelOf = useLabelOf()
  const boundsOf = useShortBoundsOf()
  const sourcesOf = useSourcesOf()
  const namesOf = useRoleNames()
  const isPhone = useIsPhone()
  const typeOf = ({ type, multiple }: Attribute): string =>
    multiple ? texts.several(texts.types[type]) : texts.types[type]
  const placeOf = ({ ldapAttribute, objectClass }: Attribute): string =>
    [ldapAttribute, objectClass].filter((each) => each !== '').join(' · ') || '–'
  const ownOf = ({ kind, own }: Attribute): string => (kind === 'user' ? texts.ownsShort[own] : '–')
  const column = (id: string, title: string, width: string, text: (attribute: Attribute) => string) => ({
    ...{ id, title, width },
    render: (attribute: Attribute) => cut(text(attribute)),
  })
  const desk: Column<Attribute>[] = [
    column('name', fields.name, 'minmax(96px, 1fr)', ({ name }) => name),
    column('kind', columns.kind, '68px', ({ kind }) => texts.kinds[kind]),
    column('type', columns.type, 'minmax(122px, 1fr)', typeOf),
    column('bounds', columns.bounds, 'minmax(100px, 0.8fr)', boundsOf),
    column('own', columns.own, '80px', ownOf),
    column('seen', columns.seen, 'minmax(72px, 0.8fr)', ({ seeRoles }) => namesOf(seeRoles)),
    column('changed', columns.changed, 'minmax(104px, 0.8fr)', ({ editRoles }) => namesOf(editRoles)),
    column('source', columns.source, 'minmax(96px, 1fr)', (each) => sourcesOf(each) || '–'),
    column('directory', columns.directory, 'minmax(112px, 1.2fr)', placeOf),
  ]
  const phone: Column<Attribute>[] = [
    column('kind', columns.kind, '68px', ({ kind }) => texts.kinds[kind]),
    column('type', columns.type, 'minmax(116px, 1fr)', typeOf),
  ]
  return (
    <DataTable
      label={texts.label}
      columns={[column('label', columns.label, 'minmax(120px, 1.5fr)', labelOf), ...(isPhone ? phone : desk)]}
      rows={attributes}
      keyOf={({ id }) => id}
      nameOf={(each) => labelOf(each)}
      current={numberOf(search.attribute)}
      onOpen={({ id }) => setSearch({ attribute: id })}
      height="calc(100vh - 260px)"
      empty={<Empty title={texts.empty} help={texts.emptyHelp} />}
    />
  )
}

const Opened = ({ attributes }: { attributes: readonly Attribute[] }) => {
  const { states } = usePageTexts('attributes')
  const [search, setSearch] = useAddress()
  const labelOf = useLabelOf()
  const open = numberOf(search.attribute)
  const listed = attributes.find(({ id }) => id === open)
  const { record: attribute, isDeleted } = useLastListed(open, listed)
  const close = (): void => setSearch({ attribute: undefined })
  return (
    <RecordDrawer opened={open !== undefined} onClose={close} title={attribute === undefined ? '' : labelOf(attribute)}>
      {attribute === undefined ? (
        <Empty title={states.gone} />
      ) : (
        <>
          <DeletedMeanwhile isDeleted={isDeleted} />
          <AttributeDetails key={attribute.id} attribute={attribute} onClose={close} />
        </>
      )}
    </RecordDrawer>
  )
}
