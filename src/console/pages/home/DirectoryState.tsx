import { Text } from '@mantine/core'
import type { Data } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { Meaning } from '../../ui/Meaning.tsx'
import { Time } from '../../ui/Time.tsx'

/** Whether the directory is equal to the records, and what is missing if not. */
export const DirectoryState = ({ directory }: { directory: Omit<Data<'getOverview'>['directory'], 'inStep'> }) => {
  const texts = usePageTexts('home')
  const { directoryStates } = texts.home
  const { kind, waiting, refused, oldestWaitingAt } = directory
  if (kind === 'none') return <Meaning level="risk">{directoryStates.none}</Meaning>
  if (waiting + refused === 0) return <Meaning level="safe">{directoryStates.inStep}</Meaning>
  return (
    <>
      {refused > 0 && <Meaning level="danger">{directoryStates.refused(refused)}</Meaning>}
      {waiting > 0 && <Meaning level="risk">{directoryStates.waiting(waiting)}</Meaning>}
      {oldestWaitingAt !== null && (
        <Text c="dimmed">
          {directoryStates.since} <Time value={oldestWaitingAt} />
        </Text>
      )}
    </>
  )
}
