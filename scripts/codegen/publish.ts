import { parse } from 'yaml'
import type { Contract } from './generate.ts'

/** The documents as JSON, for clients and for the service, which would take a second to parse the YAML: file name → content. */
export const publish = (contracts: readonly Contract[]): Map<string, string> =>
  new Map(contracts.map(({ name, text }) => [`${name}.json`, `${JSON.stringify(parse(text), null, 2)}\n`]))
