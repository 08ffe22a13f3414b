import { usePageTexts } from '../../app/page-texts.ts'
import { useChange } from '../../app/queries.ts'
import type { OperationId } from '../../generated/calls.ts'
import { useConfirm } from '../../ui/confirm.tsx'
import { notifyDone, notifyFailure } from '../../ui/notify.tsx'
import { type Orphan, useOrphanFailure } from './orphan-text.ts'

/** What is shown otherwise once entries are adopted, ignored or reported again. */
const changes: readonly OperationId[] = [
  'listOrphans',
  'previewOrphans',
  'getOverview',
  'listPeople',
  'getPerson',
  'listDepartments',
]

export const useAdopt = () => useChange('adoptOrphans', changes)
export const useIgnore = () => useChange('ignoreOrphans', changes)
const useHeed = () => useChange('heedOrphans', changes)

export type Decision = 'adopt' | 'ignore' | 'heed'

/** Asks, decides about these entries, and says what was done, or why it failed. */
export const useDecision = (onDone: () => void) => {
  const { orphans: texts } = usePageTexts('directory').directory
  const confirm = useConfirm()
  const failureOf = useOrphanFailure()
  const calls = { adopt: useAdopt(), ignore: useIgnore(), heed: useHeed() }
  return {
    isPending: (decision: Decision): boolean => calls[decision].isPending,
    /** @param left entries that were selected too, and are left as they are */
    async decide(decision: Decision, orphans: readonly Orphan[], left = 0): Promise<void> {
      const { action, many, why, done } = texts[decision]
      const dns = orphans.map(({ dn }) => dn)
      const consequence = [why(dns.length), ...(left > 0 ? [texts.left(left)] : [])].join(' ')
      if (!(await confirm({ title: many(dns.length), consequence, action }))) return
      calls[decision].mutate(
        { body: { dns } },
        {
          onSuccess: ({ data }) => {
            notifyDone(done(data.total))
            onDone()
          },
          onError: (error) => notifyFailure(failureOf(error, dns)),
        },
      )
    },
  }
}
