const longest = 200
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
