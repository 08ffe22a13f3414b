import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** How many days have passed in the demo, kept with its data: the companies go on where they were. */
export const openDays = (folder: string) => {
  const file = join(folder, 'days')
  let days = read(file)
  return {
    get passed() {
      return days
    },
    pass(): void {
      days += 1
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writeFileSync(file, `${days}\n`)
    },
  }
}

const read = (file: string): number => {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10) || 0
  } catch {
    return 0
  }
}
