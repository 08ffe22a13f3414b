import type { ReactNode } from 'react'
import { SideDialog } from './Dialog.tsx'
import { Late } from './Late.tsx'

interface RecordDrawerProps {
  opened: boolean
  onClose(): void
  title: ReactNode
  size?: number | string
  children: ReactNode
}

/** A record beside its list. The focus goes into it, and back when it is closed. It has its name while its content is loaded. */
export const RecordDrawer = ({ opened, onClose, title, size = 640, children }: RecordDrawerProps) => {
  return (
    <SideDialog
      opened={opened}
      onClose={onClose}
      title={title}
      position="right"
      size={size}
      styles={{ title: { fontWeight: 600, fontSize: 16 } }}
    >
      {opened && <Late inPage>{children}</Late>}
    </SideDialog>
  )
}
