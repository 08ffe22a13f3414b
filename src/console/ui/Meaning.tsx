import type { ReactNode } from 'react'
import { DangerShape, NoneShape, RiskShape, SafeShape } from './icons.tsx'

export type Level = 'safe' | 'risk' | 'danger' | 'none'

const shapes = { safe: SafeShape, risk: RiskShape, danger: DangerShape, none: NoneShape }

/** A state as a shape, a colour and words. */
export const Meaning = ({ level, children }: { level: Level; children: ReactNode }) => {
  const Shape = shapes[level]
  return (
    <span className={`meaning meaning-${level}`}>
      <Shape />
      <span>{children}</span>
    </span>
  )
}
