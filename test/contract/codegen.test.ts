import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { compareFolder, updateFolder } from '../../scripts/codegen/folder.ts'
import { generate } from '../../scripts/codegen/generate.ts'
import { ContractError } from '../../scripts/codegen/source.ts'
import { fixtureDocument, fixtureText, generateFixtures } from './fixtures.ts'

const library = fixtureText('library')
const loans = fixtureText('loans')
const pantry = fixtureText('pantry')

/** The problems that codegen reports for texts, one per document. */
const problemsOf = async (...texts: string[]): Promise<readonly string[]> => {
  try {
    await generate(texts.map((text, index) => ({ name: `doc${index}`, file: `doc${index}.yaml`, text })))
    return []
  } catch (error) {
    if (error instanceof ContractError) return error.problems
    throw error
  }
}

/** A fixture with one place changed; the place must exist. */
const changed = (from: string, to: string, fixture = library): string => {
  if (!fixture.includes(from)) throw new Error(`the fixture has no ${from}`)
  return fixture.replace(from, () => to)
}

t.test('generation is deterministic', async (t) => {
  const names = ['library', 'loans']
  t.same([...(await generateFixtures(...names))], [...(await generateFixtures(...names))])
})

t.test('generated files say what they are made from', async (t) => {
  const files = await generateFixtures('library', 'loans')
  t.same([...files.keys()].sort(), ['documents.ts', 'library.ts', 'library.types.ts', 'loans.ts', 'loans.types.ts'])
  for (const [, content] of files) t.match(content, /^\/\/ Generated from openapi\/.* Do not edit\.\n/)
})

t.test('an operation carries what the runtime needs', async (t) => {
  const { operations, ...document } = await fixtureDocument('library')
  t.match(document, { name: 'library', title: 'Library', prefix: '/api', envelope: 'msg' })
  const find = (id: string) => operations.find((operation) => operation.id === id)
  t.match(find('login'), {
    tag: 'front desk',
    group: 'frontDesk',
    summary: 'Sign in',
    method: 'POST',
    path: '/login',
    secured: false,
    rateLimit: { max: 3, window: 60, by: 'address' },
  })
  t.match(find('showTree'), {
    path: '/shelves/{id}/tree',
    url: '/shelves/:id/tree',
    secured: true,
    rateLimit: { max: 2, window: 60, by: 'user' },
    schema: { params: { required: ['id'], additionalProperties: false } },
  })
  t.equal(find('listBooks')?.stream, 'books')
})

t.test("a token that may be absent, or is not a user's, is left to the handler", async (t) => {
  const withSecurity = async (security: string): Promise<string> => {
    const text = changed('operationId: addBook', `operationId: addBook\n      security: ${security}`).replace(
      'securitySchemes:',
      'securitySchemes:\n    card: { type: http, scheme: bearer }',
    )
    return (await generate([{ name: 'library', file: 'library.yaml', text }])).get('library.ts') ?? ''
  }
  t.match(await withSecurity('[{ bearer: [] }]'), "addBook: Handler<operations['addBook']>")
  for (const security of ['[]', '[{ bearer: [] }, {}]', '[{ card: [] }]']) {
    t.match(await withSecurity(security), "addBook: PublicHandler<operations['addBook']>", security)
  }
})

t.test('schemas are without annotations, closed, and free of oneOf', async (t) => {
  const { operations, shared } = await fixtureDocument('library')
  const text = JSON.stringify(operations.map(({ schema }) => schema))
  t.notMatch(text, /description|example|oneOf|anyOf|allOf/)
  const body = operations.find(({ id }) => id === 'addBook')?.schema.body
  t.match(body, {
    additionalProperties: false,
    properties: { cover: { additionalProperties: false }, names: { additionalProperties: { type: 'string' } } },
  })
  t.match(body, { properties: { year: { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER } } })
  t.equal(shared.length, 1)
  t.match(shared[0], { $id: 'library.Shelf', properties: { children: { items: { $ref: 'library.Shelf#' } } } })
  const list = operations.find(({ id }) => id === 'listBooks')?.schema.response
  t.match(list, {
    properties: {
      code: { enum: [0] },
      data: { properties: { books: { items: { required: ['title', 'status', 'id', 'lentUntil'] } } } },
    },
  })
})

t.test('of the alternatives of an object the runtime lets all fields through', async (t) => {
  const text = changed(
    'title: { type: string',
    'either: { oneOf: [{ $ref: "#/components/schemas/Bought" }, { $ref: "#/components/schemas/Given" }] }\n        title: { type: string',
  ).replace(
    '\n  schemas:',
    `
  schemas:
    Bought: { type: object, required: [day, price], properties: { day: { type: string }, price: { type: number } } }
    Given: { type: object, required: [day, by], properties: { day: { type: string }, by: { type: string } } }`,
  )
  const generated = (await generate([{ name: 'library', file: 'library.yaml', text }])).get('library.ts') ?? ''
  const [, either = ''] = /either: \{([\s\S]*?)\n {4}\},/.exec(generated) ?? []
  t.match(either, /properties: \{ day: .*, price: .*, by: .* \}/)
  t.match(either, "required: ['day']")
  t.notMatch(either, 'oneOf')
})

t.test('a check finds stale, missing and surplus files', async (t) => {
  const folder = join(mkdtempSync(join(tmpdir(), 'steward-codegen-')), 'generated')
  const files = await generateFixtures('loans')
  t.equal(compareFolder(folder, files).stale.length, 3, 'all are missing at first')
  updateFolder(folder, compareFolder(folder, files))
  t.same(compareFolder(folder, files), { stale: [], surplus: [] })
  writeFileSync(join(folder, 'loans.ts'), 'edited by hand')
  writeFileSync(join(folder, 'gone.ts'), 'left over')
  const difference = compareFolder(folder, files)
  t.same(
    difference.stale.map(([file]) => file),
    ['loans.ts'],
  )
  t.same(difference.surplus, ['gone.ts'])
  updateFolder(folder, difference)
  t.same(readdirSync(folder).sort(), [...files.keys()].sort())
})

t.test('where the status is the outcome, every failure is declared with its own code', async (t) => {
  t.same(await problemsOf(loans), [], 'the fixture itself is fine')
  const anyFailure = "default: { $ref: '#/components/responses/Failure' }"
  const declared = (...statuses: string[]) =>
    changed(
      anyFailure,
      statuses.map((status) => `'${status}': { $ref: '#/components/responses/Failure' }`).join('\n        '),
      loans,
    )
  const withCode = (code: string) => changed('{ type: integer, minimum: 400 }', code, declared('404', 'default'))
  const cases: [text: string, problem: RegExp][] = [
    [declared('404'), /put\/responses: may answer 400, 401, 403, 413, 415, 429, 500, 503 and does not say so/],
    [changed('      x-rate-limit: { max: 5, window: 60, by: user }\n', '', declared('404')), /403, 413, 415, 500, 503/],
    [declared('404', 'default'), /Failure\/content.*code: expected enum: \[404\], the status/],
    [withCode('{ type: integer, enum: [404, 409] }'), /expected enum: \[404\]/],
    [declared('201', 'default'), /responses\/201: expected 200, a failure/],
    [declared('4XX', 'default'), /responses\/4XX: expected 200, a failure/],
    [
      changed(
        'required: [code, message, data, reason, params]\n            properties',
        'required: [code, message, data]\n            properties',
        loans,
      ),
      /expected an envelope of code/,
    ],
    [changed('              data: {}\n', '', loans), /expected an envelope of code/],
  ]
  for (const [text, problem] of cases) {
    const problems = await problemsOf(text)
    t.ok(
      problems.some((line) => problem.test(line)),
      `${problem.source}: ${problems.join('; ')}`,
    )
  }
  t.same(await problemsOf(withCode('{ type: integer, enum: [404] }')), [])
})

t.test('a success may be a page or a file instead of an envelope, and nothing else', async (t) => {
  const [before = '', after = ''] = loans.split(
    / {12}application\/json:\n(?= {14}schema:\n {16}type: object\n {16}required: \[code, message, data\])/,
  )
  const listing = (type: string) => `${before}            ${type}:\n${after}`
  const page = await generate([{ name: 'loans', file: 'loans.yaml', text: listing('text/html') }])
  t.match(page.get('loans.ts'), /listLoans: Handler<operations\['listLoans'\], Content>/)
  t.match(page.get('loans.ts'), /media: \['text\/html'\]/)
  t.same(await problemsOf(listing('application/octet-stream')), [])
  const kept = listing('text/html').replace('operationId: listLoans', '$&\n      x-cache: { maxAge: 60 }')
  t.match(await problemsOf(kept), [/~1loans\/get\/x-cache: what is sent as it is read cannot be kept/])
  t.match(await problemsOf(listing('image/png')), [/~1loans\/get.*expected application\/json and nothing else/])
})

t.test('limits share a bucket, and writes drop what reads keep', async (t) => {
  t.same(await problemsOf(pantry), [], 'the fixture itself is fine')
  const { operations } = await fixtureDocument('pantry')
  const find = (id: string) => operations.find((operation) => operation.id === id)
  const rateLimit = { max: 4, window: 60, by: 'user', bucket: 'reads' }
  t.match(find('listJars'), { rateLimit, cache: { maxAge: 300 }, dropsCache: undefined })
  t.match(find('countJars'), { rateLimit, cache: { maxAge: 3600 } })
  t.match(find('fillJar'), { rateLimit: { bucket: 'writes' }, cache: undefined, dropsCache: true })
  const cache = 'x-cache: { maxAge: 300 }'
  const reads = 'x-rate-limit: { max: 4, window: 60, by: user, bucket: reads }'
  const open = 'operationId: listJars\n      security: []'
  const cases: [text: string, problem: RegExp][] = [
    [
      changed(reads, reads.replace('4', '5'), pantry),
      /~1count\/get\/x-rate-limit: the bucket reads is 5 in 60 s by user at GET \/jars/,
    ],
    [changed(reads, reads.replace('window: 60', 'window: 61'), pantry), /the bucket reads is 4 in 61 s by user/],
    [changed(cache, 'x-cache: { maxage: 300 }', pantry), /x-cache: expected/],
    [changed(cache, 'x-cache: { maxAge: 0 }', pantry), /x-cache: expected/],
    [changed(cache, 'x-cache: { maxAge: 86401 }', pantry), /x-cache: kept for a day at most/],
    [changed('operationId: listJars', open, pantry), /~1jars\/get\/x-cache: kept per user/],
    [
      changed(cache, `${cache}\n      parameters: [{ name: a, in: query, schema: { type: string } }]`, pantry),
      /x-cache: only a GET without parameters/,
    ],
    [changed(cache, 'x-cache-drop: true', pantry), /~1jars\/get\/x-cache-drop: a GET changes nothing/],
    [changed('x-cache-drop: true', 'x-cache-drop: yes please', pantry), /x-cache-drop: expected true/],
    [
      changed('operationId: fillJar', 'operationId: fillJar\n      security: []', pantry),
      /~1jars\/post\/x-cache-drop: there is no user/,
    ],
  ]
  for (const [text, problem] of cases) {
    const problems = await problemsOf(text)
    t.ok(
      problems.some((line) => problem.test(line)),
      `${problem.source}: ${problems.join('; ')}`,
    )
  }
})

t.test('a document that the runtime cannot follow is refused with the place', async (t) => {
  t.same(await problemsOf(library), [], 'the fixture itself is fine')
  const limit = 'x-rate-limit: { max: 3, window: 60, by: address }'
  const pageNum = '{ name: pageNum, in: query, schema: { type: integer, minimum: 1 } }'
  const title = '{ type: string, minLength: 2, maxLength: 20, description: Its title, example: Emma }'
  const field = (schema: string) => changed(title, schema)
  const parameter = (text: string) => changed(pageNum, text)
  const operation = (text: string) => changed('operationId: cleanBooks', `operationId: cleanBooks\n      ${text}`)
  const cases: [text: string, problem: RegExp][] = [
    // extensions
    [changed(limit, 'x-ratelimit: { max: 3 }'), /#\/paths\/~1login\/post\/x-ratelimit: .*not known/],
    [changed(limit, 'x-rate-limit: { max: 3 }'), /x-rate-limit: expected/],
    [changed(limit, 'x-rate-limit: { max: 0, window: 60, by: address }'), /x-rate-limit: expected/],
    [changed(limit, 'x-rate-limit: { max: 3, window: 60, by: moon }'), /x-rate-limit: expected/],
    [changed(limit, 'x-rate-limit: { max: 3, window: 60, by: user }'), /there is no user/],
    [changed(limit, 'x-rate-limit: { max: 3, window: 60, by: address, buckets: a }'), /x-rate-limit: expected/],
    [changed(limit, 'x-rate-limit: { max: 3, window: 60, by: address, bucket: A 1 }'), /x-rate-limit: expected/],
    [changed(limit, 'x-rate-limit: { max: 3, window: 60, by: address, bucket: null }'), /x-rate-limit: expected/],
    [operation('x-cache: { maxAge: 300 }'), /books\/delete\/x-cache: only a GET without parameters/],
    [operation('x-cache-drop: true'), /x-cache-drop: no operation of this document has an x-cache/],
    [changed('x-stream: books', 'x-stream: bookz'), /x-stream: expected/],
    [changed('x-envelope: msg', 'x-envelope: none'), /#\/x-envelope: expected/],
    [changed('x-envelope: msg', 'x-other: 1'), /#\/x-other: .*not known/],
    [field('{ type: string, x-secret: true }'), /BookFields\/properties\/title\/x-secret/],
    [
      changed('- { name: books, description: Books }', '- { name: books, x-stream: books }'),
      /x-stream has no effect here/,
    ],
    // operations
    [changed('operationId: cleanBooks', 'operationId: addBook'), /operationId: addBook is taken by .*POST \/books/],
    [changed('      operationId: cleanBooks\n', ''), /#\/paths\/~1books\/delete: needs an operationId/],
    [changed('operationId: cleanBooks', 'operationId: clean-books'), /needs an operationId that is an identifier/],
    [changed('      summary: Remove all books\n', ''), /needs a summary/],
    [changed('tags: [front desk]', 'tags: []'), /tags: expected exactly one/],
    [changed('tags: [front desk]', 'tags: [front desk, books]'), /tags: expected exactly one/],
    [changed('tags: [front desk]', 'tags: [desk]'), /the tag desk is not declared/],
    [operation('callbacks: {}'), /callbacks is not supported/],
    [operation("servers: [{ url: 'https://elsewhere' }]"), /servers is not supported/],
    [changed('  /books/sync:\n    post:', '  /books/sync:\n    options:'), /options is not supported/],
    [changed('/books/sync', '/books/{a}.{b}'), /expected segments/],
    [changed('{ type: http, scheme: bearer }', '{ type: http, scheme: basic }'), /only a bearer token/],
    [operation('security: [{ other: [] }]'), /#\/paths\/~1books\/delete\/security: expected/],
    [operation('security: [{ bearer: [] }, { bearer: [] }]'), /security: expected/],
    [changed('security:\n  - bearer: []\n', ''), /says neither here nor for all operations/],
    [changed("'{baseUrl}/api'", "'{baseUrl}'"), /#\/servers: expected one server/],
    // parameters
    [parameter('{ name: session, in: cookie, schema: { type: string } }'), /cookie parameters are not supported/],
    [parameter('{ name: x-trace, in: header, schema: { type: string } }'), /header parameters are not supported/],
    [parameter('{ name: title, in: query, schema: { type: string } }'), /the parameter title is declared twice/],
    [parameter('{ name: a, in: query, style: deepObject, schema: { type: string } }'), /style is not supported/],
    [parameter('{ name: a, in: query, schema: { type: object } }'), /expected a string, integer/],
    [parameter('{ name: a, in: path, required: true, schema: { type: string } }'), /part of the path/],
    [parameter('{ name: a, in: query, required: true, schema: { type: string, default: b } }'), /no use for a default/],
    [parameter("{ $ref: '#/components/parameters/None' }"), /is not one of #\/components\/parameters/],
    [
      changed('{ name: id, in: path, required: true', '{ name: key, in: path, required: true'),
      /the path parameter id is not declared/,
    ],
    // bodies
    [
      changed('application/json:\n            schema: { $ref', 'application/xml:\n            schema: { $ref'),
      /expected application\/json and nothing else/,
    ],
    [
      changed(
        "schema: { $ref: '#/components/schemas/BookFields' }",
        'schema: { type: array, items: { type: string } }',
      ),
      /a body must be an object/,
    ],
    [
      changed("schema: { $ref: '#/components/schemas/BookFields' }", "schema: { $ref: '#/components/schemas/Shelf' }"),
      /a body must not be recursive/,
    ],
    [operation('requestBody: { $ref: "other.yaml#/body" }'), /\$ref other.yaml#\/body is not one of/],
    // schemas
    [field('{ type: string, nullable: true }'), /title\/nullable: OpenAPI 3.1 says/],
    [field('{ type: string, format: colour }'), /the format colour is not checked/],
    [field('{ type: string, default: x }'), /a default takes effect in parameters only/],
    [field('{ type: strnig }'), /"strnig" is no type/],
    [field('{ type: [string, integer] }'), /only one type/],
    [field('{ minLength: 1 }'), /title: needs a type/],
    [field('{ type: array }'), /an array needs items/],
    [field('{ oneOf: [{ type: string }] }'), /title\/oneOf\/0: .* must be objects/],
    [
      field(
        '{ oneOf: [{ type: object, properties: { a: { type: string } } }, { type: object, properties: { a: { type: number } } }] }',
      ),
      /properties\/a: is something else in another alternative/,
    ],
    [field("{ oneOf: [{ $ref: '#/components/schemas/Book' }] }"), /oneOf: must not be recursive/],
    [field("{ type: object, oneOf: [{ $ref: '#/components/schemas/Book' }] }"), /type: has no effect beside oneOf/],
    [field('{ type: string, enum: [a, b], x-enum-varnames: [A] }'), /x-enum-varnames has no effect here/],
    [field('{ anyOf: [{ type: string }] }'), /title\/anyOf: .*not supported/],
    [field('{ type: object, patternProperties: {} }'), /patternProperties is not supported/],
    [field('{ type: object, required: [a] }'), /a is required but not declared/],
    [
      field("{ $ref: '#/components/schemas/None' }"),
      /#\/components\/schemas\/BookFields\/properties\/title: \$ref .*None/,
    ],
    [field("{ $ref: 'https://example.org/schema.json' }"), /is not one of #\/components\/schemas/],
    [field("{ $ref: '#/components/schemas/Status', minimum: 2 }"), /has no effect beside \$ref/],
    [
      changed(
        "id: { $ref: '#/components/schemas/Id' }\n            lentUntil",
        'title: { type: string }\n            lentUntil',
      ),
      /declared twice by the parts of an allOf/,
    ],
    // replies
    [
      changed("'200': { $ref: '#/components/responses/Done' }", "'201': { $ref: '#/components/responses/Done' }"),
      /needs a 200 response/,
    ],
    [
      changed(
        "'200': { $ref: '#/components/responses/Done' }",
        "'200': { $ref: '#/components/responses/Done' }\n        '404': { $ref: '#/components/responses/Done' }",
      ),
      /responses\/404: this envelope always travels with 200/,
    ],
    [changed('code: { type: integer, enum: [0] }', 'code: { type: integer }'), /expected one success/],
    [changed('required: [code, data, msg]', 'required: [code, msg]'), /data is always there, so it is required/],
    [
      changed('msg: { type: string }', 'msg: { type: string }\n                      extra: { type: string }'),
      /extra: not part of the envelope/,
    ],
    [
      changed("                  - $ref: '#/components/schemas/Failure'\n", ''),
      /#\/paths\/~1ping\/get\/responses\/200\/content.*: expected oneOf/,
    ],
    // the file
    [changed('openapi: 3.1.0', 'openapi: 3.0.3'), /#\/openapi: expected 3.1/],
    [changed('x-envelope: msg', 'x-envelope: msg\nx-envelope: msg'), /Map keys must be unique/],
    ['- just\n- a list', /not an OpenAPI document/],
    ['a: [', /doc0.yaml: /],
    // what YAML 1.1 cannot read, or reads otherwise
    [field('{ type: string, example: a ?? b }'), /line \d+: quote a \?\? b, which YAML 1.1 cannot have/],
    [field('{ type: string, enum: [yes, no] }'), /quote .*\/enum\/0, which YAML 1.1 reads otherwise/],
  ]
  for (const [text, problem] of cases) {
    const problems = await problemsOf(text)
    t.ok(
      problems.some((line) => problem.test(line)),
      `${problem.source}: ${problems.join('; ')}`,
    )
    t.ok(problems.every((line) => line.startsWith('doc0.yaml')))
  }
  const twice = await problemsOf(library, library.replace("'{baseUrl}/api'", "'{baseUrl}/other'"))
  t.ok(
    twice.some((line) => /^doc1.yaml.*ping is taken by doc0.yaml/.test(line)),
    'ids are unique in all documents',
  )
})
