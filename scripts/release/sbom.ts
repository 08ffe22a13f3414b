import { createHash } from 'node:crypto'

interface Component {
  'bom-ref': string
  type: string
  name: string
  version: string
  purl?: string
}

/** The parts of a CycloneDX document (https://cyclonedx.org/docs/1.5/json) that are written or checked here. */
interface Bom {
  bomFormat: string
  specVersion: string
  serialNumber?: string
  version: number
  metadata: { timestamp?: string; component?: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * What `npm sbom` writes, without what differs each time: the date is that of the release, the serial number comes from
 * the content, and lists have an order.
 * @param seconds since 1970
 */
export const reproducible = (json: string, seconds: number): string => {
  const { serialNumber: _, ...bom } = JSON.parse(json) as Bom
  bom.metadata.timestamp = new Date(seconds * 1000).toISOString()
  // npm takes the name of the folder.
  if (bom.metadata.component) bom.metadata.component.name = 'steward'
  bom.components.sort((a, b) => byText(a['bom-ref'], b['bom-ref']))
  bom.dependencies.sort((a, b) => byText(a.ref, b.ref))
  for (const { dependsOn } of bom.dependencies) dependsOn?.sort(byText)
  const hex = createHash('sha256').update(JSON.stringify(bom)).digest('hex')
  // A UUID of version 8 (RFC 9562): its bits are our own.
  const uuid = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)]
  const { bomFormat, specVersion, ...rest } = bom
  return `${JSON.stringify({ bomFormat, specVersion, serialNumber: `urn:uuid:${uuid.join('-')}`, ...rest }, null, 2)}\n`
}

/**
 * What is wrong with a document; empty: nothing was found. These are the rules of the specification that a mistake here
 * could break: its required fields, references that exist and are unique, and a package URL for each component.
 */
export const problemsOf = (
  json: string,
  { version, dependencies }: { version: string; dependencies: string[] },
): string[] => {
  const bom = JSON.parse(json) as Bom
  const problems: string[] = []
  const demand = (holds: boolean, problem: string): void => void (holds || problems.push(problem))
  demand(bom.bomFormat === 'CycloneDX', 'bomFormat is not CycloneDX')
  demand(/^1\.[4-7]$/.test(bom.specVersion), `specVersion ${bom.specVersion} is not known`)
  demand(/^urn:uuid:[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(bom.serialNumber ?? ''), 'serialNumber is not a UUID')
  demand(bom.version === 1, 'version is not 1')
  const own = bom.metadata.component
  demand(own?.name === 'steward' && own.version === version, `it does not describe steward ${version}`)
  const refs = [own, ...bom.components].map((component) => component?.['bom-ref'] ?? '')
  demand(new Set(refs).size === refs.length && !refs.includes(''), 'references of components are not unique')
  for (const { name, version: of, type, purl = '' } of bom.components) {
    demand(type === 'library' && of !== '', `${name} has no type or no version`)
    demand(purl.startsWith('pkg:npm/') && purl.endsWith(`@${of}`), `${name} has the package URL ${purl}`)
  }
  for (const { ref, dependsOn = [] } of bom.dependencies) {
    for (const each of [ref, ...dependsOn]) demand(refs.includes(each), `${ref} depends on ${each}, which is missing`)
  }
  for (const name of dependencies) {
    demand(
      bom.components.some(
        (component) => component.name === name || component.purl?.includes(`/${name.replace('@', '%40')}@`),
      ),
      `${name} is missing`,
    )
  }
  return problems
}
