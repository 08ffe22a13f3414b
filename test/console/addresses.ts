import { readFile } from 'node:fs/promises'
import type { Page } from 'puppeteer-core'

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
