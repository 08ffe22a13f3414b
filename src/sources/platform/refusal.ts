import type { Statement } from '../../failures/statement.ts'
import { SourceError } from '../source.ts'

/** The platform refused a request. */
export class Refusal extends SourceError {
  /** The platform's own code. */
  readonly code: string

  constructor(stated: Statement, { code, advised }: { code: string; advised: Statement | null }) {
    super(stated, { advised })
    this.name = 'Refusal'
    this.code = code
  }
}
