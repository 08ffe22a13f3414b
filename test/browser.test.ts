import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { axeFindings } from './axe.ts'
import { browserMissing, openPage, startBrowser } from './browser.ts'

/** Serves one page under a strict policy; other paths are not found. */
const serve = async (t: Test, page: string): Promise<{ url: string; asked: IncomingHttpHeaders[] }> => {
  const asked: IncomingHttpHeaders[] = []
  const server = createServer(({ url, headers }, response) => {
    if (url === '/') asked.push(headers)
    response.writeHead(url === '/' ? 200 : 404, {
      'content-type': 'text/html',
      'content-security-policy': "default-src 'none'; style-src 'self'; script-src 'self' 'nonce-good'; img-src *",
    })
    response.end(url === '/' ? `<!doctype html><html lang="en"><title>A page</title><main>${page}</main></html>` : '')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked }
}

t.test('pages in a browser', { skip: browserMissing }, async (t) => {
  const browser = await startBrowser(t)

  const faults: [name: string, page: string, complaint: RegExp][] = [
    ['an inline style', '<h1 style="color: red">x</h1>', /^style-src-attr refuses inline/],
    ['an inline script', '<h1>x</h1><script>1</script>', /^script-src-elem refuses inline/],
    [
      'an error on its console',
      '<h1>x</h1><script nonce="good">console.error("bad news")</script>',
      /^error: bad news/,
    ],
    ['an uncaught error', '<h1>x</h1><script nonce="good">throw new Error("thrown")</script>', /^Error: thrown/],
    ['a dialog', '<h1>x</h1><script nonce="good">alert("look")</script>', /^dialog: look/],
    ['a missing file', '<h1>x</h1><img alt="" src="/missing.png">', /^error: .*404.*missing\.png/],
    [
      'another host',
      '<img alt="" src="http://example.org/x.png">',
      /^request to another host: http:\/\/example\.org\//,
    ],
  ]
  for (const [name, html, complaint] of faults) {
    await t.test(`${name} fails the test of its page, unless it is expected`, async (t) => {
      const { url } = await serve(t, html)
      const ends: (() => unknown)[] = []
      const failures: unknown[] = []
      const test = { teardown: (end: () => unknown) => ends.push(end), threw: (error: unknown) => failures.push(error) }
      await openPage(test, browser, { url })
      for (const end of ends) await end()
      t.match(failures, [{ message: new RegExp(complaint.source.replace('^', '\\n')) }])
      const { complaints } = await openPage(t, browser, { url, expected: [/./] })
      t.match(
        complaints.find((line) => complaint.test(line)),
        complaint,
      )
    })
  }

  await t.test('a page has the language, the theme, the width and the cookies of its test', async (t) => {
    const { url, asked } = await serve(t, '<h1>x</h1>')
    const look = `[navigator.language, new Intl.NumberFormat().resolvedOptions().locale, innerWidth, document.cookie,
      new Date().getTimezoneOffset(),
      ...['(prefers-color-scheme: dark)', '(prefers-reduced-motion)'].map((query) => matchMedia(query).matches)]`
    const first = await openPage(t, browser, { url, language: 'zh-CN', theme: 'dark', width: 360, cookies: { a: 'b' } })
    t.strictSame(await first.page.evaluate(look), ['zh-CN', 'zh-CN', 360, 'a=b', 0, true, true])
    const second = await openPage(t, browser, { url })
    t.strictSame(
      await second.page.evaluate(look),
      ['en', 'en', 1280, '', 0, false, true],
      'and nothing of another page',
    )
    t.match(asked, [
      { 'accept-language': 'zh-CN', cookie: 'a=b' },
      { 'accept-language': 'en', cookie: undefined },
    ])
    t.strictSame(first.requests, [url])
  })

  await t.test('axe says what is serious, and the page does not notice', async (t) => {
    const { url } = await serve(t, '<h1>x</h1><img src="/favicon.ico" width="9" height="9"><h4>skipped a level</h4>')
    const { page } = await openPage(t, browser, { url })
    t.match(await axeFindings(page), [{ rule: 'image-alt', impact: 'critical', elements: [/^img: /] }])
    t.equal((await axeFindings(page)).length, 1, 'and says it again')
    t.equal(await page.evaluate('typeof axe'), 'undefined')
    const fine = await openPage(t, browser, { url: (await serve(t, '<h1>x</h1><img alt="" src="/favicon.ico">')).url })
    t.strictSame(await axeFindings(fine.page), [])
  })
})
