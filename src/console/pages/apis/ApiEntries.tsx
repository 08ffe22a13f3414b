import { useTexts } from '../../app/language.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageFor } from '../../ui/states.tsx'

export const ApiEntries = () => {
  const { nav } = useTexts()
  return (
    <PageFor operation="listApis">
      <Page title={nav.apis}>{null}</Page>
    </PageFor>
  )
}
