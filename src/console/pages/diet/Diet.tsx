import './diet.css'
import { Tabs } from '@mantine/core'
import type { ComponentType } from 'react'
import { usePageTexts } from '../../app/page-texts.ts'
import { useSession } from '../../app/session.tsx'
import { Late } from '../../ui/Late.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageFor } from '../../ui/states.tsx'
import { useAddress } from '../../ui/use-search.ts'
import { Plan } from './Plan.tsx'
import { Recipes } from './Recipes.tsx'
import { Report } from './Report.tsx'
import { Today } from './Today.tsx'
import { Wishes } from './Wishes.tsx'

/** The caller's own meals. */
export const Diet = () => (
  <PageFor operation="listDietDays">
    <DietPage />
  </PageFor>
)

const DietPage = () => {
  const { nav, diet } = usePageTexts('diet')
  const { may } = useSession()
  const [search, change] = useAddress()
  const tabs: [name: keyof typeof diet.tabs, Content: ComponentType, shown: boolean][] = [
    ['today', Today, may('listTodaysMeals')],
    ['plan', Plan, may('getPlan')],
    ['recipes', Recipes, may('searchRecipes')],
    ['report', Report, true],
    ['wishes', Wishes, may('savePlan')],
  ]
  const shown = tabs.filter(([, , each]) => each)
  const first = shown[0]?.[0] ?? 'report'
  const current = shown.find(([name]) => name === search.tab)?.[0] ?? first
  return (
    <Page title={nav.diet}>
      <Tabs
        value={current}
        onChange={(tab) => change({ tab: tab === first ? undefined : (tab ?? undefined), recipe: undefined })}
        keepMounted={false}
        className="diet"
      >
        <Tabs.List mb="md" className="diet-tabs">
          {shown.map(([name]) => (
            <Tabs.Tab key={name} value={name}>
              {diet.tabs[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {shown.map(([name, Content]) => (
          <Tabs.Panel key={name} value={name}>
            <Late inPage>
              <Content />
            </Late>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  )
}
