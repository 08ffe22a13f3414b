import { Tabs } from '@mantine/core'
import type { ComponentType } from 'react'
import { useTexts } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { useSession } from '../../app/session.tsx'
import { Late } from '../../ui/Late.tsx'
import { Page } from '../../ui/Page.tsx'
import { useAddress } from '../../ui/use-search.ts'
import { OwnKeys } from '../hosts/SshKeys.tsx'
import { Access } from './Access.tsx'
import { Password } from './Password.tsx'
import { Profile } from './Profile.tsx'
import { SecondFactor } from './SecondFactor.tsx'
import { Sessions } from './Sessions.tsx'

/** The account of the caller. */
export const MyAccount = () => {
  const { nav } = useTexts()
  const { me: texts } = usePageTexts('me')
  const { may } = useSession()
  const [search, change] = useAddress()
  const tabs: [name: keyof typeof texts.tabs, Content: ComponentType, shown: boolean][] = [
    ['profile', Profile, true],
    ['password', Password, may('changeOwnPassword')],
    ['secondFactor', SecondFactor, may('getSecondFactor')],
    ['keys', OwnKeys, may('listMySshKeys')],
    ['sessions', Sessions, may('listOwnSessions')],
    ['access', Access, true],
  ]
  const shown = tabs.filter(([, , each]) => each)
  const current = shown.find(([name]) => name === search.tab)?.[0] ?? 'profile'
  return (
    <Page title={nav.me}>
      <Tabs
        value={current}
        onChange={(tab) => change({ tab: tab === 'profile' ? undefined : (tab ?? undefined) })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {shown.map(([name]) => (
            <Tabs.Tab key={name} value={name}>
              {texts.tabs[name]}
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
