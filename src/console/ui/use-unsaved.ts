import { useBlocker } from '@tanstack/react-router'
import { useTexts } from '../app/language.tsx'
import { useConfirm } from './confirm.tsx'

interface Place {
  pathname: string
  search: unknown
}

/**
 * Asks before changes that are not saved are left.
 * @param leaves whether this way leads away from them; default: every way
 */
export const useUnsaved = (
  isDirty: () => boolean,
  dirty: boolean,
  leaves?: (from: Place, to: Place) => boolean,
): void => {
  const { forms } = useTexts()
  const confirm = useConfirm()
  useBlocker({
    disabled: !dirty,
    shouldBlockFn: async ({ current, next }) =>
      isDirty() &&
      (leaves?.(current, next) ?? true) &&
      !(await confirm({ title: forms.leave, consequence: forms.unsaved, action: forms.leave, danger: true })),
    enableBeforeUnload: () => dirty && isDirty(),
  })
}
