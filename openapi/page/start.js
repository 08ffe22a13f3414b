// Runs in the browser, beside swagger-ui.
;(() => {
  const select = document.getElementById('document')
  const wanted = new URLSearchParams(location.search).get('document')
  if ([...select.options].some(({ value }) => value === wanted)) select.value = wanted

  /** The token that was entered, for all documents; gone when the page is left. */
  let token = null

  /** Takes `Bearer <token>` as well as the bare token. */
  const bare = (text) => text.trim().replace(/^(?:bearer\s+)+/i, '')

  const rememberToken = () => ({
    statePlugins: {
      auth: {
        wrapActions: {
          authorize: (authorize) => (entered) => {
            if (entered.bearer) {
              token = bare(entered.bearer.value)
              entered.bearer.value = token
            }
            return authorize(entered)
          },
          logout: (logout) => (names) => {
            if (names.includes('bearer')) token = null
            return logout(names)
          },
        },
      },
    },
  })

  const url = () => `openapi/${select.value}.json`

  const page = window.SwaggerUIBundle({
    dom_id: '#document-page',
    url: url(),
    plugins: [rememberToken],
    deepLinking: true,
    docExpansion: 'none',
    validatorUrl: null,
    requestInterceptor: (request) => {
      const { Authorization: sent } = request.headers
      if (sent) request.headers.Authorization = `Bearer ${bare(sent)}`
      return request
    },
    // Called again for every document; each has a scheme of this name.
    onComplete: () => {
      if (token !== null) page.preauthorizeApiKey('bearer', token)
    },
  })

  select.addEventListener('change', () => {
    history.replaceState(null, '', `?document=${select.value}`)
    page.specActions.updateUrl(url())
    page.specActions.download(url())
  })
})()
