import type { Page } from 'puppeteer-core'

/** The placeholders that are hard to read, which axe does not look at: their contrast is below 4.5 (WCAG 1.4.3). */
export const faintPlaceholders = (page: Page): Promise<string[]> => page.evaluate(findFaint)

const findFaint = (): string[] => {
  const partsOf = (colour: string): number[] => (colour.match(/[\d.]+/g) ?? []).map(Number)
  const luminanceOf = (colour: string): number => {
    const [red = 0, green = 0, blue = 0] = partsOf(colour).map((part) =>
      part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const groundOf = (element: Element | null): string => {
    if (element === null) return 'rgb(255, 255, 255)'
    const { backgroundColor } = getComputedStyle(element)
    return partsOf(backgroundColor)[3] === 0 ? groundOf(element.parentElement) : backgroundColor
  }
  return [...document.querySelectorAll(':placeholder-shown:enabled')]
    .filter((element) => element.checkVisibility())
    .flatMap((element) => {
      const [text, ground] = [getComputedStyle(element, '::placeholder').color, groundOf(element)]
      const [dark = 0, light = 0] = [luminanceOf(text), luminanceOf(ground)].sort((a, b) => a - b)
      const contrast = (light + 0.05) / (dark + 0.05)
      return contrast < 4.5
        ? [`${element.getAttribute('placeholder')}: ${text} on ${ground}, ${contrast.toFixed(2)}`]
        : []
    })
}
