import { readFile } from 'node:fs/promises'
import type { Page } from 'puppeteer-core'
import { eventually } from '../eventually.ts'

interface Address {
  /** As the router has it: `/roles/$id`. */
  path: string
  /** Whether it can be seen without a session. */
  open: boolean
}

/** Every address of the router, so that the walk takes in a new page by itself. */
export const addresses = async (): Promise<Address[]> => {
  const router = await readFile('src/console/app/router.tsx', 'utf8')
  const found = [...router.matchAll(/\b(page|open)\(\s*'([^']+)'/g)].map(([, kind, path]) => ({
    path: String(path),
    open: kind === 'open',
  }))
  const pages = router.match(/import\('\.\.\/pages\//g) ?? []
  if (found.length === 0 || found.length !== pages.length) throw new Error('the router has a page that is not found')
  return found
}

/** Addresses that need more than their path. */
const examples: Readonly<Record<string, string>> = {
  '/backups/$id/restore': '/backups/1/restore',
  '/roles/$id': '/roles/2',
  '/runs/$id': '/runs/1',
  '/sources/$source': '/sources/exta',
  '/password': '/password#a-token-of-a-mail',
}

/** An address of this page with what its path needs. */
export const exampleOf = (path: string): string => {
  const example = examples[path] ?? path
  if (example.includes('$')) throw new Error(`the walk needs an example of ${path}`)
  return example
}

/** Until the page shows what it asked the service for. */
export const settled = (page: Page): Promise<unknown> =>
  page.waitForFunction(
    () =>
      document.querySelector('h1, [role=dialog]') !== null &&
      document.querySelector('.mantine-Loader-root, .mantine-Skeleton-root, [aria-busy=true]') === null &&
      document.getAnimations().every(({ playState }) => playState !== 'running'),
    { polling: 'raf' },
  )

/** What sticks out of the page, or of the dialog or drawer that is open on it, also after it had time to follow the window. */
export const tooWide = async (page: Page): Promise<string[]> => {
  const look = (): Promise<string[]> => page.evaluate(findTooWide)
  const fits = async (): Promise<boolean> => (await look()).length === 0
  return (await eventually(fits, 'a page that fits', 2000).catch(() => false)) ? [] : look()
}

const findTooWide = (): string[] =>
  [document.documentElement, ...document.querySelectorAll('.frame-header, [role=dialog], [role=dialog] > *')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(
      ({ tagName, className, scrollWidth, clientWidth }) => `${tagName} ${className}: ${scrollWidth} > ${clientWidth}`,
    )

/** Titles of columns that are cut, which nothing shows in full. */
export const cutHeadings = (page: Page): Promise<string[]> =>
  page.$$eval('[role=columnheader]', (headings) =>
    headings
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ textContent, scrollWidth, clientWidth }) => `${textContent}: ${scrollWidth} > ${clientWidth}`),
  )

/** Pages whose button does something at once, and opens nothing. */
export const acting: ReadonlySet<string> = new Set(['/backups', '/security'])

/** What opens something on a page: the first row of its list, if rows can be opened, and its own button. */
export const openers: readonly [what: string, selector: string][] = [
  ['first row', '#main [role=row][data-index="0"][style*=pointer]'],
  ['button', '.page-head button'],
]
