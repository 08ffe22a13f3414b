import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Data, Failure } from '../../app/api.ts'
import { reading } from '../../app/queries.ts'
import type { Attributes, Kind } from './relation.ts'

interface PreviewInput {
  source: 'exta' | 'extb' | 'extc' | 'extldap'
  kind: Kind
  attributes: Attributes
  enabled: boolean
}

/**
 * Real records of a source with what expressions make of them. While an expression cannot be used, the last result stays.
 */
export const usePreview = ({ source, kind, attributes, enabled }: PreviewInput) => {
  const query = useQuery({
    ...reading('previewMapping', { path: { source }, body: { kind, attributes } }),
    enabled,
    // Each question reads from the platform.
    staleTime: 60_000,
    retry: false,
    refetchOnWindowFocus: false,
  })
  const [last, setLast] = useState<Data<'previewMapping'>>()
  if (query.data !== undefined && query.data !== last) setLast(query.data)
  const fields = query.error instanceof Failure ? query.error.fields : []
  return { query, records: query.data ?? last, problems: fields }
}
