import { Tabs } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usePageTexts } from '../../app/page-texts.ts'
import { Granted, useSession } from '../../app/session.tsx'
import type { OperationId } from '../../generated/calls.ts'
import { Late } from '../../ui/Late.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageFor } from '../../ui/states.tsx'
import { useAddress } from '../../ui/use-search.ts'
import { CallButton } from './CallButton.tsx'
import { CallForHelp } from './CallForHelp.tsx'

const rooms = [
  { name: 'score', to: '/security', needs: 'getScore' },
  { name: 'alerts', to: '/security/alerts', needs: 'searchAlerts' },
  { name: 'devices', to: '/security/devices', needs: 'listDevicesInFull' },
  { name: 'report', to: '/security/report', needs: 'getReport' },
] as const satisfies readonly { name: string; to: string; needs: OperationId }[]

interface SecurityPageProps {
  room: (typeof rooms)[number]['name']
  actions?: ReactNode
  children: ReactNode
}

/** A page of the security center: each has an address of its own, and all the same head. */
export const SecurityPage = ({ room, actions, children }: SecurityPageProps) => {
  const { security, nav } = usePageTexts('security')
  const { may } = useSession()
  const navigate = useNavigate()
  const [search, setSearch] = useAddress()
  const shown = rooms.filter(({ needs }) => may(needs))
  const here = rooms.find(({ name }) => name === room)
  return (
    <Page
      title={room === 'score' ? nav.security : security.title(security.tabs[room])}
      actions={
        <>
          {actions}
          <Granted to="callForHelp">
            <CallButton onClick={() => setSearch({ call: true })} />
          </Granted>
        </>
      }
    >
      <Tabs
        value={room}
        onChange={(name) => {
          const to = rooms.find((each) => each.name === name)?.to
          if (to !== undefined) void navigate({ to })
        }}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {shown.map(({ name }) => (
            <Tabs.Tab key={name} value={name}>
              {security.tabs[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {shown.map(({ name }) => (
          <Tabs.Panel key={name} value={name}>
            {name === room && children}
          </Tabs.Panel>
        ))}
      </Tabs>
      {here !== undefined && !may(here.needs) && <PageFor operation={here.needs}>{null}</PageFor>}
      <Late wanted={search.call === true}>
        <CallForHelp />
      </Late>
    </Page>
  )
}
