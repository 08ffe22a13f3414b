import { createServer } from 'node:http'
import t, { type Test } from 'tap'
import type { ClientOptions } from '../../src/sources/platform/client.ts'
import { createSecrecy } from '../../src/sources/platform/secrecy.ts'
import { silent } from '../database.ts'
import { type Platform, platforms, readAll } from './platforms.ts'

const secret = 'the secret of the app'

/** What a reading ends with where the platform answers a token, and this to everything else. */
const endOf = async (t: Test, platform: Platform, answers: { token?: string; body: object }): Promise<Error> => {
  const { token = 'a token', body } = answers
  const issued = { accessToken: token, expireIn: 7200, code: 0, tenant_access_token: token, expire: 7200 }
  const server = createServer((request, response) => {
    const isToken = request.url?.startsWith(platform.paths.token)
    const content = isToken ? { ...issued, errcode: 0, access_token: token, expires_in: 7200 } : body
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(content))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const credentials = { appKey: 'key', appSecret: secret, appId: 'app', corpId: 'corp', secret }
  const options: ClientOptions = { log: silent, rates: [], timeout: 5000, sleep: async () => {} }
  const source = platform.open({ url, credentials }, options)
  t.teardown(async () => {
    await source.close()
    server.close()
  })
  return readAll(source).then(
    () => new Error('its end'),
    (error: unknown) => error as Error,
  )
}

for (const platform of platforms) {
  t.test(`${platform.name}: what it calls its code is cut, and holds no secret`, async (t) => {
    const code = `${secret} ${'c'.repeat(1_000_000)}`
    const { name, message } = await endOf(t, platform, { body: { code, errcode: code, msg: '', errmsg: '' } })
    t.equal(name, 'Refusal')
    t.notMatch(message, secret)
    t.ok(message.length < 1000)
  })

  t.test(`${platform.name}: a token of megabytes is refused`, async (t) => {
    const { message } = await endOf(t, platform, { token: 't'.repeat(1_000_000), body: {} })
    t.match(message, /without the token/)
  })
}

t.test('words of megabytes are read in a moment, and never show a part of a secret', async (t) => {
  const { clean, keep } = createSecrecy([secret])
  keep('a token')
  const words = 'token = '.repeat(6_000_000)
  // `repeat` leaves to the first look to write the text out, which takes most of the time.
  words.charCodeAt(0)
  // Not the time of a clock, which counts what else the machine does.
  const began = process.cpuUsage()
  t.equal(clean(words).length, 201)
  const { user, system } = process.cpuUsage(began)
  t.ok(user + system < 200_000, `${user + system} µs`)
  for (let length = 9_900; length < 10_100; length += 1) {
    const words = secret.repeat(1000).slice(0, length)
    t.notMatch(clean(`${words}${'y'.repeat(20_000)}`), 'the secret', String(length))
    t.notMatch(
      clean(`${secret.repeat(1000).slice(0, length)}${secret}${'.'.repeat(30_000)}`).slice(0, 200),
      'secret of',
    )
  }
})
