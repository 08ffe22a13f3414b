import { useTexts } from '../../app/language.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageFor } from '../../ui/states.tsx'

export const Menus = () => {
  const { nav } = useTexts()
  return (
    <PageFor operation="getMenuTree">
      <Page title={nav.menus}>{null}</Page>
    </PageFor>
  )
}
