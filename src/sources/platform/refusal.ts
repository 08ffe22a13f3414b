import { SourceError } from '../source.ts'

/** The platform refused a request. */
export class Refusal extends SourceError {
  /** The platform's own code. */
  readonly code: string

  constructor(message: string, { code, advice }: { code: string; advice: string }) {
    super(message, { advice })
    this.name = 'Refusal'
    this.code = code
  }
}
