/** A piece of a page in which all text has been escaped. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = Markup | string | number | null | readonly Part[]

/**
 * A piece of a page, HTML or SVG: template values are escaped unless they are markup, so that no name can become a tag
 * or end an attribute (attributes are quoted).
 */
export const html = (pieces: TemplateStringsArray, ...parts: Part[]): Markup =>
  new Markup(pieces.reduce((text, piece, index) => `${text}${written(parts[index - 1] ?? null)}${piece}`))

const written = (part: Part): string => {
  if (part === null) return ''
  if (part instanceof Markup) return part.text
  return Array.isArray(part) ? part.map(written).join('') : escaped(String(part))
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Characters that HTML forbids, and those that change the direction of text, become the replacement character. */
const escaped = (text: string): string =>
  text
    .replace(/[&<>"']/g, (character) => entities[character] ?? '')
    .replace(/[^\P{Control}\n\t]|[\p{Surrogate}\p{Bidi_Control}]/gu, '\u{fffd}')

/** A name chosen by a user: its effect on the direction of text ends with it. */
export const named = (name: string): Markup => html`<bdi>${name}</bdi>`
