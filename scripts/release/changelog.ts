/** What `npm run release` reads from the changelog and writes into it (https://keepachangelog.com). */

const unreleased = /^## \[Unreleased\]$/m
const released = /^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)$/gm

/** The text of the section Unreleased. @throws Error where it is missing or empty */
const news = (changelog: string): string => {
  const start = unreleased.exec(changelog)
  if (start === null) throw new Error('CHANGELOG.md has no section "## [Unreleased]"')
  const [text = ''] = changelog.slice(start.index + start[0].length).split(/^## /m)
  if (!/^- /m.test(text)) throw new Error('CHANGELOG.md: there is nothing under Unreleased to be released')
  return text
}

/** Released versions with their dates, the newest first. */
export const releases = (changelog: string): { version: string; date: string }[] =>
  [...changelog.matchAll(released)].map(([, version = '', date = '']) => ({ version, date }))

/** The headings that Keep a Changelog has. */
const kinds = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'] as const
type Kind = (typeof kinds)[number]

/** The entries under each heading. @throws Error for a heading that is not a kind of change, or entries without one */
const byKind = (text: string): ReadonlyMap<Kind, string> => {
  const [before = '', ...sections] = text.split(/^### /m)
  if (before.trim() !== '') throw new Error('CHANGELOG.md: every entry needs a heading such as "### Added"')
  const found = new Map<Kind, string>()
  for (const section of sections) {
    const [title = '', ...entries] = section.split('\n')
    const kind = kinds.find((each) => each === title.trim())
    if (kind === undefined) throw new Error(`CHANGELOG.md: "### ${title}" is not one of ${kinds.join(', ')}`)
    found.set(kind, `${found.get(kind) ?? ''}${entries.join('\n')}`)
  }
  return found
}

/** What is removed, or changed with `- **Breaking:** …`, needs a new major version; what is only mended, a patch. */
const stepOf = (text: string): 'major' | 'minor' | 'patch' => {
  const entries = byKind(text)
  const has = (kind: Kind): boolean => /^- /m.test(entries.get(kind) ?? '')
  if (has('Removed') || /^- \*\*Breaking:?\*\*/im.test(entries.get('Changed') ?? '')) return 'major'
  return has('Added') || has('Changed') || has('Deprecated') ? 'minor' : 'patch'
}

/**
 * The version of the next release by Semantic Versioning. Before 1.0.0 a breaking change is a new minor version, because
 * anything may change then (semver.org, 4); 1.0.0 itself is a decision, and given as an argument.
 * @param current the version of package.json: while nothing is released, it is the first one
 */
export const nextVersion = (current: string, changelog: string): string => {
  const step = stepOf(news(changelog))
  const [last] = releases(changelog)
  if (last === undefined) return current
  const [major = 0, minor = 0, patch = 0] = last.version.split('.').map(Number)
  if (step === 'patch') return `${major}.${minor}.${patch + 1}`
  if (step === 'minor' || major === 0) return `${major}.${minor + 1}.0`
  return `${major + 1}.0.0`
}

/** Puts what is unreleased under the heading of a version, and leaves an empty section for what comes after. */
export const withRelease = (changelog: string, version: string, date: string): string => {
  news(changelog)
  if (releases(changelog).some((each) => each.version === version))
    throw new Error(`CHANGELOG.md has a release ${version} already`)
  return changelog.replace(unreleased, `## [Unreleased]\n\n## [${version}] - ${date}`)
}

/** Whether a version is later than another. */
export const isLater = (version: string, than: string): boolean => {
  const [a, b] = [version, than].map((text) => text.split('.').map(Number))
  const at = [0, 1, 2].find((place) => a?.[place] !== b?.[place])
  return at !== undefined && (a?.[at] ?? 0) > (b?.[at] ?? 0)
}
