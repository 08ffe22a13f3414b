import { isolated } from './isolated.ts'

/** What a report says, as the service sends it. */
interface Statement {
  code: string
  params: Readonly<Record<string, unknown>>
  text: string
}

/** Texts by the codes of reasons and statements. */
export type TextTable = Readonly<Record<string, string>>

/** The text of a statement in the chosen language; `text`: in the words of the service. */
export type Translate = (stated: unknown, text: string) => string

type Params = Readonly<Record<string, string>>

/** The values that the service lists, with a comma between them. */
const lists = new Set(['attributes', 'classes', 'fields', 'methods', 'names', 'settings', 'types', 'values'])

/** A text with the values of its {parameters}, those that are lists as its language writes them. */
export const withParams = (text: string, params: Params): string => {
  const separator = /[\u3400-\u9fff]/.test(text) ? '、' : ', '
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = isolated(params[name] ?? '')
    return lists.has(name) ? value.replaceAll(', ', separator) : value
  })
}

const isStatement = (value: unknown): value is Statement =>
  typeof value === 'object' && value !== null && 'code' in value && 'params' in value && 'text' in value

/** Translates statements by a table of texts; those that it does not have stay in the service's own words. */
export const translatorOf = (texts: TextTable): Translate => {
  const plain = (name: string, value: string): string => (name === 'platform' ? (texts[value] ?? value) : value)
  const translate: Translate = (stated, text) => {
    const own = isStatement(stated) ? texts[stated.code] : undefined
    if (own === undefined || !isStatement(stated)) return text
    return withParams(
      own,
      Object.fromEntries(
        Object.entries(stated.params).map(([name, value]) => [
          name,
          isStatement(value) ? translate(value, value.text) : plain(name, String(value)),
        ]),
      ),
    )
  }
  return translate
}

const placeOf = /^(.+)\.\d+$/

/** Whether some of these values can be translated. */
export const hasStatements = (params: Params): boolean => Object.keys(params).some((name) => placeOf.test(name))

/** The values of a failure or an alert: those that are statements are there a second time as JSON, under `reason.0` and so on. */
export const translatedParams = (params: Params, translate: Translate): Params => {
  const values: Record<string, string> = { ...params }
  const translated = new Map<string, string[]>()
  for (const [key, json] of Object.entries(params)) {
    const name = placeOf.exec(key)?.[1]
    if (name === undefined) continue
    const stated: unknown = JSON.parse(json)
    translated.set(name, [...(translated.get(name) ?? []), translate(stated, isStatement(stated) ? stated.text : '')])
  }
  for (const [name, texts] of translated) values[name] = texts.join('；')
  return values
}
