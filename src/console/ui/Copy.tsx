import { ActionIcon, Tooltip } from '@mantine/core'
import { useTexts } from '../app/language.tsx'
import { CopyIcon, SafeShape } from './icons.tsx'
import { notifyFailure } from './notify.tsx'
import { useCopied } from './use-copied.ts'

/** Takes a text along. */
export const Copy = ({ text }: { text: string }) => {
  const { actions } = useTexts()
  const [copied, copy] = useCopied(text, (done) => {
    if (!done) notifyFailure(actions.notCopied)
  })
  return (
    <Tooltip label={copied ? actions.copied : actions.copy}>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={actions.copy} onClick={copy}>
        {copied ? <SafeShape /> : <CopyIcon />}
      </ActionIcon>
    </Tooltip>
  )
}
