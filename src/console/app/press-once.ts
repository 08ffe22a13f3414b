/**
 * Lets a held Enter press once. A key repeats while it is held, and would press again whatever has the focus when the first press
 * is done: send a form twice, or answer the question that it led to. In a text of several lines it goes on.
 */
export const pressOnce = (): void => {
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Enter' || !event.repeat || event.target instanceof HTMLTextAreaElement) return
      event.preventDefault()
      event.stopImmediatePropagation()
    },
    { capture: true },
  )
}
