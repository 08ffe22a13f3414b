import { Table, Text } from '@mantine/core'
import { useCallback } from 'react'
import { Failure } from '../app/api.ts'
import { usePageTexts } from '../app/page-texts.ts'
import { useConfirm } from './confirm.tsx'

/** A field that is about to be saved. */
export interface SavedField {
  label: string
  /** When the form was opened. */
  before: string
  /** As the service has it now. */
  now: string
  mine: string
}

/**
 * What is saved over a record that another administrator changed since the form was opened: one's own value where it was
 * changed here, else theirs.
 */
export const withTheirs = <Sent extends object, Kept extends object>(body: Sent, before: Kept, now: Kept): Sent => {
  const was = new Map(Object.entries(before))
  const mine = new Map(Object.entries(body))
  const theirs = Object.entries(now).filter(([name]) => mine.has(name) && mine.get(name) === was.get(name))
  return { ...body, ...Object.fromEntries(theirs) }
}

/**
 * Asks before a save that would undo what another administrator did since the form was opened: shows what is there now beside
 * what would be saved, for the fields that both changed.
 * @throws Failure (console.changed_meanwhile) when it is not to be saved: the form stays as it is
 */
export const useOverwrite = () => {
  const { permissions } = usePageTexts('permissions')
  const confirm = useConfirm()
  const { conflict } = permissions
  return useCallback(
    async (fields: readonly SavedField[]): Promise<void> => {
      const changed = fields.filter(({ before, now, mine }) => before !== now && before !== mine && now !== mine)
      if (changed.length === 0) return
      const go = await confirm({
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
                {changed.map(({ label, now, mine }) => (
                  <Table.Tr key={label}>
                    <Table.Th scope="row">{label}</Table.Th>
                    <Table.Td>{now || conflict.empty}</Table.Td>
                    <Table.Td>{mine || conflict.empty}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </>
        ),
        action: conflict.saveMine,
      })
      if (!go) throw new Failure('changed meanwhile', { code: 409, reason: 'console.changed_meanwhile' })
    },
    [confirm, conflict],
  )
}
