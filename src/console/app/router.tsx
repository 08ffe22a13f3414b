import type { QueryClient } from '@tanstack/react-query'
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import type { FunctionComponent } from 'react'
import type { Area } from '../locales/en/areas.ts'
import { CodeMissing, PageLost } from '../ui/PageLost.tsx'
import { NotFound } from '../ui/states.tsx'
import { languageOfPage } from './language.tsx'
import { preloadTexts } from './page-texts.ts'
import { SignedIn } from './SignedIn.tsx'
import { isSessionNoted } from './session-hint.ts'

/** What the address says beside the path: filters, sort, tab, the open record. Each page reads what it knows of it. */
export type Search = Record<string, unknown>

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound })

const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', component: SignedIn })

/** A page's code and texts are loaded when it is opened, or when the pointer rests on the way to it. */
const lazily = (load: () => Promise<FunctionComponent>, areas: readonly Area[] = []) =>
  lazyRouteComponent(async () => {
    preloadTexts(languageOfPage(), areas)
    try {
      return { default: await load() }
    } catch (cause) {
      throw new CodeMissing(cause)
    }
  })

const validateSearch = (search: Search): Search => search

/** Without a session the sign-in comes first, and does not wait on a slow line for the code of the page behind it. */
const behindSignIn = (load: () => Promise<FunctionComponent>, areas: readonly Area[]) => {
  const component = lazily(load, areas)
  const { preload } = component
  component.preload = async () => {
    if (isSessionNoted()) await preload?.()
  }
  return component
}

const page = <const Path extends string>(path: Path, areas: readonly Area[], load: () => Promise<FunctionComponent>) =>
  createRoute({ getParentRoute: () => signedIn, path, component: behindSignIn(load, areas), validateSearch })

const open = <const Path extends string>(path: Path, load: () => Promise<FunctionComponent>) =>
  createRoute({ getParentRoute: () => root, path, component: lazily(load), validateSearch })

const tree = root.addChildren([
  signedIn.addChildren([
    page('/', ['home'], async () => (await import('../pages/own.ts')).Home),
    page('/people', ['people'], async () => (await import('../pages/people/People.tsx')).People),
    page('/groups', ['permissions'], async () => (await import('../pages/administration.ts')).Groups),
    page(
      '/attributes',
      ['attributes', 'people', 'permissions'],
      async () => (await import('../pages/administration.ts')).Attributes,
    ),
    page('/roles', ['permissions'], async () => (await import('../pages/administration.ts')).Roles),
    page('/roles/$id', ['permissions'], async () => (await import('../pages/administration.ts')).RolePage),
    page('/menus', ['permissions'], async () => (await import('../pages/administration.ts')).Menus),
    page('/apis', ['permissions'], async () => (await import('../pages/administration.ts')).ApiEntries),
    page('/sources', ['sources', 'runs'], async () => (await import('../pages/upkeep.ts')).Sources),
    page('/sources/$source', ['sources', 'runs'], async () => (await import('../pages/upkeep.ts')).Laboratory),
    page('/runs', ['runs'], async () => (await import('../pages/upkeep.ts')).Runs),
    page('/runs/$id', ['runs'], async () => (await import('../pages/upkeep.ts')).RunPage),
    page('/directory', ['directory', 'home', 'runs'], async () => (await import('../pages/upkeep.ts')).Directory),
    page(
      '/service-accounts',
      ['directory', 'people'],
      async () => (await import('../pages/upkeep.ts')).ServiceAccounts,
    ),
    page('/log', ['log'], async () => (await import('../pages/administration.ts')).OperationLog),
    page('/backups', ['backups'], async () => (await import('../pages/recovery.ts')).Backups),
    page('/backups/$id/restore', ['backups'], async () => (await import('../pages/recovery.ts')).Restore),
    page('/security', ['security'], async () => (await import('../pages/upkeep.ts')).Score),
    page('/security/alerts', ['security'], async () => (await import('../pages/upkeep.ts')).Alerts),
    page('/security/devices', ['security'], async () => (await import('../pages/upkeep.ts')).Devices),
    page('/security/report', ['security'], async () => (await import('../pages/upkeep.ts')).Report),
    page('/diet', ['diet'], async () => (await import('../pages/diet/Diet.tsx')).Diet),
    page('/me', ['me'], async () => (await import('../pages/own.ts')).MyAccount),
  ]),
  open('/forgot', async () => (await import('../pages/sign-in/Forgot.tsx')).Forgot),
  open('/password', async () => (await import('../pages/sign-in/PasswordLink.tsx')).PasswordLink),
])

/** Every address of the console. */
export const consoleRouter = (queries: QueryClient) =>
  createRouter({
    routeTree: tree,
    basepath: new URL(document.baseURI).pathname.replace(/\/$/, ''),
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: PageLost,
    defaultPreload: 'intent',
    scrollRestoration: true,
    context: { queries },
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof consoleRouter>
  }
}
