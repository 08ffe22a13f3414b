const focusable = ':is(a[href], button, input:not([type=hidden]), textarea, select, [tabindex="0"])'

export const canBeFocused = (element: HTMLElement): boolean =>
  !element.matches(':disabled') && element.tabIndex >= 0 && element.checkVisibility()

/** What has the focus, and what it stood in. */
export interface Place {
  element: HTMLElement
  /** The innermost first. */
  around: readonly HTMLElement[]
  /** What can be focused before it. Of an element that is taken away, nothing else tells. */
  before: readonly HTMLElement[]
}

export const placeOf = (element: HTMLElement): Place => {
  const around: HTMLElement[] = []
  for (let each = element.parentElement; each !== null; each = each.parentElement) around.push(each)
  const all = [...document.querySelectorAll<HTMLElement>(focusable)]
  return { element, around, before: all.slice(0, Math.max(0, all.indexOf(element))) }
}

const isInOrder = (first: HTMLElement, second: HTMLElement): boolean =>
  (first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0

/** What is nearest: before what is there and cannot be pressed, or what came in the place of what is gone; or the page. */
export const nearest = ({ element, around, before }: Place, main: HTMLElement): HTMLElement => {
  const previous = before.findLast((each) => each.isConnected)
  for (const part of around.filter((each) => each.isConnected && each !== main && main.contains(each))) {
    const found = [...part.querySelectorAll<HTMLElement>(focusable)].filter(canBeFocused)
    const chosen = element.isConnected
      ? found.findLast((each) => isInOrder(each, element))
      : (found.find((each) => previous && isInOrder(previous, each)) ?? found[0])
    if (chosen !== undefined) return chosen
  }
  return main
}
