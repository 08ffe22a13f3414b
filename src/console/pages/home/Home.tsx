import { Text } from '@mantine/core'
import { useTexts } from '../../app/language.tsx'
import { useSession } from '../../app/session.tsx'
import { Page } from '../../ui/Page.tsx'

/** The page after the sign-in. */
export const Home = () => {
  const { nav } = useTexts()
  const { me } = useSession()
  return (
    <Page title={nav.home}>
      <Text>{me.name || me.username}</Text>
    </Page>
  )
}
