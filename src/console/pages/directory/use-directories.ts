import type { Data } from '../../app/api.ts'
import { useReading } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'

export type Directory = Data<'listDirectories'>['directories'][number]

/** The number of the main directory. */
export const mainDirectory = 1

/** All directories, the main one first, and how far each is. */
export const useDirectories = () =>
  useReading('listDirectories', {}, { enabled: useMay('listDirectories'), refetchInterval: 10_000 })
