import { withDeadline } from '../../abort.ts'
import { type Diagnosis, SourceError } from '../source.ts'
import type { JsonObject } from './json.ts'

export interface Finding<T> {
  found: string
  advice?: string
  /** What later steps need. */
  value: T
}

/** Milliseconds for one step: an administrator waits for the result. */
const stepTime = 30_000
/** The longest pause in milliseconds before a step retries a busy platform. */
export const stepPatience = 5000
const mostRoots = 20

const late = (): SourceError =>
  new SourceError(`not done within ${stepTime / 1000} s`, {
    advice: 'The platform is slow or limits this app; try again in some minutes.',
  })

/** Builds a diagnosis step by step. */
export const createExamination = (signal: AbortSignal) => {
  const diagnosis: Diagnosis = { steps: [], roots: [], missingFields: [] }

  return {
    diagnosis,
    /** null: the step failed, and the diagnosis says how. */
    async step<T>(step: string, look: (signal: AbortSignal) => Promise<Finding<T>>): Promise<T | null> {
      try {
        const { found, advice = '', value } = await withDeadline(stepTime, { signal, late }, look)
        diagnosis.steps.push({ step, ok: true, found, advice })
        return value
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof SourceError)) throw error
        diagnosis.steps.push({ step, ok: false, found: error.message, advice: error.advice })
        return null
      }
    },
    roots(names: readonly string[]): void {
      diagnosis.roots = names.slice(0, mostRoots)
    },
    /**
     * Records the fields that no sampled person has, and returns the advice for them.
     * @param fields field → the permission that shows it
     */
    missing(sample: readonly JsonObject[], fields: Readonly<Record<string, string>>): string {
      if (sample.length === 0) return ''
      const missing = Object.keys(fields).filter((field) => sample.every((person) => isAbsent(person[field])))
      diagnosis.missingFields = missing
      return [...new Set(missing.map((field) => fields[field]))]
        .map((permission) => `${missing.filter((field) => fields[field] === permission).join(', ')}: ${permission}`)
        .join('; ')
    },
  }
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null
