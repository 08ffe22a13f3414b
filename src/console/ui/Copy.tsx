import { ActionIcon, CopyButton, Tooltip } from '@mantine/core'
import { useTexts } from '../app/language.tsx'
import { CopyIcon, SafeShape } from './icons.tsx'

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
