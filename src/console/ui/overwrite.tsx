import { Table, Text } from '@mantine/core'
import { useCallback } from 'react'
import { notSent, retryWhileStale } from '../app/changed-meanwhile.ts'
import { usePageTexts } from '../app/page-texts.ts'
import { useConfirm } from './confirm.tsx'

/** A record by the names of the fields of its form. */
interface Kept {
  version: string
}

interface SaveOver<Sent extends object, Record extends Kept> {
  /** When the form was opened. */
  before: Record
  /** As the service has it now; undefined: it was deleted. */
  read(): Promise<Record | undefined>
  /** What the form sends. */
  body: Sent
  /** Those that may differ, with their labels. */
  fields: readonly (readonly [name: keyof Record & string, label: string])[]
  /** What a value is called, where its text does not say it; undefined: its text does. */
  wordOf?(name: keyof Record & string, value: unknown): string | undefined
  /** With the version, so that the service refuses to write over what was not read. */
  save(body: Sent & Kept): Promise<unknown>
}

/** One's own value where it was changed here, else theirs. */
const withTheirs = <Sent extends object>(body: Sent, before: object, now: object): Sent => {
  const was = new Map(Object.entries(before))
  const mine = new Map(Object.entries(body))
  const theirs = Object.entries(now).filter(([name]) => mine.has(name) && mine.get(name) === was.get(name))
  return { ...body, ...Object.fromEntries(theirs) }
}

/**
 * For a save whose values are not the texts that are compared: those that are still to be saved, and not what was typed and
 * taken back where another administrator has changed it.
 * @param texts of the values
 * @param saved as `save` was given them
 */
export const stillOwn = <Sent extends object>(values: Sent, texts: object, saved: object): Sent => {
  const mine = new Map(Object.entries(texts))
  const now = new Map(Object.entries(saved))
  const own = Object.entries(values).filter(([name]) => mine.get(name) === now.get(name))
  // Only fields that need not be there are left out.
  return Object.fromEntries(own) as Sent
}

/**
 * Saves a form over the record as it is now. Before a save that would undo what another administrator did since the form was
 * opened, it shows what is there now beside what would be saved, for the fields that both changed, and asks. Nothing is
 * written over unseen, not even what is changed while this is asked.
 * @throws Failure (console.changed_meanwhile) when it is not to be saved: the form stays as it is
 */
export const useSaveOver = () => {
  const { permissions } = usePageTexts('permissions')
  const confirm = useConfirm()
  const { conflict } = permissions
  return useCallback(
    <Sent extends object, Record extends Kept>({ before, read, body, fields, wordOf, save }: SaveOver<Sent, Record>) =>
      retryWhileStale(async () => {
        const now = (await read()) ?? before
        const mine = { ...now, ...body }
        const changed = fields.filter(
          ([name]) => before[name] !== now[name] && before[name] !== mine[name] && now[name] !== mine[name],
        )
        const shown = (name: keyof Record & string, value: unknown): string =>
          wordOf?.(name, value) ?? (String(value ?? '') || conflict.empty)
        const go =
          changed.length === 0 ||
          (await confirm({
            title: conflict.title,
            consequence: (
              <>
                <Text mb="sm">{conflict.help}</Text>
                <Table layout="fixed" style={{ overflowWrap: 'anywhere' }}>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>{conflict.field}</Table.Th>
                      <Table.Th>{conflict.now}</Table.Th>
                      <Table.Th>{conflict.yours}</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {changed.map(([name, label]) => (
                      <Table.Tr key={name}>
                        <Table.Th scope="row">{label}</Table.Th>
                        <Table.Td>{shown(name, now[name])}</Table.Td>
                        <Table.Td>{shown(name, mine[name])}</Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </>
            ),
            action: conflict.saveMine,
          }))
        if (!go) throw notSent()
        await save({ ...withTheirs(body, before, now), version: now.version })
      }),
    [confirm, conflict],
  )
}
