/** What was required of a caller beside their grant, before they waited: for locks, for the directory, for a file. */
export type Required = 'the highest rank' | 'a step-up'

const required = new WeakMap<object, Set<Required>>()

const nothing: ReadonlySet<Required> = new Set()

/**
 * Notes what a request requires of its caller, so that it is asked again with the commit (standing.ts).
 * @param caller of this request alone
 */
export const noteRequired = (caller: object, what: Required): void => {
  required.set(caller, (required.get(caller) ?? new Set()).add(what))
}

export const requiredOf = (caller: object): ReadonlySet<Required> => required.get(caller) ?? nothing
