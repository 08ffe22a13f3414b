import { localStorageColorSchemeManager, MantineProvider, MantineThemeProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { onCallerChanged } from './api.ts'
import { LanguageProvider, type Locale, useTexts } from './language.tsx'
import { isPassing, keyOf } from './queries.ts'
import { consoleRouter } from './router.tsx'
import { theme } from './theme.ts'

const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? ''
// Dialogs and drawers lock the page's scrolling by a style element, whose maker asks for the nonce by this name.
Object.assign(globalThis, { __webpack_nonce__: styleNonce })
const colorScheme = localStorageColorSchemeManager({ key: 'steward.colours' })

const newQueries = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (count, error) => isPassing(error) && count < 3,
        // By chance a little more or less, so that not all browsers come back at once after a restart.
        retryDelay: (count) => Math.min(1000 * 2 ** count, 10_000) * (0.75 + Math.random() / 2),
        // The service is on this host or network: whether there is an Internet says nothing.
        networkMode: 'always',
        // What failed while the line was down is asked again when it is back; in this mode that is not done by itself.
        refetchOnReconnect: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })

/** What Mantine says by itself, in the language of the page. */
const Spoken = ({ children }: { children: ReactNode }) => {
  const visibilityToggleButtonProps = { 'aria-label': useTexts().actions.showPassword }
  return (
    <MantineThemeProvider theme={{ components: { PasswordInput: { defaultProps: { visibilityToggleButtonProps } } } }}>
      {children}
    </MantineThemeProvider>
  )
}

export const App = ({ locale }: { locale: Locale }) => {
  const [queries] = useState(() => {
    const made = newQueries()
    onCallerChanged((query) => void made.invalidateQueries({ queryKey: keyOf(query) }))
    return made
  })
  const [router] = useState(() => consoleRouter(queries))
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorScheme}
      getStyleNonce={() => styleNonce}
    >
      <LanguageProvider initial={locale}>
        <QueryClientProvider client={queries}>
          <Spoken>
            <RouterProvider router={router} />
          </Spoken>
        </QueryClientProvider>
      </LanguageProvider>
    </MantineProvider>
  )
}
