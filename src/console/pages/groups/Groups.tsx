import { useTexts } from '../../app/language.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageFor } from '../../ui/states.tsx'

export const Groups = () => {
  const { nav } = useTexts()
  return (
    <PageFor operation="listDepartments">
      <Page title={nav.groups}>{null}</Page>
    </PageFor>
  )
}
