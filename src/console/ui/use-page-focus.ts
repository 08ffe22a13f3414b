import { useEffect } from 'react'
import { canBeFocused, nearest, type Place, placeOf } from './focus-place.ts'

/** Longer than a dialog or a menu that closes takes to give the focus back, in milliseconds. */
const settled = 60

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
      const { element, around } = last
      const isThere = element.isConnected && canBeFocused(element)
      // What is under way ends, and what it disabled can be pressed again.
      if (!isThere && element.isConnected && document.querySelector('[data-loading]') !== null) return
      // What comes in its place is still on its way, as after the button that tries it again.
      if (around.find((each) => each.isConnected)?.querySelector('.mantine-Loader-root')) return
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
