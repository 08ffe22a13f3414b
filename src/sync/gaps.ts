import { hash } from 'node:crypto'
import type { Statement } from '../failures/statement.ts'

/** Why a snapshot is incomplete. */
export interface Gap {
  stated: Statement
  /** By which it is told whether an administrator has confirmed this gap: the sentence, and all that it leaves out. */
  key: string
}

/** @param all what the sentence counts instead of naming it, in any order; absent: it says everything */
export const gapOf = (stated: Statement, all?: readonly string[]): Gap => ({
  stated,
  key:
    all === undefined
      ? stated.text
      : `${stated.text}${separator}${hash('sha256', JSON.stringify([...new Set(all)].sort()), 'hex')}`,
})

const separator = '\n'

/** Whether a key is of a gap with this sentence, whatever the sentence leaves out. */
export const saysTheSame = (key: string, { text }: Statement): boolean =>
  key === text || key.startsWith(`${text}${separator}`)

/** The sentences, each once. */
export const sentencesOf = (gaps: readonly Gap[]): Statement[] => [
  ...new Map(gaps.map(({ stated }) => [stated.text, stated])).values(),
]
