import { ActionIcon, Button, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { MoonIcon, SunIcon } from '../ui/icons.tsx'
import { languages, useLanguage } from './language.tsx'

/** Each language by its own name, whatever the page is in. */
export const languageNames = { en: 'English', 'zh-CN': '简体中文' } as const

/** The choice of language and colours, which needs no session: one press each. */
export const Appearance = () => {
  const { texts, language, choose } = useLanguage()
  const { setColorScheme } = useMantineColorScheme()
  const dark = useComputedColorScheme() === 'dark'
  const [other] = languages.filter((each) => each !== language)
  return (
    <>
      {other !== undefined && (
        <Button variant="subtle" color="gray" lang={other} onClick={() => void choose(other)}>
          {languageNames[other]}
        </Button>
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={dark ? texts.theme.toLight : texts.theme.toDark}
        onClick={() => setColorScheme(dark ? 'light' : 'dark')}
      >
        {dark ? <SunIcon /> : <MoonIcon />}
      </ActionIcon>
    </>
  )
}
