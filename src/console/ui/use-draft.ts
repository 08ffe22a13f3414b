import { useState } from 'react'
import type { Checked } from './check-tree.ts'

const isSame = (one: Checked, other: Checked): boolean =>
  one.size === other.size && [...one].every((each) => other.has(each))

const without = (some: Checked, others: Checked): number[] => [...some].filter((each) => !others.has(each))

/** What to do with changes of one's own where another administrator changed the same meanwhile. */
export type Choice = 'both' | 'theirs' | 'mine'

export interface Draft {
  /** What the service had when this was begun. */
  base: Checked
  chosen: Checked
  choose(chosen: Checked): void
  added: readonly number[]
  removed: readonly number[]
  dirty: boolean
  /** What another administrator changed since; null: nothing. */
  theirs: { added: readonly number[]; removed: readonly number[] } | null
  settle(choice: Choice): void
  /** Whether this is still what was begun with. */
  isBase(ids: Checked): boolean
}

/**
 * A set of records that is edited beside the one that the service has. Without changes of one's own it follows the service;
 * with them it stands, and tells what changed meanwhile.
 * @param now what the service has as far as is known; undefined: not loaded, and there is no draft
 */
export const useDraft = (now: Checked | undefined): Draft | null => {
  const [draft, setDraft] = useState<{ base: Checked; chosen: Checked } | null>(null)
  if (now === undefined) return null
  const follows = draft === null || isSame(draft.base, draft.chosen) || isSame(draft.chosen, now)
  const { base, chosen } = follows ? { base: now, chosen: now } : draft
  if (draft === null || (follows && !(isSame(draft.base, now) && isSame(draft.chosen, now)))) setDraft({ base, chosen })
  const added = without(chosen, base)
  const removed = without(base, chosen)
  return {
    base,
    chosen,
    choose: (next) => setDraft({ base, chosen: next }),
    added,
    removed,
    dirty: added.length + removed.length > 0,
    theirs: isSame(base, now) ? null : { added: without(now, base), removed: without(base, now) },
    settle: (choice) => {
      const gone = new Set(removed)
      const both = new Set([...now, ...added].filter((each) => !gone.has(each)))
      setDraft({ base: now, chosen: { both, theirs: now, mine: chosen }[choice] })
    },
    isBase: (ids) => isSame(ids, base),
  }
}
