import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { differences, type ListedReason, publishedReasons, reasonTables } from '../../scripts/reasons/tables.ts'
import { fieldProblem } from '../../src/contract/problems.ts'
import { AppError } from '../../src/failures/errors.ts'
import { reasonsOf } from '../../src/failures/reason-table.ts'
import { invalidInput } from '../../src/failures/reasons.ts'
import { steward } from '../steward.ts'
import { assertReply } from './call.ts'
import { refusals } from './refusals.ts'
import { service } from './service.ts'

const sample = reasonsOf('sample', {
  gone: { kind: 'not_found', text: '{thing} {id} does not exist' },
  full: { kind: 'conflict', text: '{count} are in it', one: '{count} is in it' },
  closed: { kind: 'forbidden', text: 'it is closed' },
})

t.test('every reason of every table has a code and a text of its own that clients can rely on', async (t) => {
  const tables = await reasonTables()
  t.ok(tables.size >= 15, `${tables.size} tables`)
  const codes = [...tables.values()].flat().map(({ code }) => code)
  t.ok(codes.length >= 200, `${codes.length} reasons`)
  t.equal(new Set(codes).size, codes.length, 'no code twice')
  const generated = codes.map((code) => code.replace('.', '_'))
  t.equal(new Set(generated).size, codes.length, 'nor in clients whose names have no dots')
  const names = (text: string) => [...text.matchAll(/\{(.*?)\}/g)].map(([, name = '']) => name).sort()
  for (const [file, reasons] of tables) {
    const folder = file.split('/')[0]
    // Those that any room may fail with.
    const room = folder === 'failures' ? 'service' : folder
    for (const { code, status, text, one } of reasons) {
      t.match(code, new RegExp(`^${room}\\.[a-z][a-z0-9]*(_[a-z0-9]+)*$`), `${file}: ${code}`)
      t.ok(status >= 400 && status < 600, `${code}: ${status}`)
      t.match(text, /[^.]$/, `${code}: no full stop`)
      for (const name of names(text)) t.match(name, /^[a-z][A-Za-z]*$/, `${code}: {${name}}`)
      if (one === undefined) continue
      t.same(names(one), names(text), `${code}: the same values in both texts`)
      t.ok(names(text).includes('count'), `${code}: which of the two it is, {count} says`)
    }
  }
})

t.test('the documents list the reasons of the tables, and what differs is named', async (t) => {
  const tables = [...(await reasonTables()).values()].flat()
  t.same(differences(tables, publishedReasons()), [])
  const listed = (code: string): ListedReason => ({ code, status: 400, text: 'is wrong', one: undefined })
  const all = ['a.one', 'a.two', 'b.one'].map(listed)
  const documents = (codes: string[]) => new Map([['x.yaml', codes]])
  t.same(differences(all, documents(['a.one', 'a.two', 'b.one'])), [])
  t.same(differences(all, documents(['a.one', 'a.two', 'a.three', 'b.one'])), ['openapi/x.yaml: no table has a.three'])
  t.same(differences(all, documents(['a.one', 'b.one'])), [
    'openapi/x.yaml: FailureReason lacks a.two',
    'no document has a.two',
  ])
  t.same(differences(all, documents(['a.one', 'a.two'])), ['no document has b.one'])
})

interface FailureExample {
  reason: string
  params: Record<string, string>
  code?: number
  msg?: string
  message?: string
  data?: { field: string }[] | null
}

const failureExamples = (node: unknown): FailureExample[] => {
  if (typeof node !== 'object' || node === null) return []
  const inner = Object.values(node).flatMap(failureExamples)
  const { reason, params } = node as Partial<FailureExample>
  return typeof reason === 'string' && typeof params === 'object' ? [node as FailureExample, ...inner] : inner
}

t.test('the examples of failures have the codes and texts of the tables', async (t) => {
  const reasons = new Map([...(await reasonTables()).values()].flat().map((reason) => [reason.code, reason]))
  for (const document of ['directory', 'operations', 'security', 'diet']) {
    const file = new URL(`../../openapi/published/${document}.json`, import.meta.url)
    const examples = failureExamples(JSON.parse(readFileSync(file, 'utf8')))
    t.ok(examples.length > 1, `${document}: ${examples.length} examples`)
    for (const { reason, params, code, msg, message = msg, data } of examples) {
      const { text = '', status } = reasons.get(reason) ?? {}
      const filled = text.replaceAll(/\{(.*?)\}/g, (_, name: string) => params[name] ?? '')
      const [problem] = Array.isArray(data) ? data : []
      t.equal(message, problem === undefined ? filled : `${problem.field}: ${filled}`, `${document}: ${reason}`)
      if (code !== undefined) t.equal(code, status, `${document}: ${reason}`)
    }
  }
})

t.test('the door of the tests refuses a reply whose reason is not published', async (t) => {
  const reply = (reason: string, more = {}) => ({
    statusCode: 404,
    headers: { 'content-type': 'application/json', 'x-request-id': 'x' },
    body: JSON.stringify({ code: 404, message: 'id: meal 1 does not exist', data: null, reason, params: {}, ...more }),
  })
  t.match(assertReply('setMealStatus', reply('diet.meal_not_found')), { code: 404, reason: 'diet.meal_not_found' })
  t.throws(() => assertReply('setMealStatus', reply('diet.no_meal')), /reason must be equal to one of/)
  t.throws(() => assertReply('setMealStatus', reply('people.username_taken')), /reason must be equal to one of/)
  t.throws(() => assertReply('setMealStatus', reply('diet.meal_not_found', { params: { id: 1 } })), /must be string/)
  t.throws(
    () => assertReply('setMealStatus', reply('diet.meal_not_found', { params: undefined })),
    /required property 'params'/,
  )
})

t.test('a failure says its text with its values, at a field or as a whole', async (t) => {
  const cause = new Error('why')
  t.match(sample.gone({ thing: 'book', id: 7 }, { cause }), {
    kind: 'not_found',
    code: 404,
    reason: 'sample.gone',
    params: { thing: 'book', id: '7' },
    message: 'book 7 does not exist',
    details: undefined,
    cause,
  })
  t.equal(sample.closed({ retryAfter: 3 }).retryAfter, 3, 'options come first where there are no values')
  t.match(sample.gone.at('ids.3', { thing: 'book', id: 7 }), {
    message: 'ids.3: book 7 does not exist',
    params: { thing: 'book', id: '7' },
    details: [{ field: 'ids.3', message: 'book 7 does not exist', reason: 'sample.gone', params: { id: '7' } }],
  })
  t.equal(sample.gone({ thing: '{id}', id: 7 }).message, '{id} 7 does not exist', 'a value is not read as a text')
  t.equal(sample.full({ count: 1 }).message, '1 is in it')
  t.equal(sample.full({ count: 2 }).message, '2 are in it')
  t.equal(sample.full.problem('shelf', { count: 1 }).message, '1 is in it')
})

t.test('of many problems the whole is said by the first', async (t) => {
  const problems = Array.from({ length: 25 }, (_, index) =>
    sample.full.problem(`shelves.${index}`, { count: index + 1 }),
  )
  const error = invalidInput(problems)
  t.match(error, { code: 400, reason: 'sample.full', params: { count: '1' }, message: 'shelves.0: 1 is in it' })
  t.equal(error.details?.length, 20)
  t.match(invalidInput([]), { reason: 'service.invalid', message: 'the request is not valid' })
})

t.test('a refusal by a schema has a reason, by its keyword', async (t) => {
  const ajv = new Ajv2020({ allowUnionTypes: true, formats: { date: () => false } })
  const cases: [schema: object, value: unknown, problem: object][] = [
    [{ required: ['a'] }, {}, { field: 'a', reason: 'contract.required' }],
    [{ type: 'string' }, 1, { field: 'body', reason: 'contract.not_text' }],
    [{ type: 'integer' }, 'x', { reason: 'contract.not_whole_number' }],
    [{ type: 'number' }, 'x', { reason: 'contract.not_number' }],
    [{ type: 'boolean' }, 'x', { reason: 'contract.not_boolean' }],
    [{ type: 'object' }, 'x', { reason: 'contract.not_object' }],
    [{ type: 'array' }, 'x', { reason: 'contract.not_list' }],
    [{ type: 'null' }, 'x', { reason: 'contract.not_null' }],
    [{ type: ['string', 'null'] }, 1, { reason: 'contract.wrong_type', params: { types: 'a text or null' } }],
    [{ enum: ['a', 'b'] }, 'c', { reason: 'contract.not_one_of', params: { values: 'a, b' } }],
    [{ type: 'string', minLength: 1 }, '', { reason: 'contract.empty', params: {} }],
    [{ type: 'string', minLength: 2 }, 'a', { reason: 'contract.too_short', params: { count: '2' } }],
    [{ type: 'string', maxLength: 1 }, 'ab', { reason: 'contract.too_long', message: 'must have at most 1 character' }],
    [{ type: 'array', minItems: 2 }, [], { reason: 'contract.too_few_entries', params: { count: '2' } }],
    [{ type: 'array', maxItems: 1 }, [1, 2], { reason: 'contract.too_many_entries', message: /1 entry$/ }],
    [{ type: 'object', minProperties: 1 }, {}, { reason: 'contract.too_few_fields' }],
    [{ type: 'object', maxProperties: 0 }, { a: 1 }, { reason: 'contract.too_many_fields', message: /0 fields$/ }],
    [{ type: 'array', uniqueItems: true }, [1, 1], { reason: 'contract.same_entry' }],
    [{ type: 'number', minimum: 2 }, 1, { reason: 'contract.too_small', params: { limit: '2' } }],
    [{ type: 'number', maximum: 2 }, 3, { reason: 'contract.too_great', params: { limit: '2' } }],
    [{ type: 'number', exclusiveMinimum: 2 }, 2, { reason: 'contract.not_above', params: { limit: '2' } }],
    [{ type: 'number', exclusiveMaximum: 2 }, 2, { reason: 'contract.not_below', params: { limit: '2' } }],
    [{ type: 'string', format: 'date' }, 'x', { reason: 'contract.format', params: { format: 'date' } }],
    [{ type: 'string', pattern: '^a$' }, 'b', { reason: 'contract.pattern', params: { pattern: '^a$' } }],
    [{ type: 'string', pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' }, '\n', { reason: 'text.control_characters' }],
    [{ multipleOf: 2 }, 3, { reason: 'contract.rule', params: { problem: 'must be multiple of 2' } }],
  ]
  for (const [schema, value, problem] of cases) {
    const validate = ajv.compile(schema)
    t.notOk(validate(value))
    const [error] = validate.errors ?? []
    t.match(error && fieldProblem(error, value), problem, JSON.stringify(schema))
  }
  const validate = ajv.compile({ type: 'array', items: { properties: { amount: { maximum: 5 } } } })
  t.notOk(validate([{ name: 'Tofu', amount: 6 }]))
  const [error] = validate.errors ?? []
  t.match(error && fieldProblem(error, [{ name: 'Tofu', amount: 6 }]), {
    field: '0.amount',
    reason: 'contract.too_great',
    params: { limit: '5', item: 'Tofu' },
    message: 'of Tofu must be at most 5',
  })
})

t.test('the reason of a failure is in both envelopes and in the log', async (t) => {
  const { call, lines } = await service(t, {
    handlers: {
      addBook: async () => {
        throw refusals.taken.at('title')
      },
      renewLoan: async () => {
        throw refusals.renewed()
      },
    },
  })
  const token = 'user1'
  t.match(await call('addBook', { token, body: { title: 'Emma', status: 1 } }), {
    status: 200,
    code: 409,
    reason: 'library.taken',
    params: {},
    data: [{ field: 'title', reason: 'library.taken', params: {} }],
  })
  const renewed = { params: { id: 7 }, token, body: { days: 5 } }
  t.match(await call('renewLoan', renewed), { status: 409, reason: 'library.renewed', params: {}, data: null })
  const logged = lines.filter(({ msg, code }) => msg === 'request' && code === 409)
  t.match(logged, [{ reason: 'library.taken' }, { reason: 'library.renewed' }])
  t.equal((await call('ping')).code, 0)
  t.notOk('reason' in (lines.findLast(({ msg }) => msg === 'request') ?? {}), 'a success has none')
})

t.test('a value that another record has is refused by a reason of its own', async (t) => {
  const { call, token } = await steward(t, { directory: 'none' })
  const person = (more: object) => ({
    token,
    body: {
      ...{ username: 'ann', nickname: 'Ann', mail: 'ann@example.com', mobile: '13800000001', jobNumber: '1' },
      ...{ departmentId: [], roleIds: [], ...more },
    },
  })
  const add = (more: object = {}) => call('addUser', person(more))
  t.equal((await add()).code, 0)
  const bea = { username: 'bea', mail: 'bea@example.com', mobile: '13800000002', jobNumber: '2' }
  for (const [field, reason] of [
    ['username', 'people.username_taken'],
    ['mail', 'people.mail_taken'],
    ['mobile', 'people.mobile_taken'],
    ['jobNumber', 'people.job_number_taken'],
  ] as const) {
    const reply = await add({ ...bea, [field]: person({}).body[field] })
    const message = 'is already taken'
    t.match(reply, { code: 409, reason, msg: `${field}: ${message}`, data: [{ field, message, reason }] })
  }
  const twice = async (expected: object, add: () => Promise<{ code: number }>) => {
    t.equal((await add()).code, 0)
    t.match(await add(), { code: 409, ...expected })
  }
  await twice({ reason: 'people.group_name_taken', data: [{ field: 'groupName' }] }, () =>
    call('addGroup', { token, body: { groupName: 'sales', groupType: 'cn', parentId: 0 } }),
  )
  await twice({ reason: 'access.menu_name_taken', data: [{ field: 'name' }] }, () =>
    call('addMenu', { token, body: { name: 'sample', title: 'Sample', path: '/sample', component: 'Sample' } }),
  )
  await twice({ reason: 'access.api_taken', data: [{ field: 'path' }] }, () =>
    call('addApi', { token, body: { method: 'GET', path: '/sample', category: 'sample' } }),
  )
  let keyword = 0
  await twice({ reason: 'access.role_name_taken', data: [{ field: 'name' }] }, () => {
    keyword += 1
    return call('addRole', { token, body: { name: 'Sample', keyword: `sample${keyword}` } })
  })
  const again = await call('addRole', { token, body: { name: 'Other', keyword: 'sample1' } })
  t.match(again, { code: 409, reason: 'access.role_keyword_taken', data: [{ field: 'keyword' }] })
  await twice({ reason: 'devices.name_taken', data: [{ field: 'name' }] }, async () => {
    const { code, ...reply } = await call('registerDevice', { token, body: { name: 'door', type: 'Door' } })
    return { ...reply, code: code === 200 ? 0 : code }
  })
})

/** Never called: the compiler has to refuse the faults in it. */
const mistakes = (): unknown[] => [
  // @ts-expect-error the reason does not exist
  sample.lost(),
  // @ts-expect-error a value is missing
  sample.gone({ thing: 'book' }),
  // @ts-expect-error its text has no such value
  sample.gone({ thing: 'book', id: 1, shelf: 2 }),
  // @ts-expect-error the values are missing
  sample.gone.at('id'),
  // @ts-expect-error nothing fails without a reason
  new AppError('conflict', 'is taken'),
  // @ts-expect-error the kind of failure does not exist
  reasonsOf('sample', { odd: { kind: 'odd', text: 'is odd' } }),
]
t.type(mistakes, 'function')
