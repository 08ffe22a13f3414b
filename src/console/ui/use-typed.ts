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
    const timer = setTimeout(() => setSearch({ [name]: wanted }, { replace: true }), 250)
    return () => clearTimeout(timer)
  }, [typed, address, name, setSearch])
  return [typed, setTyped, address]
}
