import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../eventually.ts'
import type { TestSteward } from '../steward.ts'

/** What a pattern's first group finds in the next mail to this address, which is then gone. */
export const mailed = ({ config }: Pick<TestSteward, 'config'>, to: string, pattern: RegExp): Promise<string> => {
  const folder = join(config.dataDir, 'mail')
  return eventually(
    () => {
      for (const name of existsSync(folder) ? readdirSync(folder).sort() : []) {
        const text = readFileSync(join(folder, name), 'utf8').replaceAll('=\r\n', '').replaceAll('=3D', '=')
        const found = text.includes(`To: ${to}`) ? pattern.exec(text)?.[1] : undefined
        if (found === undefined) continue
        rmSync(join(folder, name))
        return found
      }
      return undefined
    },
    `mail to ${to}`,
    30_000,
  )
}
