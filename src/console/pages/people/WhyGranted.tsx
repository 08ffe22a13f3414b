import { Alert, Code, Stack, Text } from '@mantine/core'
import { useCallback, useMemo } from 'react'
import type { Data } from '../../app/api.ts'
import { useTexts } from '../../app/language.tsx'
import { describe, useOperationTexts } from '../../app/operations.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useReading } from '../../app/queries.ts'
import { calls } from '../../generated/calls.ts'
import type { OperationTexts } from '../../locales/operations.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { Empty, QueryState } from '../../ui/states.tsx'
import { textOf, useAddress } from '../../ui/use-search.ts'
import { useTyped } from '../../ui/use-typed.ts'

type Grant = Data<'explainGrant'>['operations'][number]

/** An operation as the list shows it: one that is granted, or one that is not. */
interface Line {
  operation: string
  method: string
  path: string
  grant: Grant | null
}

const every: readonly Line[] = Object.entries(calls).map(([operation, { method, url }]) => ({
  operation,
  method,
  path: url.replace(/^\/api/, ''),
  grant: null,
}))

type NamesOf = (records: readonly { name: string }[]) => string

/** The names of records, as a list. */
const useNames = (): NamesOf => {
  const { listed } = useTexts()
  return useCallback((records) => listed(records.map(({ name }) => name)), [listed])
}

/** What a person may do, and by which role; of anything else, what is missing. */
export const WhyGranted = ({ id }: { id: number }) => {
  const { people } = usePageTexts('people')
  const [search, setSearch] = useAddress()
  const [q, setQ] = useTyped('why')
  const query = useReading('explainGrant', { path: { id }, query: {} })
  const operations = query.data?.operations
  const texts = useOperationTexts()
  const names = useNames()
  const lines = useMemo(() => linesOf(operations ?? [], texts, q, names), [operations, texts, q, names])
  const columns: readonly Column<Line>[] = [
    {
      id: 'operation',
      title: people.why.operation,
      width: 'minmax(160px, 2fr)',
      twoLines: true,
      render: (line) => <span title={`${line.operation} · ${line.method} ${line.path}`}>{nameOf(texts, line)}</span>,
    },
    {
      id: 'by',
      title: people.why.by,
      width: 'minmax(140px, 1fr)',
      render: ({ grant }) =>
        grant === null ? (
          <Meaning level="none">{people.why.notGranted}</Meaning>
        ) : (
          <Meaning level="safe">{grant.always ? people.why.everyUser : names(grant.roles)}</Meaning>
        ),
    },
  ]
  const asked = textOf(search.operation)
  return (
    <Stack gap="sm">
      <div>
        <SearchInput label={people.why.search} value={q} onChange={setQ} />
      </div>
      {asked !== '' && <Why id={id} operation={asked} />}
      <QueryState query={query}>
        {(data) => (
          <>
            <Text size="xs" c="dimmed">
              {people.why.count(data.operations.length)}
            </Text>
            <DataTable
              label={people.why.title}
              columns={columns}
              rows={lines}
              keyOf={({ operation }) => operation}
              nameOf={(line) => nameOf(texts, line)}
              onOpen={({ operation }) => setSearch({ operation }, { replace: true })}
              current={asked}
              height="360px"
              empty={<Empty title={q === '' ? people.why.none : people.why.nothing} />}
            />
          </>
        )}
      </QueryState>
    </Stack>
  )
}

/** What an operation does, in the chosen language. */
const nameOf = (texts: OperationTexts, { operation, method, path, grant }: Line): string =>
  describe(texts, { method, path, remark: grant?.summary ?? '' }) || operation

/** What is granted; with a text also what is not, so that it can be asked for. */
const linesOf = (granted: readonly Grant[], texts: OperationTexts, text: string, names: NamesOf): Line[] => {
  const q = text.trim().toLowerCase()
  const fits = (line: Line): boolean =>
    `${line.operation} ${line.path} ${nameOf(texts, line)} ${names(line.grant?.roles ?? [])}`.toLowerCase().includes(q)
  const lines = granted.map((grant) => ({ ...grant, grant }))
  if (q === '') return lines
  const known = new Set(granted.map(({ operation }) => operation))
  return [...lines, ...every.filter(({ operation }) => !known.has(operation))].filter(fits)
}

/** Why this one operation is granted, or what is missing. */
const Why = ({ id, operation }: { id: number; operation: string }) => {
  const { people } = usePageTexts('people')
  const [, setSearch] = useAddress()
  const texts = useOperationTexts()
  const query = useReading('explainGrant', { path: { id }, query: { operation } })
  const names = useNames()
  return (
    <QueryState query={query}>
      {({ operations: [grant] }) =>
        grant === undefined ? null : (
          <Alert
            variant="light"
            color={grant.granted ? 'green' : 'gray'}
            p="xs"
            withCloseButton
            closeButtonLabel={people.why.close}
            onClose={() => setSearch({ operation: undefined }, { replace: true })}
          >
            <Stack gap={4}>
              <Text fw={600}>{nameOf(texts, { ...grant, grant })}</Text>
              <Code>
                {grant.method} {grant.path}
              </Code>
              <Meaning level={grant.granted ? 'safe' : 'danger'}>{reasonOf(grant, people.why, names)}</Meaning>
              {!grant.granted && grant.grantingRoles.length > 0 && (
                <Text>{people.why.wouldGrant(names(grant.grantingRoles))}</Text>
              )}
              {!grant.granted && grant.grantingRoles.length === 0 && <Text>{people.why.noneGrants}</Text>}
            </Stack>
          </Alert>
        )
      }
    </QueryState>
  )
}

const reasonOf = (grant: Grant, why: ReturnType<typeof usePageTexts>['people']['why'], names: NamesOf): string => {
  if (grant.granted) return grant.always ? why.everybodyMay : why.grantedBy(names(grant.roles))
  if (grant.missing === 'person_disabled') return why.personDisabled
  return grant.missing === 'role_disabled' ? why.roleDisabled(names(grant.disabledRoles)) : why.noRole
}
