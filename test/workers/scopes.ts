import type { Test } from 'tap'

interface Scope {
  url: string
  test: Test
}

let current: Scope | undefined

/** What a test file imports as `tap` from now on. */
export const enter = (url: string, test: Test): void => {
  current = { url, test }
}

/** The test that stands for a whole test file. @param url the file's */
export const scopeOf = (url: string): Test => {
  if (current?.url !== url) throw new Error(`${url} is not the test file that runs now`)
  return current.test
}

/** The path of the test file that runs now, in a worker or in a process of its own. */
export const currentFile = (): string => (current ? new URL(current.url).pathname : (process.argv[1] ?? ''))
