import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The tool of the CycloneDX project. `npm sbom --omit=dev` leaves out what is both shipped and needed for development. */
const tool = '@cyclonedx/cyclonedx-npm@6.0.1'

interface Component {
  'bom-ref': string
  name: string
  group?: string
  version: string
  properties?: { name: string; value: string }[]
}

/** The parts of a CycloneDX document (https://cyclonedx.org/docs/1.6/json) that are read or written here. */
interface Bom {
  metadata: { timestamp?: string; tools: { components: Component[] }; component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}

/** A package that Vite has put into the console, of its `build.license`. */
interface Bundled {
  name: string
  version: string
}

const named = ({ group, name, version }: Component): string => `${group ? `${group}/` : ''}${name}@${version}`

const isForDevelopment = ({ properties = [] }: Component): boolean =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true')

/**
 * Keeps what is shipped: the packages of the service, and those that are in the files of the console, which are packages
 * for development to npm.
 * @param seconds since 1970
 * @throws Error when a package of the console is not in the document
 */
export const shipped = (bom: Bom, bundled: readonly Bundled[], seconds: number): Bom => {
  const inConsole = new Set(bundled.map(({ name, version }) => `${name}@${version}`))
  const components = bom.components.filter((each) => !isForDevelopment(each) || inConsole.has(named(each)))
  const names = new Set(components.map(named))
  const missing = [...inConsole].filter((each) => !names.has(each))
  if (missing.length > 0) throw new Error(`The SBOM lacks ${missing.join(', ')}, which the console contains`)
  const refs = new Set([bom.metadata.component, ...components].map((each) => each['bom-ref']))
  const dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, ...(dependsOn && { dependsOn: dependsOn.filter((each) => refs.has(each)) }) }))
  // The tool's own libraries are of whatever version npm finds.
  const tools = { components: bom.metadata.tools.components.filter(({ name }) => name === 'cyclonedx-npm') }
  const metadata = { timestamp: new Date(seconds * 1000).toISOString(), ...bom.metadata, tools }
  return { ...bom, metadata, components, dependencies }
}

/**
 * The CycloneDX document of a built checkout, as JSON.
 * @param seconds since 1970: the time that it has
 */
export const sbomOf = (folder: string, seconds: number): string => {
  const options = ['--package-lock-only', '--flatten-components', '--output-reproducible', '--validate']
  const command = ['--yes', '--ignore-scripts', tool, ...options, '--spec-version=1.6', '--mc-type=application']
  const json = execFileSync('npx', [...command, '--output-file=-', 'package.json'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const bundled = JSON.parse(readFileSync(join(folder, 'dist/console/.vite/license.json'), 'utf8')) as Bundled[]
  return `${JSON.stringify(shipped(JSON.parse(json) as Bom, bundled, seconds), null, 2)}\n`
}
