import { useEffect, useState } from 'react'
import { textOf, useAddress } from './use-search.ts'

/**
 * A text of the address that is typed: the input follows every key, the address when typing pauses.
 * @returns the text in the input, what sets it, and the text in the address
 */
export const useTyped = (name: string): [string, (text: string) => void, string] => {
  const [search, setSearch] = useAddress()
  const address = textOf(search[name])
  const [typed, setTyped] = useState(address)
  const [seen, setSeen] = useState(address)
  // Back, forward, or a link changed it.
  if (seen !== address) {
    setSeen(address)
    if (address !== typed.trim()) setTyped(address)
  }
  useEffect(() => {
    const wanted = typed.trim()
    if (wanted === address) return
    const search = (): void => setSearch({ [name]: wanted }, { replace: true })
    const timer = setTimeout(search, 250)
    // Leaving the field ends the wait: a user who goes on to the rows expects those of what was typed.
    const leave = ({ relatedTarget }: FocusEvent): void => {
      if (relatedTarget !== null) search()
    }
    document.addEventListener('focusout', leave)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('focusout', leave)
    }
  }, [typed, address, name, setSearch])
  return [typed, setTyped, address]
}
