import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'

// The health check of the Dockerfile, read as container engines read it: an array in JSON, of which no shell sees anything.

const [, command = ''] = /^HEALTHCHECK .*\\\n +CMD (\[.*\])$/m.exec(readFileSync('Dockerfile', 'utf8')) ?? []
const [program = '', ...args]: string[] = JSON.parse(command)

/** The exit code, and what the program wrote. */
const check = (env: Record<string, string>): Promise<{ code: unknown; output: string }> =>
  new Promise((resolve) => {
    execFile(program, args, { env: { PATH: process.env.PATH, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr }),
    )
  })

t.test('the health check of the image', async (t) => {
  const asked: (string | undefined)[] = []
  let status = 200
  const server = createServer(({ url }, response) => {
    asked.push(url)
    response.writeHead(status).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const PORT = String((server.address() as AddressInfo).port)

  await t.test('asks whether the service lives, where BASE_PATH says', async (t) => {
    const path = '/api/v1/operations/health/live'
    t.strictSame(await check({ PORT }), { code: 0, output: '' })
    t.strictSame(await check({ PORT, BASE_PATH: '/steward' }), { code: 0, output: '' })
    t.strictSame(await check({ PORT, BASE_PATH: '/steward/' }), { code: 0, output: '' })
    t.strictSame(asked, [path, `/steward${path}`, `/steward${path}`])
  })

  await t.test('fails when it does not', async (t) => {
    status = 503
    t.strictSame(await check({ PORT }), { code: 1, output: '' })
    server.close()
    server.closeAllConnections()
    t.strictSame(await check({ PORT }), { code: 1, output: '' })
  })
})
