import { useEffect } from 'react'

const focusable = ':is(a[href], button, input:not([type=hidden]), textarea, select, [tabindex="0"])'

/** Longer than a dialog or a menu that closes takes to give the focus back, in milliseconds. */
const settled = 60

const canBeFocused = (element: HTMLElement): boolean =>
  !element.matches(':disabled') && element.tabIndex >= 0 && element.checkVisibility()

/** What has the focus, and what it stood in. */
interface Place {
  element: HTMLElement
  /** The innermost first; of an element that is taken away, nothing else tells. */
  around: readonly HTMLElement[]
}

const placeOf = (element: HTMLElement): Place => {
  const around: HTMLElement[] = []
  for (let each = element.parentElement; each !== null; each = each.parentElement) around.push(each)
  return { element, around }
}

/** What is nearest: before what is there and cannot be pressed, or the first in what is left of its surroundings; or the page. */
const nearest = ({ element, around }: Place, main: HTMLElement): HTMLElement => {
  const isBefore = (each: HTMLElement): boolean =>
    !element.isConnected || (each.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  for (const part of around.filter((each) => each.isConnected && each !== main && main.contains(each))) {
    const found = [...part.querySelectorAll<HTMLElement>(focusable)].filter(
      (each) => canBeFocused(each) && isBefore(each),
    )
    const chosen = element.isConnected ? found.at(-1) : found[0]
    if (chosen !== undefined) return chosen
  }
  return main
}

/**
 * Keeps the focus on the page where the button that was pressed cannot be pressed any more or is taken away: the browser gives it
 * to nothing then, and a screen reader begins anew. A button that waits gets it back; otherwise what is nearest does. Dialogs
 * keep it by themselves.
 */
export const usePageFocus = (): void => {
  useEffect(() => {
    let last: Place | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const isLost = (): boolean => document.activeElement === document.body || document.activeElement === null
    const restore = (): void => {
      const main = document.getElementById('main')
      if (last === undefined || main === null || !isLost() || document.querySelector('[role=dialog]') !== null) return
      const { element } = last
      const isThere = element.isConnected && canBeFocused(element)
      // What is under way ends, and what it disabled can be pressed again.
      if (!isThere && element.isConnected && document.querySelector('[data-loading]') !== null) return
      const to = isThere ? element : nearest(last, main)
      to.focus({ preventScroll: true })
    }
    const check = (): void => {
      if (last === undefined || !isLost()) return
      clearTimeout(timer)
      timer = setTimeout(restore, settled)
    }
    const enter = ({ target }: FocusEvent): void => {
      if (target instanceof HTMLElement && target.closest('[role=dialog], [role=menu]') === null) last = placeOf(target)
    }
    // Who clicks beside everything, or leaves the page by Tab, wants no focus in it: it moves after the event.
    const leave = (event: MouseEvent | KeyboardEvent): void => {
      if (event instanceof KeyboardEvent && event.key !== 'Tab') return
      setTimeout(() => {
        if (isLost()) last = undefined
      })
    }
    const observer = new MutationObserver(check)
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled', 'data-loading'] })
    document.addEventListener('focusin', enter)
    document.addEventListener('mousedown', leave)
    document.addEventListener('keydown', leave)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
      document.removeEventListener('focusin', enter)
      document.removeEventListener('mousedown', leave)
      document.removeEventListener('keydown', leave)
    }
  }, [])
}
