import { tryAsDirectory } from './as-directory.ts'
import { tryAsSource } from './as-source.ts'
import { openMachine } from './machine.ts'
import { endings } from './office.ts'
import type { OtherServer } from './other-server.ts'
import { readServerPage } from './page.ts'
import type { Trial } from './trial.ts'

/** Of the account with which Steward binds: READER_PASSWORD of the page. */
const stewardsPassword = 'Stewards own 1 password'

/** Follows the page of a directory of others, and tries both directions of it. @returns what does not hold */
export const tryServer = async (other: OtherServer): Promise<string[]> => {
  const { name, host } = other
  const page = readServerPage(name)
  const faults: string[] = []
  const { t, end } = endings()
  try {
    const server = await other.open(t)
    const machine = await openMachine({ address: server.address, ca: server.caFile, baseDn: 'dc=example,dc=org' }, host)
    t.teardown(() => machine.end())
    await server.prepare?.(machine)
    // It is no process of the machine.
    for (const step of page.steps)
      if (step.text.startsWith('systemctl restart ')) {
        await server.stop()
        await server.start()
      } else await machine.follow({ steps: [step] }, stewardsPassword)
    const here = (settings: Readonly<Record<string, string>>): Record<string, string> =>
      Object.fromEntries(
        Object.entries(settings).map(([key, value]) => [
          key,
          value
            .replace(`ldaps://${host}`, server.url)
            .replace('/etc/ssl/certs/steward-ca.pem', server.caFile)
            .replace('READER_PASSWORD', stewardsPassword),
        ]),
      )
    for (const [direction, settings, attempt] of [
      ['as a source', page.asSource, tryAsSource],
      ['as a directory', page.asDirectory, tryAsDirectory],
    ] as const) {
      const started = Date.now()
      const opened = endings()
      const expect: Trial['expect'] = (holds, what) => void (holds || faults.push(`${name} ${direction}: ${what}`))
      try {
        await attempt(opened.t, other, server, here(settings), expect)
      } catch (error) {
        expect(false, error instanceof Error ? error.message : String(error))
      } finally {
        await opened.end()
      }
      console.log(`${name} ${direction}: ${((Date.now() - started) / 1000).toFixed(1)} s`)
    }
  } catch (error) {
    faults.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    await end()
  }
  return faults
}
