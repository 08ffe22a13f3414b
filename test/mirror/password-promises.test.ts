import t from 'tap'
import {
  mergePassword,
  type PasswordSides,
  type PasswordTerms,
  passwordDigest,
  passwordFound,
  type SchemeProof,
} from '../../src/mirror/passwords/password-merge.ts'

// What holds of passwords whatever the ledger knows, the entry shows and the server lets be tested: all combinations are tried, in
// three comparisons one after the other.

const digest = passwordDigest(Buffer.alloc(32))
/** The value of the record, another hash of its password, one of the former password, and one that was set in the directory. */
const values = {
  record: '{ARGON2}$argon2id$record',
  renewed: '{SSHA}cmVuZXdlZHJlbmV3ZWRyZW5ld2Vk',
  former: '{SSHA}Zm9ybWVyZm9ybWVyZm9ybWVyZm9y',
  foreign: '{SSHA}Zm9yZWlnbmZvcmVpZ25mb3JlaWdu',
}
type Value = keyof typeof values
type Verdict = SchemeProof['verdict']

interface Stage {
  /** What the ledger knows: whether the entry was given a value, and which one. */
  settled: { was: 'held' | 'withheld'; value: Value } | typeof passwordFound | null
  /** What the entry holds, */
  entry: Value | null
  /** and how the server shows it; `again`: as a hash of its own. */
  shown: 'written' | 'again' | 'not'
  enabled: boolean
  changed: boolean
  verdicts: readonly Verdict[]
  /** Of the scheme of all other values. */
  others: 'proved' | 'unknown'
  ids: PasswordSides['ids']
}

/** In the scheme of the record, and in that of the others. */
const termsOf = (verdict: Verdict, seen: boolean, others: Stage['others'] = 'proved'): PasswordTerms => {
  const proofOf = (one: Verdict): SchemeProof => ({ verdict: one, shown: seen && one !== 'unknown', reason: null })
  return {
    of: (scheme) => proofOf(scheme === 'ARGON2' ? verdict : others),
    ...{ shown: seen, digest, adopts: true, adoptsClear: true },
  }
}

const stages = function* (): Generator<Stage> {
  const states: Stage['settled'][] = [null, passwordFound]
  for (const was of ['held', 'withheld'] as const)
    for (const value of ['record', 'renewed', 'former'] as const) states.push({ was, value })
  const verdicts = ['proved', 'disproved', 'unknown'] as const
  for (const settled of states)
    for (const [record, before] of [
      ['a', 'a'],
      ['a', 'b'],
      ['a', null],
      [null, null],
    ] as const) {
      // A value is one of the password that its id names.
      const isSame = record === before
      if (settled !== null && settled !== passwordFound && (settled.value === 'former') === isSame) continue
      for (const entry of [null, 'record', 'renewed', 'former', 'foreign'] as const)
        for (const shown of ['written', 'again', 'not'] as const)
          for (const enabled of [true, false])
            for (const changed of [true, false])
              for (const one of verdicts)
                for (const two of verdicts)
                  for (const three of verdicts)
                    for (const others of ['proved', 'unknown'] as const) {
                      const ids = { record, settled: before }
                      yield { settled, entry, shown, enabled, changed, verdicts: [one, two, three], others, ids }
                    }
    }
}

const seenOf = (held: readonly string[], shown: Stage['shown']): readonly string[] =>
  shown === 'again'
    ? held.map((value) => `{SSHA}${Buffer.from(value).toString('base64')}`)
    : shown === 'not'
      ? []
      : held

/** The comparisons of a stage: what was there before, what was done, and what is there after that. */
const comparisons = ({ settled, entry, shown, enabled, changed, verdicts, others, ids }: Stage) => {
  const seen = shown === 'written'
  let state =
    settled === null || settled === passwordFound ? settled : `${settled.was} ${digest(values[settled.value])}`
  let id = ids.settled
  let held = entry === null ? [] : [values[entry]]
  return verdicts.map((verdict, at) => {
    const before = { held, state, id }
    const merged = mergePassword(
      {
        ...{ wanted: values.record, lacks: null, enabled, changed: changed && at === 0 },
        ...{ present: seenOf(held, shown), settled: state, ids: { record: ids.record, settled: id } },
      },
      termsOf(verdict, seen, others),
    )
    // What is compared and is not seen is not written.
    const isWritten = merged.values !== null && (!merged.comparable || seen || merged.values.length > 0)
    if (isWritten) held = merged.values ?? []
    state = merged.settled
    id = merged.passwordId
    return { before, verdict, merged, isWritten, held }
  })
}

/** Which promises a stage breaks. */
const broken = (stage: Stage): string[] => {
  const { entry, enabled, changed, settled, ids } = stage
  const seen = stage.shown === 'written'
  const found: string[] = []
  const all = comparisons(stage)
  const told = typeof settled === 'object' && settled !== null ? settled : null
  for (const { before, verdict, merged, isWritten, held } of all) {
    if (held.length > 0 && isWritten && (verdict !== 'proved' || !enabled || held[0] !== values.record)) {
      found.push('what the server was not proved to verify is written')
    }
    const isSame = before.state !== null && before.id === ids.record
    const isKnown = seen ? isSame : told?.value !== 'former' && told !== null
    const isRecords = before.held[0] === values.record && verdict === 'unknown'
    const isHeld = before.state === `held ${digest(values.renewed)}`
    // It was written without the ledger being told, and another hash of the same password followed.
    const isSeen = seen && before.state === `withheld ${digest(values.renewed)}`
    const isRenewed = before.held[0] === values.renewed && (isHeld || isSeen)
    if (enabled && isKnown && held.length === 0 && (isRecords || isRenewed)) {
      found.push('a valid password is removed')
    }
    const wasChangedThere = seen && enabled && before.held[0] === values.foreign && isSame && told !== null
    if (wasChangedThere && held[0] !== values.foreign) found.push('a change in the directory is overwritten')
    if (wasChangedThere && merged.adopt === null && merged.foreign === false) found.push('nor told')
    const isOurs = merged.adopt === values.record || (told !== null && merged.adopt === values[told.value])
    if (merged.adopt !== null && isOurs) {
      found.push('what is no change in the directory is adopted')
    }
  }
  // It empties what is withheld each time that it compares it, while its own test is refused.
  const noted = all.filter(({ before, merged }) => before.state === null && merged.settled?.startsWith('withheld '))
  if (noted.some(({ held }) => held.length > 0)) found.push('the release before is let take away what is there')
  const isFormer = entry === 'former' && (changed || told?.value === 'former') && told?.value !== 'record'
  const last = all.at(-1)
  if (enabled && isFormer && last?.verdict === 'proved' && last.held[0] === values.former && !last.merged.adopt) {
    found.push('a former password stays valid')
  }
  const waits = changed && entry === null && told?.was !== 'held'
  if (enabled && waits && last?.verdict === 'proved' && last.held[0] !== values.record) found.push('none is written')
  if (!enabled && (seen || changed || told?.was === 'held') && last?.held.length !== 0) found.push('it stays in force')
  return found
}

t.test('what is promised of passwords holds in every state', (t) => {
  const problems = new Map<string, Stage[]>()
  let count = 0
  for (const stage of stages()) {
    count += 1
    for (const problem of broken(stage)) problems.set(problem, [...(problems.get(problem) ?? []), stage])
  }
  t.ok(count > 10_000)
  for (const [problem, of] of problems) t.fail(`${problem} (${of.length})`, { stages: of.slice(0, 3) })
  t.end()
})

t.test('where a record has no password any more, its former one is taken away, shown or not', async (t) => {
  const sides = { wanted: null, lacks: null, changed: true, ids: { record: 'a', settled: 'b' } }
  for (const was of ['held', 'withheld'])
    for (const enabled of [true, false])
      for (const seen of [true, false]) {
        const present = seen ? [values.former] : []
        const settled = `${was} ${digest(values.former)}`
        const merged = mergePassword({ ...sides, enabled, present, settled }, termsOf('proved', seen))
        t.match(merged, { values: { length: 0 }, comparable: seen, adopt: null }, `${was}, ${enabled}, ${seen}`)
        const state = { settled: merged.settled, ids: { record: 'a', settled: merged.passwordId } }
        const next = mergePassword(
          { ...sides, enabled, present: [], ...state, changed: false },
          termsOf('proved', seen),
        )
        t.match(next, { comparable: true, settled: merged.settled }, 'once')
      }
})

t.test('of a disabled person who has none here, one that is not shown is taken away', async (t) => {
  const sides = { wanted: null, lacks: null, enabled: false, changed: true, present: [] }
  for (const settled of [null, passwordFound, `withheld ${digest('')}`]) {
    const ids = { record: null, settled: null }
    const merged = mergePassword({ ...sides, settled, ids }, termsOf('proved', false))
    t.match(merged, { values: { length: 0 }, comparable: false, settled: null }, `${settled}`)
    const next = mergePassword({ ...sides, changed: false, settled: null, ids }, termsOf('proved', false))
    t.match(next, { comparable: true }, 'once')
    const enabled = mergePassword({ ...sides, enabled: true, settled, ids }, termsOf('proved', false))
    t.match(enabled, { comparable: true }, 'who may sign in keeps it')
  }
})
