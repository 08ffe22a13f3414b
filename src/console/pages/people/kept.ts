import { useState } from 'react'

/**
 * Something small that this browser keeps from one visit to the next.
 * @param read what was kept, if it is still understood
 */
export const useKept = <T>(key: string, read: (kept: unknown) => T): [T, (value: T) => void] => {
  const name = `steward.${key}`
  const [value, setValue] = useState<T>(() => {
    try {
      return read(JSON.parse(localStorage.getItem(name) ?? 'null'))
    } catch {
      return read(null)
    }
  })
  const keep = (next: T): void => {
    setValue(next)
    try {
      localStorage.setItem(name, JSON.stringify(next))
    } catch {
      // A browser that keeps nothing shows it until the page is left.
    }
  }
  return [value, keep]
}
