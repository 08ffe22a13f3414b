import type { ReactNode } from 'react'

/** Names and what they hold; an empty one shows a dash. */
export const Facts = ({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="facts">
    {facts.map(([name, value]) => (
      <div key={name} className="fact">
        <dt>{name}</dt>
        <dd>{value === '' || value === null ? '–' : value}</dd>
      </div>
    ))}
  </dl>
)
