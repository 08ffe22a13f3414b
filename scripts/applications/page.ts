import { readFileSync } from 'node:fs'

/** A page of docs/applications as a machine follows it; the rules are in docs/applications/README.md. */
export interface Page {
  /** Settings of Steward. */
  settings: Readonly<Record<string, string>>
  /** The body with which the service account is created; its password takes the place of READER_PASSWORD. */
  account: Readonly<Record<string, unknown>> & { name: string }
  steps: readonly Step[]
}

export type Step =
  | { kind: 'file'; path: string; text: string }
  | { kind: 'commands'; text: string; output: string | null }

interface Block {
  language: string
  text: string
}

const blocksOf = (markdown: string): Block[] =>
  Array.from(markdown.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm), ([, language = '', text = '']) => ({ language, text }))

const settingsBlock = /^# Settings of Steward(?:, (as a source|as a directory))?\n/
const fileBlock = /^(?:#|\/\/|;|<\?php \/\/|--) (\/\S+)\n/
const accountLine = /^post v1\/operations\/service-accounts '(\{[\s\S]*?\})'$/m

const settingsIn = (text: string): Record<string, string> =>
  Object.fromEntries(Array.from(text.matchAll(/^(\w+)=(.*)$/gm), ([, key = '', value = '']) => [key, value]))

/** What a page has beside its settings: `take` takes the blocks that it knows. */
const stepsOf = (path: string, take: (text: string) => boolean): Step[] => {
  const steps: Step[] = []
  let before: Step | null = null
  for (const { language, text } of blocksOf(readFileSync(path, 'utf8'))) {
    const [, file] = fileBlock.exec(text) ?? []
    let step: Step | null = null
    if (language === 'text') {
      if (before?.kind !== 'commands') throw new Error(`${path}: an output follows no commands: ${text}`)
      before.output = text
    } else if (!take(text)) {
      if (file !== undefined) step = { kind: 'file', path: file, text: text.replace(fileBlock, '') }
      else if (language === 'sh') step = { kind: 'commands', text, output: null }
      else throw new Error(`${path}: a block that is neither a file nor commands: ${text}`)
    }
    if (step !== null) steps.push(step)
    before = step
  }
  return steps
}

const pathOf = (name: string): string => `docs/applications/${name}.md`

export const readPage = (name: string): Page => {
  const path = pathOf(name)
  const settings: Record<string, string> = {}
  const accounts: Page['account'][] = []
  const steps = stepsOf(path, (text) => {
    const [, body] = accountLine.exec(text) ?? []
    if (settingsBlock.test(text)) Object.assign(settings, settingsIn(text))
    else if (body !== undefined) accounts.push(JSON.parse(body))
    else return false
    return true
  })
  const [account] = accounts
  if (account === undefined) throw new Error(`${path} does not create a service account`)
  return { settings, account, steps }
}

/** A page of another directory: what is done there, and the settings with which Steward uses it in each direction. */
export interface ServerPage {
  steps: readonly Step[]
  asSource: Readonly<Record<string, string>>
  asDirectory: Readonly<Record<string, string>>
}

export const readServerPage = (name: string): ServerPage => {
  const path = pathOf(name)
  const settings = new Map<string | undefined, Record<string, string>>()
  const steps = stepsOf(path, (text) => {
    const [block, direction] = settingsBlock.exec(text) ?? []
    if (block !== undefined) settings.set(direction, settingsIn(text))
    return block !== undefined
  })
  const [asSource, asDirectory] = [settings.get('as a source'), settings.get('as a directory')]
  if (asSource === undefined || asDirectory === undefined)
    throw new Error(`${path} has no settings for both directions`)
  return { steps, asSource, asDirectory }
}
