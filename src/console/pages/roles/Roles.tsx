import { useTexts } from '../../app/language.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageFor } from '../../ui/states.tsx'

export const Roles = () => {
  const { nav } = useTexts()
  return (
    <PageFor operation="listRoles">
      <Page title={nav.roles}>{null}</Page>
    </PageFor>
  )
}
