const longest = 200
/** Tokens that answers under way may still quote. */
const recentTokens = 4

/** Makes words of a platform fit for messages: without the secrets that they may quote, on one line, not endless. */
export const createSecrecy = (secrets: readonly string[]) => {
  const fixed = secrets.filter((secret) => secret !== '')
  let tokens: string[] = []
  return {
    /** A token that was just issued is a secret too. */
    keep(token: string): void {
      tokens = [token, ...tokens].slice(0, recentTokens)
    },
    clean(words: string): string {
      let clean = words
      for (const secret of [...fixed, ...tokens]) clean = clean.replaceAll(secret, '…')
      clean = clean
        .replace(/((?:token|secret)["']?\s*[=:]\s*["']?)[^\s"'&,}]+/gi, '$1…')
        .replace(/\p{Cc}+/gu, ' ')
        .trim()
      return clean.length > longest ? `${clean.slice(0, longest)}…` : clean
    },
  }
}
