import { Button, Group, ScrollArea, Stack, Text } from '@mantine/core'
import { useReasonText } from '../../app/failures.ts'
import { useTexts } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { useSyncText } from '../../app/statement.ts'
import { Copy } from '../../ui/Copy.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { ShownOnce } from '../../ui/ShownOnce.tsx'
import type { Changed, PeopleAction } from './bulk.ts'

const effects = ['sessionsEnded', 'membershipsEnded', 'membershipsAdded', 'administrators'] as const

/** What an action would do, and for whom it is refused. */
export const BulkPreview = ({
  action,
  changed: { effect, people: each },
}: {
  action: PeopleAction
  changed: Changed
}) => {
  const { people } = usePageTexts('people')
  const refused = each.filter(({ result }) => result === 'refused')
  const also = effects.filter((name) => effect[name] > 0).map((name) => people.bulk.also[name](effect[name]))
  return (
    <Stack gap="xs">
      {effect.changed > 0 ? (
        <Text>{people.bulk.consequences[action](effect.changed)}</Text>
      ) : (
        <Text>{people.bulk.nothing}</Text>
      )}
      {effect.changed > 0 && also.length > 0 && (
        <ul className="plain-list">
          {also.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {effect.unchanged > 0 && <Text c="dimmed">{people.bulk.unchanged(effect.unchanged)}</Text>}
      {refused.length > 0 && (
        <>
          <Meaning level="danger">{people.bulk.refused(refused.length)}</Meaning>
          <PersonResults results={refused} />
        </>
      )}
    </Stack>
  )
}

const levels = { changed: 'safe', unchanged: 'none', refused: 'danger' } as const

/** More would be slow to draw, and are not read one by one. */
const shownResults = 200

const PersonResults = ({ results }: { results: Changed['people'] }) => {
  const { people } = usePageTexts('people')
  const reasonText = useReasonText()
  const syncText = useSyncText()
  return (
    <ScrollArea.Autosize mah={220} type="auto" viewportProps={{ tabIndex: 0, 'aria-label': people.bulk.results }}>
      <ul className="results">
        {results.slice(0, shownResults).map(({ id, name, result, reason, params, message, stated, password }) => (
          <li key={id}>
            <Meaning level={levels[result]}>
              <Text span fw={500}>
                {name || `#${id}`}
              </Text>{' '}
              <Text span c="dimmed">
                {reason === null
                  ? (password ??
                    syncText({ reason: message, stated }) ??
                    people.bulk[result === 'changed' ? 'done' : 'same'])
                  : reasonText(reason, params, message)}
              </Text>
            </Meaning>
          </li>
        ))}
      </ul>
      {results.length > shownResults && <Text c="dimmed">{people.bulk.andMore(results.length - shownResults)}</Text>}
    </ScrollArea.Autosize>
  )
}

/** Passwords that are shown only once: as a table that can be pasted. */
export const passwordsIn = ({ people }: Changed): string[] =>
  people.flatMap(({ username, password }) => (password ? `${username}\t${password}` : []))

/** What an action did, person by person. */
export const BulkReport = ({ changed, onClose }: { changed: Changed; onClose(): void }) => {
  const { actions } = useTexts()
  const { people } = usePageTexts('people')
  const { effect } = changed
  const order = ['refused', 'changed', 'unchanged']
  const passwords = passwordsIn(changed)
  const sorted = [...changed.people].sort((a, b) => order.indexOf(a.result) - order.indexOf(b.result))
  const summary = (
    <Meaning level={effect.refused > 0 ? 'risk' : 'safe'}>{people.bulk.report(effect.changed, effect.refused)}</Meaning>
  )
  if (passwords.length > 0) {
    return (
      <ShownOnce why={people.reset.once} action={people.reset.noted} onKept={onClose}>
        <Group justify="space-between" wrap="nowrap">
          {summary}
          <Copy text={passwords.join('\n')} />
        </Group>
        <PersonResults results={sorted} />
      </ShownOnce>
    )
  }
  return (
    <Stack gap="sm" role="status">
      {summary}
      <PersonResults results={sorted} />
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          {actions.close}
        </Button>
      </Group>
    </Stack>
  )
}
