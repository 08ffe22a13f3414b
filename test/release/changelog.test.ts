import { readFileSync } from 'node:fs'
import t from 'tap'
import { isLater, nextVersion, releases, withRelease } from '../../scripts/release/changelog.ts'

// The version of a release follows from the changelog (docs/releases.md).

const changelog = (news: string, released = '## [1.4.2] - 2026-01-31\n\n### Added\n- First.\n'): string =>
  `# Changelog\n\n## [Unreleased]\n\n${news}\n${released}`

t.test('the kinds of changes decide the next version', async (t) => {
  const zero = '## [0.4.2] - 2026-01-31\n\n### Removed\n- Old.\n'
  for (const [news, next, beforeOne] of [
    ['### Fixed\n- A fault.\n', '1.4.3', '0.4.3'],
    ['### Security\n- A hole.\n', '1.4.3', '0.4.3'],
    ['### Fixed\n- A fault.\n\n### Added\n- A page.\n', '1.5.0', '0.5.0'],
    ['### Changed\n- Less breaking news.\n', '1.5.0', '0.5.0'],
    ['### Deprecated\n- An operation.\n', '1.5.0', '0.5.0'],
    ['### Changed\n- **Breaking:** a setting has another name.\n', '2.0.0', '0.5.0'],
    ['### Added\n- A page.\n\n### Removed\n- A setting.\n', '2.0.0', '0.5.0'],
  ] as const) {
    t.equal(nextVersion('0.1.0', changelog(news)), next, news)
    t.equal(nextVersion('0.1.0', changelog(news, zero)), beforeOne, `before 1.0.0: ${news}`)
  }
  t.equal(
    nextVersion('0.1.0', changelog('### Added\n- All.\n', '')),
    '0.1.0',
    'the first release has the version there',
  )
})

t.test('a release needs something to be released, under a heading', async (t) => {
  t.throws(() => nextVersion('0.1.0', changelog('')), /nothing under Unreleased/)
  t.throws(() => nextVersion('0.1.0', '# Changelog\n'), /no section/)
  t.throws(() => nextVersion('0.1.0', changelog('### Improved\n- Something.\n')), /Improved/)
  t.throws(() => nextVersion('0.1.0', changelog('- Something.\n')), /heading/)
})

t.test('what is unreleased becomes a release once', async (t) => {
  const before = changelog('### Fixed\n- A fault.\n')
  const after = withRelease(before, '1.4.3', '2026-02-01')
  t.match(after, '## [Unreleased]\n\n## [1.4.3] - 2026-02-01\n\n### Fixed\n- A fault.\n')
  t.strictSame(releases(after), [
    { version: '1.4.3', date: '2026-02-01' },
    { version: '1.4.2', date: '2026-01-31' },
  ])
  t.throws(() => withRelease(before, '1.4.2', '2026-02-01'), /has a release 1\.4\.2 already/)
  t.throws(() => withRelease(after, '1.4.4', '2026-02-01'), /nothing under Unreleased/)
})

t.test('versions are compared by number', async (t) => {
  t.ok(isLater('1.10.0', '1.9.9'))
  t.ok(isLater('2.0.0', '1.99.99'))
  t.notOk(isLater('1.4.2', '1.4.2'))
  t.notOk(isLater('1.4.1', '1.4.2'))
})

t.test('the changelog of this project can be released', async (t) => {
  t.doesNotThrow(() => nextVersion('0.1.0', readFileSync('CHANGELOG.md', 'utf8')))
})
