import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from '../../ui/Dialog.tsx'
import { SignIn } from './SignIn.tsx'

interface FrameProps {
  title: string
  help?: string
  children: ReactNode
}

const DialogFrame = ({ title, help, children }: FrameProps) => (
  <Dialog
    opened
    onClose={() => {}}
    withCloseButton={false}
    closeOnEscape={false}
    closeOnClickOutside={false}
    title={title}
    zIndex={400}
    // Who sits down here now is not shown what the page has.
    overlayProps={{ color: 'var(--mantine-color-body)', backgroundOpacity: 1 }}
  >
    {help !== undefined && <Text mb="sm">{help}</Text>}
    {children}
  </Dialog>
)

/** The sign-in over a page whose session ended: the page stays as it is, with what was typed, and out of sight. */
export const SignInAgain = (given: { title: string; help: string; username: string }) => (
  <SignIn over Frame={DialogFrame} {...given} />
)
