import type { Page } from 'puppeteer-core'

/** Pixels around an element that its ring may take. */
const margin = 4

/** Compares two pictures of an element: at which of its sides less than half of every line differs. */
const compare = (pictures: readonly string[], box: object): string => `(async () => {
  const [one, other] = await Promise.all(${JSON.stringify(pictures)}.map(async (data) => {
    const image = new Image()
    image.src = 'data:image/png;base64,' + data
    await image.decode()
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
    context.drawImage(image, 0, 0)
    return context.getImageData(0, 0, image.width, image.height)
  }))
  const { width, height } = one
  const differs = (x, y) =>
    [0, 1, 2].reduce((sum, at) => sum + Math.abs(one.data[(y * width + x) * 4 + at] - other.data[(y * width + x) * 4 + at]), 0) > 60
  const most = (from, to, length, at) => {
    let best = 0
    for (let line = Math.max(0, from); line < to; line++) {
      let count = 0
      for (let along = 0; along < length; along++) if (at(along, line)) count++
      best = Math.max(best, count / length)
    }
    return best
  }
  const { left, top, right, bottom } = ${JSON.stringify(box)}
  const near = ${margin}
  const rows = (line) => most(line - near, Math.min(height, line + near), width, (x, y) => differs(x, y))
  const columns = (line) => most(line - near, Math.min(width, line + near), height, (y, x) => differs(x, y))
  const seen = { top: rows(top), bottom: rows(bottom), left: columns(left), right: columns(right) }
  return Object.keys(seen).filter((side) => seen[side] < 0.5)
})()`

/** The sides of what has the focus at which nothing that can be seen tells that it has. */
export const sidesWithoutRing = async (page: Page): Promise<string[]> => {
  const box = await page.evaluate(() => {
    const { left, top, right, bottom } = document.activeElement?.getBoundingClientRect() ?? new DOMRect()
    return { left: Math.floor(left), top: Math.floor(top), right: Math.ceil(right), bottom: Math.ceil(bottom) }
  })
  const x = Math.max(0, box.left - margin)
  const y = Math.max(0, box.top - margin)
  const clip = { x, y, width: box.right + margin - x, height: box.bottom + margin - y }
  const picture = (): Promise<string> => page.screenshot({ clip, encoding: 'base64', captureBeyondViewport: false })
  const withFocus = await picture()
  const element = await page.evaluateHandle(() => document.activeElement)
  await page.evaluate((each) => (each as HTMLElement).blur(), element)
  const without = await picture()
  await page.evaluate((each) => (each as HTMLElement).focus({ preventScroll: true }), element)
  const within = { left: box.left - x, top: box.top - y, right: box.right - x, bottom: box.bottom - y }
  return (await page.evaluate(compare([withFocus, without], within))) as string[]
}
