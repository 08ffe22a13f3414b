import { createServer } from 'node:net'
import t from 'tap'
import { listenProblem } from '../../src/network/listen-problem.ts'

/** What listening answers, or the error of it. */
const listen = (host: string): Promise<unknown> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', resolve)
    server.listen({ host, port: 0 }, () => server.close(() => resolve(null)))
  })

const settings = { host: 'HOST', port: 'PORT' }

t.test('an address that cannot be listened on is named by its setting, whatever the reason', async (t) => {
  for (const host of ['192.0.2.1', 'no name', 'x'.repeat(5000)]) {
    t.match(listenProblem(await listen(host), { host, port: 0, settings }), {
      name: 'ConfigError',
      message: new RegExp(`HOST: ${host} `),
    })
  }
  // A name server that does not answer, and a system without IPv6.
  for (const [code, syscall, text] of [
    ['EAI_AGAIN', 'getaddrinfo', 'HOST: host cannot be looked up (EAI_AGAIN)'],
    ['EAFNOSUPPORT', 'listen', 'HOST: host cannot be listened on (EAFNOSUPPORT)'],
  ]) {
    const error = Object.assign(new Error('of the system'), { code, syscall })
    t.match(listenProblem(error, { host: 'host', port: 0, settings }), { name: 'ConfigError', problems: [text] })
  }
})

t.test('an error of something else stays what it is', async (t) => {
  for (const code of ['EIO', 'EACCES']) {
    const error = Object.assign(new Error('of a file'), { code, syscall: 'open' })
    t.equal(listenProblem(error, { host: 'host', port: 0, settings }), error, code)
  }
})
