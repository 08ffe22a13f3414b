import { useMantineColorScheme } from '@mantine/core'
import { useEffect } from 'react'
import { isLanguage, useLanguage } from './language.tsx'
import type { Me } from './session.tsx'

const key = 'steward.appearance-of'

/** At a sign-in, language and colours become those that the user chose for their account. */
export const useOwnAppearance = (me: Me | undefined): void => {
  const { language, choose } = useLanguage()
  const { setColorScheme } = useMantineColorScheme()
  useEffect(() => {
    // Once a session: what is chosen on a page stays when it is loaded again.
    if (me === undefined || sessionStorage.getItem(key) === me.session.id) return
    sessionStorage.setItem(key, me.session.id)
    if (isLanguage(me.language) && me.language !== language) void choose(me.language)
    if (me.theme !== '') setColorScheme(me.theme)
  }, [me, language, choose, setColorScheme])
}
