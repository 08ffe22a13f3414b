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

const settingsBlock = /^# Settings of Steward\n/
const fileBlock = /^(?:#|\/\/|;|<\?php \/\/|--) (\/\S+)\n/
const accountLine = /^post v1\/operations\/service-accounts '(\{[\s\S]*?\})'$/m

export const readPage = (name: string): Page => {
  const path = `docs/applications/${name}.md`
  const settings: Record<string, string> = {}
  const steps: Step[] = []
  let account: Page['account'] | null = null
  let before: Step | null = null
  for (const { language, text } of blocksOf(readFileSync(path, 'utf8'))) {
    const [, file] = fileBlock.exec(text) ?? []
    const [, body] = accountLine.exec(text) ?? []
    let step: Step | null = null
    if (settingsBlock.test(text)) {
      for (const [, key = '', value = ''] of text.matchAll(/^(\w+)=(.*)$/gm)) settings[key] = value
    } else if (body !== undefined) account = JSON.parse(body)
    else if (language === 'text') {
      if (before?.kind !== 'commands') throw new Error(`${path}: an output follows no commands: ${text}`)
      before.output = text
    } else if (file !== undefined) step = { kind: 'file', path: file, text: text.replace(fileBlock, '') }
    else if (language === 'sh') step = { kind: 'commands', text, output: null }
    else throw new Error(`${path}: a block that is neither a file nor commands: ${text}`)
    if (step !== null) steps.push(step)
    before = step
  }
  if (account === null) throw new Error(`${path} does not create a service account`)
  return { settings, account, steps }
}
