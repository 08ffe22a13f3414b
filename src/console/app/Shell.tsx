import './shell.css'
import { ActionIcon, Alert, Group, Menu, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { Link, useLocation } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import type { OperationId } from '../generated/calls.ts'
import { ConfirmProvider } from '../ui/confirm.tsx'
import { Dialog, hasRoomAbove } from '../ui/Dialog.tsx'
import * as icons from '../ui/icons.tsx'
import { Late } from '../ui/Late.tsx'
import { Mark } from '../ui/Mark.tsx'
import { Notices, notifyFailure } from '../ui/notify.tsx'
import { PageLink } from '../ui/PageLink.tsx'
import { Loading } from '../ui/states.tsx'
import { usePageFocus } from '../ui/use-page-focus.ts'
import { Appearance } from './Appearance.tsx'
import { useFailureText } from './failures.ts'
import { useTexts } from './language.tsx'
import { useChange } from './queries.ts'
import { StepUp } from './StepUp.tsx'
import { useForgetSession, useSession } from './session.tsx'
import { noteSession } from './session-hint.ts'

const Urgent = lazy(async () => ({ default: (await import('./Urgent.tsx')).Urgent }))
const QuickSearch = lazy(async () => ({ default: (await import('./QuickSearch.tsx')).QuickSearch }))

interface Place {
  to: string
  text: string
  icon: ReactNode
  /** Who may call it may see the page. */
  needs?: OperationId
}

/** The pages of the security center: the menu leads to the first that is granted. */
const securityPages = [
  { to: '/security', needs: 'getScore' },
  { to: '/security/alerts', needs: 'searchAlerts' },
  { to: '/security/devices', needs: 'listDevicesInFull' },
  { to: '/security/report', needs: 'getReport' },
] as const

const usePlaces = (): { title: string; places: Place[] }[] => {
  const { nav } = useTexts()
  const { may } = useSession()
  const securityPlace = securityPages.filter(({ needs }) => may(needs)).slice(0, 1)
  const all: { title: string; places: Place[] }[] = [
    {
      title: '',
      places: [
        { to: '/', text: nav.home, icon: <icons.HomeIcon /> },
        { to: '/diet', text: nav.diet, icon: <icons.DietIcon />, needs: 'listDietDays' },
      ],
    },
    {
      title: nav.organisation,
      places: [
        { to: '/people', text: nav.people, icon: <icons.PeopleIcon />, needs: 'listPeople' },
        { to: '/groups', text: nav.groups, icon: <icons.GroupIcon />, needs: 'listDepartments' },
        { to: '/attributes', text: nav.attributes, icon: <icons.FieldIcon />, needs: 'listAttributes' },
      ],
    },
    {
      title: nav.permissions,
      places: [
        { to: '/roles', text: nav.roles, icon: <icons.RoleIcon />, needs: 'listRoles' },
        { to: '/menus', text: nav.menus, icon: <icons.MenuIcon />, needs: 'getMenuTree' },
        { to: '/apis', text: nav.apis, icon: <icons.ApiIcon />, needs: 'listApis' },
      ],
    },
    {
      title: nav.synchronisation,
      places: [
        { to: '/sources', text: nav.sources, icon: <icons.SourceIcon />, needs: 'listSources' },
        { to: '/runs', text: nav.runs, icon: <icons.RunIcon />, needs: 'listRuns' },
        { to: '/directory', text: nav.directory, icon: <icons.DirectoryIcon />, needs: 'listOrphans' },
        { to: '/service-accounts', text: nav.accounts, icon: <icons.KeyIcon />, needs: 'listServiceAccounts' },
      ],
    },
    {
      title: nav.records,
      places: [
        { to: '/log', text: nav.log, icon: <icons.LogIcon />, needs: 'listLogEntries' },
        ...securityPlace.map(({ to, needs }) => ({ to, needs, text: nav.security, icon: <icons.ShieldIcon /> })),
        { to: '/backups', text: nav.backups, icon: <icons.BackupIcon />, needs: 'listBackupFiles' },
      ],
    },
  ]
  return all
    .map(({ title, places }) => ({ title, places: places.filter(({ needs }) => needs === undefined || may(needs)) }))
    .filter(({ places }) => places.length > 0)
}

/** The frame of every page: the menu on the left, the account on top. */
export const Shell = ({ children }: { children: ReactNode }) => {
  const texts = useTexts()
  const { me, may } = useSession()
  const [opened, { toggle, close }] = useDisclosure(false)
  const { pathname } = useLocation()
  const main = useRef<HTMLElement>(null)
  const before = useRef(pathname)
  usePageFocus()
  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    close()
    // A screen reader goes on at the page that was opened, not in the menu.
    main.current?.focus()
  }, [pathname, close])
  return (
    <ConfirmProvider>
      <Notices />
      <StepUp />
      <div className="frame">
        <a href="#main" className="skip">
          {texts.skip}
        </a>
        <header className="frame-header">
          <Group gap="sm" wrap="nowrap">
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              hiddenFrom="sm"
              aria-label={texts.openMenu}
              aria-expanded={opened}
              onClick={toggle}
            >
              {opened ? <icons.CloseIcon /> : <icons.MenuIcon />}
            </ActionIcon>
            <PageLink to="/" c="inherit" underline="never" aria-label={texts.product}>
              <Group gap="xs" wrap="nowrap">
                <Mark size={24} />
                <Text fw={600} visibleFrom="xs">
                  {texts.product}
                </Text>
              </Group>
            </PageLink>
          </Group>
          <Group gap={4} wrap="nowrap">
            <Finder />
            {may('watchNotices') && may('listNotices') && (
              <Late>
                <Urgent />
              </Late>
            )}
            <AccountMenu />
          </Group>
        </header>
        <nav className="frame-menu" data-opened={opened || undefined} aria-label={texts.menu}>
          <Places />
        </nav>
        <main className="frame-main" id="main" ref={main} tabIndex={-1}>
          {!me.session.secure && location.protocol === 'http:' && !isLoopback(location.hostname) && (
            <Alert color="yellow" mb="md" p="xs" role="note">
              {texts.states.insecure}
            </Alert>
          )}
          <Suspense fallback={<Loading />}>{children}</Suspense>
        </main>
      </div>
    </ConfirmProvider>
  )
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || host.startsWith('127.')

const Places = () => {
  const { pathname } = useLocation()
  const isHere = (to: string): boolean => {
    if (to === '/') return pathname === '/'
    const room = to.startsWith('/security/') ? '/security' : to
    return `${pathname}/`.startsWith(`${room}/`)
  }
  return usePlaces().map(({ title, places }) => (
    <div key={title}>
      {title !== '' && (
        <Text size="xs" c="dimmed" px="sm" pt="sm" pb={4}>
          {title}
        </Text>
      )}
      {places.map(({ to, text, icon }) => (
        <Link key={to} to={to} className="place" aria-current={isHere(to) ? 'page' : undefined}>
          {icon}
          {text}
        </Link>
      ))}
    </div>
  ))
}

/** Opens the search for pages and records, as Ctrl+K does. */
const Finder = () => {
  const { quick } = useTexts()
  const [opened, { open, close, toggle }] = useDisclosure(false)
  useHotkeys([['mod+K', () => (opened || hasRoomAbove()) && toggle()]], [])
  const places = usePlaces().flatMap((group) => group.places)
  return (
    <>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={quick.button} title={quick.button} onClick={open}>
        <icons.SearchIcon />
      </ActionIcon>
      <Dialog opened={opened} onClose={close} title={quick.title} size="lg" yOffset="10dvh">
        {opened && (
          <Late inPage>
            <QuickSearch places={places} onClose={close} />
          </Late>
        )}
      </Dialog>
    </>
  )
}

const AccountMenu = () => {
  const { nav, actions, product, named } = useTexts()
  const { me } = useSession()
  const forgetSession = useForgetSession()
  const failureText = useFailureText()
  const leave = async (): Promise<void> => {
    noteSession(false)
    await forgetSession()
  }
  const signOut = useChange('closeConsoleSession')
  return (
    <Group gap={4} wrap="nowrap">
      <Appearance />
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <UnstyledButton px="xs" py={6} aria-label={named(nav.me, me.name || me.username)}>
            <Group gap={6} wrap="nowrap">
              <icons.MeIcon />
              <Text truncate maw={160} visibleFrom="xs">
                {me.name || me.username}
              </Text>
            </Group>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{me.username}</Menu.Label>
          <Menu.Item component={Link} to="/me">
            {nav.me}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            onClick={() =>
              signOut.mutate({}, { onSuccess: () => leave(), onError: (error) => notifyFailure(failureText(error)) })
            }
          >
            {actions.signOut}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Label>
            {product} {me.version}
          </Menu.Label>
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}
