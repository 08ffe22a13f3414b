import type { Source, SourceRecord } from '../sources/source.ts'
import type { RunKind } from './run-request.ts'

/** A few records of a source. */
export interface Sample {
  sourceId: string
  record: SourceRecord
}

/**
 * The first records that a source returns, without reading further.
 * @throws SourceError when it could not be read
 */
export const readSamples = async (
  source: Source,
  kind: RunKind,
  count: number,
  signal: AbortSignal,
): Promise<Sample[]> => {
  const samples: Sample[] = []
  const read = kind === 'users' ? source.users : source.departments
  for await (const batch of read({ signal, gap: () => undefined })) {
    for (const { id, record } of batch) samples.push({ sourceId: id, record })
    if (samples.length >= count) break
  }
  return samples.slice(0, count)
}
