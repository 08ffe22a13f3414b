import { useBlocker } from '@tanstack/react-router'
import { useTexts } from '../app/language.tsx'
import { useConfirm } from './confirm.tsx'

interface Place {
  pathname: string
  search: unknown
}

/** What would be lost: changes that are not saved, the result of what is being done, or what is shown only once. */
export type Loss = 'unsaved' | 'underWay' | 'shownOnce'

/**
 * Asks before changes that are not saved are left, or whatever else would be lost.
 * @param leaves whether this way leads away from them; default: every way
 * @param loss what the question says is lost
 */
export const useUnsaved = (
  isDirty: () => boolean,
  dirty: boolean,
  leaves?: (from: Place, to: Place) => boolean,
  loss: Loss = 'unsaved',
): void => {
  const { forms } = useTexts()
  const confirm = useConfirm()
  useBlocker({
    disabled: !dirty,
    shouldBlockFn: async ({ current, next }) =>
      isDirty() &&
      (leaves?.(current, next) ?? true) &&
      !(await confirm({
        title: forms.leave,
        consequence: forms[loss],
        action: forms.leave,
        danger: true,
        leaving: true,
      })),
    enableBeforeUnload: () => dirty && isDirty(),
  })
}

/** Asks before a page is left whose change is under way: what it comes to would be said nowhere. */
export const useUnderWay = (isUnderWay: boolean): void =>
  useUnsaved(() => isUnderWay, isUnderWay, undefined, 'underWay')
