import { fileURLToPath } from 'node:url'
import { shellWord } from '../text/shell-word.ts'

let bySteward = false

/** Call it once at the start of the command `steward`, before the code of a command is loaded. */
export const calledBySteward = (): void => {
  bySteward = true
}

/** How a command is called, for usage texts and advice: `steward restore` or, in a checkout, `npm run restore --`. */
export const commandLine = (name: string): string => {
  if (bySteward) return `steward ${name}`
  return name === 'serve' ? 'npm start' : `npm run ${name} --`
}

/** The command `steward` as it can be called from any folder. */
export const stewardCommand = (): string =>
  bySteward ? 'steward' : `node ${shellWord(fileURLToPath(new URL('../commands/steward.js', import.meta.url)))}`
