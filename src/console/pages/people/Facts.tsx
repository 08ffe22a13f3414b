import type { ReactNode } from 'react'

/** Names and what they hold; an empty one shows a dash. */
export const Facts = ({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="facts">
    {facts.map(([name, value], at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same name, and their order is that of the page
      <div key={at} className="fact">
        <dt>{name}</dt>
        <dd>{value === '' || value === null ? '–' : value}</dd>
      </div>
    ))}
  </dl>
)
