const focusable = ':is(a[href], button, input:not([type=hidden]), textarea, select, [tabindex="0"])'

export const canBeFocused = (element: HTMLElement): boolean =>
  !element.matches(':disabled') && element.tabIndex >= 0 && element.checkVisibility()

/** What has the focus, and what it stood in. */
export interface Place {
  element: HTMLElement
  /** The innermost first; of an element that is taken away, nothing else tells. */
  around: readonly HTMLElement[]
}

export const placeOf = (element: HTMLElement): Place => {
  const around: HTMLElement[] = []
  for (let each = element.parentElement; each !== null; each = each.parentElement) around.push(each)
  return { element, around }
}

/** What is nearest: before what is there and cannot be pressed, or the first in what is left of its surroundings; or the page. */
export const nearest = ({ element, around }: Place, main: HTMLElement): HTMLElement => {
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
