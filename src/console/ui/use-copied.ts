import { useEffect, useRef, useState } from 'react'

/** How long it is shown that something was copied, in milliseconds. */
const shown = 2000

/**
 * Puts a text into the clipboard, within a press of a button. Without https a browser gives pages no clipboard, and still
 * lets them say what a copy by command takes.
 * @returns whether it was copied
 */
const copyText = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByCommand(text)
  }
}

const copyByCommand = (text: string): boolean => {
  const put = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text)
    // Instead of what is selected; nor does a form that is open learn of it.
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  document.addEventListener('copy', put, true)
  try {
    return document.execCommand('copy')
  } finally {
    document.removeEventListener('copy', put, true)
  }
}

/** What copies a text, and whether it was copied a moment ago. @param onEnd told after each attempt whether it was copied */
export const useCopied = (text: string, onEnd: (done: boolean) => void): [copied: boolean, copy: () => void] => {
  const [copied, setCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const copy = async (): Promise<void> => {
    const done = await copyText(text)
    clearTimeout(timer.current)
    setCopied(done)
    if (done) timer.current = setTimeout(setCopied, shown, false)
    onEnd(done)
  }
  return [copied, () => void copy()]
}
