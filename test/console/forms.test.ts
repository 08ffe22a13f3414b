import t from 'tap'
import type { Form, FormField } from '../../src/console/generated/form.ts'
import { findingsOf } from '../../src/console/ui/findings.ts'
import type { Operation, Schema } from '../../src/contract/document.ts'
import { inputReader } from '../../src/contract/input.ts'
import { AppError, type FieldProblem } from '../../src/failures/errors.ts'
import { documents } from '../../src/generated/documents.ts'

type AnyForm = Form<string, Record<string, FormField>>

const formOf = async ({ id }: Operation): Promise<AnyForm> => {
  const module = (await import(`../../src/console/generated/forms/${id}.ts`)) as Record<string, AnyForm>
  const form = module[id]
  if (form === undefined) throw new Error(`${id} has no form`)
  return form
}

const withBody: readonly Operation[] = documents.flatMap(({ operations }) =>
  operations.filter(({ schema }) => schema.body !== undefined),
)

const typeOf = (schema: Schema): string =>
  [schema.type]
    .flat()
    .map(String)
    .find((type) => type !== 'null') ?? 'string'

/** A value that the schema admits, as far as the values beside the one under test need it. */
const goodValue = (schema: Schema): unknown => {
  if (Array.isArray(schema.enum)) return schema.enum[0]
  switch (typeOf(schema)) {
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'array':
      return Array.from({ length: Number(schema.minItems ?? 0) }, () => goodValue((schema.items ?? {}) as Schema))
    case 'object':
      return goodBody(schema)
    default:
      return 'a'.repeat(Math.max(1, Number(schema.minLength ?? 1)))
  }
}

const goodBody = (schema: Schema): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries((schema.properties ?? {}) as Record<string, Schema>)
      .filter(([name]) => (schema.required as string[] | undefined)?.includes(name))
      .map(([name, property]) => [name, goodValue(property)]),
  )

/** Values that the schema refuses. */
const badValues = (schema: Schema): unknown[] => {
  const type = typeOf(schema)
  const bad: unknown[] = type === 'string' ? [7, true] : ['seven', {}]
  if (!Array.isArray(schema.type)) bad.push(null)
  if (schema.enum !== undefined) bad.push(type === 'string' ? 'none of them' : 4711)
  if (Number(schema.minLength ?? 0) > 0) bad.push('')
  if (Number(schema.minLength ?? 0) > 1) bad.push('a')
  if (schema.maxLength !== undefined)
    bad.push('a'.repeat(Number(schema.maxLength) + 1), '😀'.repeat(Number(schema.maxLength) + 1))
  if (schema.minimum !== undefined) bad.push(Number(schema.minimum) - 1)
  if (schema.maximum !== undefined && Number(schema.maximum) < Number.MAX_SAFE_INTEGER)
    bad.push(Number(schema.maximum) + 1)
  if (Number(schema.minItems ?? 0) > 0) bad.push([])
  if (type === 'integer') bad.push(1.5)
  return bad
}

const said = (problems: readonly Pick<FieldProblem, 'field' | 'reason' | 'params'>[]): string[] =>
  problems
    // What breaks a pattern is said by the service, which knows the pattern's meaning.
    .filter(({ reason }) => !reason.startsWith('text.') && reason !== 'contract.pattern')
    .map(({ field, reason, params: { item: _item, ...params } }) => `${field} ${reason} ${JSON.stringify(params)}`)
    .sort()

t.test('a form finds what the service would refuse, and says it by the same reasons', async (t) => {
  for (const operation of withBody) {
    const form = await formOf(operation)
    const read = inputReader(operation)
    const schema = operation.schema.body as Schema
    const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
    t.same(
      Object.keys(form.fields),
      properties.map(([name]) => name),
      `${operation.id}: all fields`,
    )
    const good = goodBody(schema)
    const required = (schema.required ?? []) as string[]
    const bodies = [
      good,
      ...required.map((name) => Object.fromEntries(Object.entries(good).filter(([each]) => each !== name))),
      ...properties.flatMap(([name, property]) => badValues(property).map((value) => ({ ...good, [name]: value }))),
    ]
    for (const body of bodies) {
      let refused: readonly FieldProblem[] = []
      try {
        read({ params: {}, query: {}, body: structuredClone(body) })
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        // Path parameters are not the form's.
        const ofPath = Object.keys((operation.schema.params?.properties ?? {}) as object)
        refused = (error.details ?? []).filter(({ field }) => !ofPath.includes(field))
        if (ofPath.length > 0 && refused.length === 0) continue
      }
      form.validate(body)
      t.same(
        said(findingsOf(form.validate.errors ?? []) as FieldProblem[]),
        said(refused),
        `${operation.id} ${JSON.stringify(body).slice(0, 80)}`,
      )
    }
  }
})

t.test('a form says the bounds and the help of the contract', async (t) => {
  const { fields } = (await formOf(withBody.find(({ id }) => id === 'addUser') as Operation)) as AnyForm
  t.match(fields, {
    username: { type: 'text', required: true, minLength: 2, maxLength: 50, help: /unique/ },
    departmentId: { type: 'list', required: true },
    status: { type: 'integer', values: [1, 2] },
  })
})
