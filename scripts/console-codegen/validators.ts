import { Ajv } from 'ajv'
import standaloneCode from 'ajv/dist/standalone/index.js'
import addFormats from 'ajv-formats'
import { formats } from '../../src/console/app/formats.ts'
import type { Operation } from '../../src/contract/document.ts'
import { header } from './calls.ts'

/**
 * The validator of an operation's body as code that needs no `new Function`, which the console's content security policy
 * forbids. Its options are those of src/contract/input.ts, but that nothing is removed from what was typed. Bodies need
 * nothing that only the newer drafts of JSON Schema have (strict mode would refuse it), and the code of draft 7 is shorter.
 */
export const validatorFile = ({ id, schema }: Operation): string => {
  const ajv = new Ajv({
    strict: true,
    allowUnionTypes: true,
    allErrors: true,
    // The console has its own, in both languages.
    messages: false,
    code: { source: true, esm: true, lines: true },
  })
  addFormats.default(ajv)
  const root = { $id: id, ...(open(schema.body) as Record<string, unknown>) }
  const { code, imports } = withImports(standaloneCode.default(ajv, ajv.compile(root)))
  const short = withoutSchema(shortened(code.replace(/^"use strict";\s*/, '')), root)
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

/**
 * Values in place of their paths within the schema, which is then in no bundle: ajv names it where a finding tells what would
 * be allowed.
 */
const withoutSchema = (code: string, root: Record<string, unknown>): string =>
  code
    .replaceAll(/\bschema11((?:\.\w+)+)/g, (_all, path: string) => {
      const value = path
        .slice(1)
        .split('.')
        .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], root)
      return JSON.stringify(value)
    })
    .replace(/^const schema11 = .*;\n/m, '')

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
  const own = code.replaceAll(
    /require\("ajv-formats\/dist\/formats"\)\.fullFormats\.(\w+)/g,
    (_all, format: string) => {
      if (!(format in formats)) throw new Error(`the console's forms do not know the format ${format}`)
      return `formats.${format}`
    },
  )
  if (own !== code) imports.push("import { formats } from '../../app/formats.ts'\n")
  const replaced = own.replaceAll(/require\("([^"]+)"\)(\.default)?/g, (_all, from: string, whole?: string) => {
    const name = `part${imports.length}`
    const file = from.endsWith('.js') ? from : `${from}.js`
    imports.push(`import ${name} from '${file}'\n`)
    // A CommonJS module: whatever brings it, its exports are the default or stand beside it.
    return whole === undefined ? name : `(${name}.default ?? ${name})`
  })
  return { code: replaced, imports: imports.join('') }
}
