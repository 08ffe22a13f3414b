import type { Data } from '../app/api.ts'
import { usePageTexts } from '../app/page-texts.ts'
import { type Level, Meaning } from './Meaning.tsx'

type Entry = Data<'listLogEntries'>['entries'][number]

/** A refusal is the service at work; a failure is not. */
const levels: Readonly<Record<Entry['result'], Level>> = { success: 'safe', refused: 'risk', failed: 'danger' }

/** How a request of the operation log ended; a preview that succeeded has done nothing. */
export const LogResult = ({ entry: { result, status, preview } }: { entry: Entry }) => {
  const { log } = usePageTexts('log')
  if (preview && result === 'success') return <Meaning level="none">{log.preview}</Meaning>
  return (
    <Meaning level={levels[result]}>
      {log.results[result]}
      {result !== 'success' && ` ${status}`}
    </Meaning>
  )
}
