import type { Data } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { Meaning } from '../../ui/Meaning.tsx'
import { Time } from '../../ui/Time.tsx'
import { syncLevels } from '../people/columns.tsx'

export type Account = Data<'listServiceAccounts'>['accounts'][number]

/** When an account was used, as far as it is known. */
export const LastUse = ({ account: { lastUsedAt, lastUseKnown } }: { account: Account }) => {
  const { accounts: texts } = usePageTexts('directory').directory
  if (lastUsedAt !== null) return <Time value={lastUsedAt} />
  return lastUseKnown ? texts.never : texts.unknown
}

export const AccountState = ({ account: { enabled, sync } }: { account: Account }) => {
  const { directory, people } = usePageTexts('directory', 'people')
  if (sync.state === 'synced' && !enabled) return <Meaning level="none">{directory.accounts.disabled}</Meaning>
  return <Meaning level={syncLevels[sync.state]}>{people.sync[sync.state]}</Meaning>
}
