import { usePageTexts } from '../../app/page-texts.ts'
import { useSyncText } from '../../app/statement.ts'
import { type Level, Meaning } from '../../ui/Meaning.tsx'
import type { Department } from './use-branches.ts'

type EntrySync = Department['sync']['state']

const levels: Readonly<Record<EntrySync, Level>> = { synced: 'safe', waiting: 'none', refused: 'danger' }

/** Whether the directory holds the record. */
export const EntryMark = ({ sync }: { sync: Department['sync'] }) => {
  const { permissions } = usePageTexts('permissions')
  const syncText = useSyncText()
  return (
    <span title={syncText(sync)}>
      <Meaning level={levels[sync.state]}>{permissions.groups.states[sync.state]}</Meaning>
    </span>
  )
}
