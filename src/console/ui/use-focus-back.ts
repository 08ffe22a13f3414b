import { type RefObject, useLayoutEffect } from 'react'
import { nearest, type Place, placeOf } from './focus-place.ts'

interface Opened {
  /** The dialog. */
  root: RefObject<HTMLElement | null>
  /** What it was opened from, then what the dialog around that was opened from, and so on. */
  from: readonly Place[]
}

let all: readonly Opened[] = []

const placesFrom = (element: Element | null): readonly Place[] => {
  if (!(element instanceof HTMLElement) || element === document.body) return []
  const around = all.find(({ root }) => root.current?.contains(element))
  return [placeOf(element), ...(around?.from ?? [])]
}

/** The first that is still there; or, on the page, what is nearest to where it was. */
const target = (from: readonly Place[]): HTMLElement | null => {
  const there = from.find(({ element }) => element.isConnected)
  if (there !== undefined) return there.element
  const main = document.getElementById('main')
  const onPage = from.at(-1)
  return main !== null && onPage !== undefined ? nearest(onPage, main) : main
}

/**
 * Gives the focus back when a dialog is closed or taken away with its record, to what it was opened from. Where that is gone,
 * as the form under a question whether to leave it, the keyboard goes on where that was opened, and not before the page's first
 * link: from there the way back to a row is as long as the list.
 */
export const useFocusBack = (opened: boolean, root: RefObject<HTMLElement | null>, isOneOpen: () => boolean): void => {
  useLayoutEffect(() => {
    if (!opened) return
    const own: Opened = { root, from: placesFrom(document.activeElement) }
    all = [...all, own]
    return () =>
      void setTimeout(() => {
        all = all.filter((each) => each !== own)
        const { activeElement } = document
        if (activeElement !== null && activeElement !== document.body) return
        const to = target(own.from)
        // What is below a dialog that is still open, or was opened instead, is not to be reached.
        if (!isOneOpen() || to?.closest('[role=dialog]')) to?.focus({ preventScroll: true })
      }, 20)
  }, [opened, root, isOneOpen])
}
