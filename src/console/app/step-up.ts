import { type Challenge, Failure } from './api.ts'
import { sharedAnswer } from './shared-answer.ts'

type Ask = (challenge: Challenge) => Promise<boolean>

let ask: Ask | undefined

/**
 * Sets who asks for a second factor; there is one such dialog, and one code suffices for all that waits for it. Returns what
 * takes it back.
 */
export const setAsking = (asking: Ask): (() => void) => {
  const shared = sharedAnswer(asking)
  ask = shared
  return () => {
    if (ask === shared) ask = undefined
  }
}

/** Does something that may need a second factor: asks for it, and does it again. @throws Failure as it was, if declined. */
export const withSecondFactor = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Failure) || error.challenge?.required !== 'second_factor' || ask === undefined) throw error
    if (!(await ask(error.challenge))) throw error
    return work()
  }
}
