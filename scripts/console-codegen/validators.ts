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
  const short = shortened(code.replace(/^"use strict";\s*/, ''))
  return `// @ts-nocheck\n${header}import { found } from '../../app/found.ts'\n${imports}\n${short}\n`
}

/**
 * One call in place of the nine lines in which ajv notes a finding: validators are the largest part of the console's own
 * code. A finding that ajv writes in another way stays as it is.
 */
const shortened = (code: string): string =>
  code.replaceAll(
    /const (err\d+) = \{instancePath(?::([^{}]*?))?,schemaPath:"[^"]*",keyword:("\w+"),params:(\{.*?\})\};\nif\(vErrors === null\)\{\nvErrors = \[\1\];\n\}\nelse \{\nvErrors\.push\(\1\);\n\}\n/g,
    (_all, _name, path = 'instancePath', keyword, params) =>
      `vErrors = found(vErrors, ${path}, ${keyword}, ${params});\n`,
  )

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
