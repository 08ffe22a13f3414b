import { ActionIcon, CopyButton, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../../app/language.tsx'
import { CopyIcon, SafeShape } from '../../ui/icons.tsx'

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

/** Takes a text along. */
export const Copy = ({ text }: { text: string }) => {
  const { actions } = useTexts()
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? actions.copied : actions.copy}>
          <ActionIcon variant="subtle" color="gray" size="sm" aria-label={actions.copy} onClick={copy}>
            {copied ? <SafeShape /> : <CopyIcon />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  )
}
