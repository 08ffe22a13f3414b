import { beginning } from '../../text/beginning.ts'

const longest = 200
/** Characters of a longer text that are looked at: searching megabytes would hold up everything else. */
const read = 10_000
/** Recent tokens, which pending responses may still quote. */
const recentTokens = 4

/** Prepares a platform's text for messages: without secrets, on one line, of limited length. */
export const createSecrecy = (secrets: readonly string[]) => {
  const fixed = secrets.filter((secret) => secret !== '')
  let tokens: string[] = []
  return {
    /** A token that was just issued is a secret too. */
    keep(token: string): void {
      tokens = [token, ...tokens].slice(0, recentTokens)
    },
    clean(words: string): string {
      const secrets = [...fixed, ...tokens]
      const longestSecret = Math.max(0, ...secrets.map(({ length }) => length))
      let clean = words.slice(0, read + longestSecret)
      for (const secret of secrets) clean = clean.replaceAll(secret, '…')
      // The end may be the beginning of a secret.
      if (words.length > read + longestSecret) clean = clean.slice(0, Math.max(0, clean.length - longestSecret))
      clean = clean
        .replace(/((?:token|secret)["']?\s*[=:]\s*["']?)[^\s"'&,}]+/gi, '$1…')
        .replace(/\p{Cc}+/gu, ' ')
        .trim()
      return clean.length > longest ? `${beginning(clean, longest)}…` : clean
    },
  }
}
