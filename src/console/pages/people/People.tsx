import { useTexts } from '../../app/language.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageFor } from '../../ui/states.tsx'

export const People = () => {
  const { nav } = useTexts()
  return (
    <PageFor operation="listPeople">
      <Page title={nav.people}>{null}</Page>
    </PageFor>
  )
}
