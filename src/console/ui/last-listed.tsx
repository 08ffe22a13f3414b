import { Alert } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTexts } from '../app/language.tsx'

interface LastListed<T> {
  record: T | undefined
  /** The list has it no more. */
  isDeleted: boolean
}

/**
 * A record of a list as it was last seen there: another administrator may delete it while its form is open, and what was typed
 * would go with it, without a word.
 * @param id what the address names; undefined: none
 * @param listed the record, while the list has it
 */
export const useLastListed = <T,>(id: unknown, listed: T | undefined): LastListed<T> => {
  const [last, setLast] = useState<{ id: unknown; record: T } | null>(null)
  if (id === undefined) {
    if (last !== null) setLast(null)
    return { record: undefined, isDeleted: false }
  }
  if (listed !== undefined) {
    if (last?.id !== id || last.record !== listed) setLast({ id, record: listed })
    return { record: listed, isDeleted: false }
  }
  return last?.id === id ? { record: last.record, isDeleted: true } : { record: undefined, isDeleted: false }
}

/** Longer than the drawer of a record stays that was deleted in it, in milliseconds. */
const pause = 500

/** Says above a form that its record is gone. */
export const DeletedMeanwhile = ({ isDeleted }: { isDeleted: boolean }) => {
  const { states } = useTexts()
  const [told, setTold] = useState(false)
  useEffect(() => {
    if (!isDeleted) return setTold(false)
    const timer = setTimeout(setTold, pause, true)
    return () => clearTimeout(timer)
  }, [isDeleted])
  if (!told) return null
  return (
    <Alert color="yellow" p="xs" mb="md" role="alert">
      {states.deletedMeanwhile}
    </Alert>
  )
}
