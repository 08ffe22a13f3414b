import { useLayoutEffect } from 'react'

/**
 * Says to the dialog around it whether that has to stay, and no longer when it goes itself: before the next key is handled,
 * or Escape could close the dialog when its result is already on the way.
 */
export const useHeld = (held: boolean, onHeld?: (held: boolean) => void): void =>
  useLayoutEffect(() => {
    onHeld?.(held)
    return () => onHeld?.(false)
  }, [held, onHeld])
