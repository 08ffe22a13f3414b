/** What a report says, as the service sends it. */
interface Statement {
  code: string
  params: Readonly<Record<string, unknown>>
  text: string
}

/** Texts by the codes of reasons and statements. */
export type TextTable = Readonly<Record<string, string>>

/** Says a statement; `text` is what the service says itself. */
export type Say = (stated: unknown, text: string) => string

type Params = Readonly<Record<string, string>>

/** A text with the values of its {parameters}. */
export const filled = (text: string, params: Params): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')

const isStatement = (value: unknown): value is Statement =>
  typeof value === 'object' && value !== null && 'code' in value && 'params' in value && 'text' in value

/** Says statements by a table of texts: those that it does not have, in the service's own words. */
export const sayBy = (texts: TextTable): Say => {
  const plain = (name: string, value: string): string => (name === 'platform' ? (texts[value] ?? value) : value)
  const say: Say = (stated, text) => {
    const own = isStatement(stated) ? texts[stated.code] : undefined
    if (own === undefined || !isStatement(stated)) return text
    return filled(
      own,
      Object.fromEntries(
        Object.entries(stated.params).map(([name, value]) => [
          name,
          isStatement(value) ? say(value, value.text) : plain(name, String(value)),
        ]),
      ),
    )
  }
  return say
}

const placeOf = /^(.+)\.\d+$/

/** Whether some of these values can be translated. */
export const areStated = (params: Params): boolean => Object.keys(params).some((name) => placeOf.test(name))

/** The values of a failure or an alert: those that are statements are there a second time as JSON, under `reason.0` and so on. */
export const paramsSaid = (params: Params, say: Say): Params => {
  const values: Record<string, string> = { ...params }
  const said = new Map<string, string[]>()
  for (const [key, json] of Object.entries(params)) {
    const name = placeOf.exec(key)?.[1]
    if (name === undefined) continue
    const stated: unknown = JSON.parse(json)
    said.set(name, [...(said.get(name) ?? []), say(stated, isStatement(stated) ? stated.text : '')])
  }
  for (const [name, texts] of said) values[name] = texts.join('；')
  return values
}
