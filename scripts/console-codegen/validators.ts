import { Ajv2020 } from 'ajv/dist/2020.js'
import standaloneCode from 'ajv/dist/standalone/index.js'
import addFormats from 'ajv-formats'
import type { Operation } from '../../src/contract/document.ts'
import { header } from './calls.ts'

/**
 * The validator of an operation's body as code that needs no `new Function`, which the console's content security policy
 * forbids. Its options are those of src/contract/input.ts, but that nothing is removed from what was typed.
 */
export const validatorFile = ({ id, schema }: Operation): string => {
  const ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    allErrors: true,
    // The console has its own, in both languages.
    messages: false,
    code: { source: true, esm: true, lines: true },
  })
  addFormats.default(ajv)
  const closed = ajv.compile({ $id: id, ...(open(schema.body) as Record<string, unknown>) })
  const { code, imports } = withImports(standaloneCode.default(ajv, closed))
  return `// @ts-nocheck\n${header}${imports}\n${code.replace(/^"use strict";\s*/, '')}\n`
}

/** Undeclared fields are for the server to drop. */
const open = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(open)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).filter(([key, value]) => key !== 'additionalProperties' || value !== false)
  return Object.fromEntries(entries.map(([key, value]) => [key, key === 'enum' ? value : open(value)]))
}

/** ajv asks for the parts of its runtime by `require`, also in modules. */
const withImports = (code: string): { code: string; imports: string } => {
  const imports: string[] = []
  const replaced = code.replaceAll(/require\("([^"]+)"\)(\.default)?/g, (_all, from: string, whole?: string) => {
    const name = `part${imports.length}`
    const file = from.endsWith('.js') ? from : `${from}.js`
    imports.push(`import ${name} from '${file}'\n`)
    // A CommonJS module: whatever brings it, its exports are the default or stand beside it.
    return whole === undefined ? name : `(${name}.default ?? ${name})`
  })
  return { code: replaced, imports: imports.join('') }
}
