import type { Data } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { Shown } from '../../ui/Shown.tsx'
import { ShownOnce } from '../../ui/ShownOnce.tsx'

export type MadePassword = Data<'createServiceAccount'> & { filter: string }

interface NewPasswordProps {
  made: MadePassword
  directory: Data<'listServiceAccounts'>['directory']
  onClose(): void
}

/** In single quotes nothing is special to a shell but the quote. */
const shell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** A password that was just made, and what an application needs besides. */
export const NewPassword = ({ made: { dn, password, filter }, directory, onClose }: NewPasswordProps) => {
  const { accounts: texts } = usePageTexts('directory').directory
  const { url = '', ldapsUrl = null, baseDn = '' } = directory ?? {}
  const search = `ldapsearch -x -H ${ldapsUrl ?? url} -D ${shell(dn)} -w ${shell(password)} -b ${shell(baseDn)} ${shell(filter)}`
  return (
    <ShownOnce why={texts.once} action={texts.kept} onKept={onClose}>
      <Shown label={texts.password} text={password} />
      {directory !== null && (
        <>
          <Shown label={texts.bindDn} text={dn} />
          <Shown label={texts.example} text={search} />
        </>
      )}
    </ShownOnce>
  )
}
