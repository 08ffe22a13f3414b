import t from 'tap'
import type { Schema } from '../../src/contract/document.ts'
import { documents } from '../../src/generated/documents.ts'
import { textPatterns } from '../../src/text/text-patterns.ts'

// The characters that every text in a request of any document may hold.

interface Text {
  where: string
  schema: Schema
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

function* textsIn(schema: unknown, where: string): Generator<Text> {
  if (!isSchema(schema)) return
  // A recursive schema is in no request so far: it would have to be followed here.
  if (schema.$ref !== undefined) throw new Error(`${where} refers to ${schema.$ref}`)
  if ([schema.type].flat().includes('string')) yield { where, schema }
  if (isSchema(schema.properties)) {
    for (const [name, property] of Object.entries(schema.properties)) yield* textsIn(property, `${where} ${name}`)
  }
  for (const part of ['items', 'additionalProperties'] as const) yield* textsIn(schema[part], `${where} ${part}`)
  for (const part of ['oneOf', 'anyOf', 'allOf'] as const) {
    for (const each of Array.isArray(schema[part]) ? schema[part] : []) yield* textsIn(each, where)
  }
}

const texts = documents.flatMap(({ operations }) =>
  operations.flatMap(({ id, schema }) =>
    (['params', 'querystring', 'body'] as const).flatMap((part) => [...textsIn(schema[part], `${id} ${part}`)]),
  ),
)

/** Texts that are free of the rule, by the end of where they are, and why. */
const free: Readonly<Record<string, string>> = {
  password: 'a secret is hashed or compared as it is, and shown nowhere',
  newPassword: 'a secret',
  oldPassword: 'a secret',
  passwd: 'a secret, or a sealed one',
  'body key': 'an SSH key is read as a whole, and refused by name',
}

/** Texts of several lines, and why. */
const severalLines: Readonly<Record<string, string>> = {
  introduction: 'the description of an entry',
  postalAddress: 'an address has lines',
  'body remark': 'notes of administrators',
  description: 'what a person writes about a meal or an emergency',
  'attributes additionalProperties': 'an expression may be laid out',
}

/** Texts that may be only spaces although they must not be empty, and why. */
const mayBeBlank: Readonly<Record<string, string>> = {
  planHash: 'compared with the plan',
  code: 'compared with what was sent',
  amount: 'read as a number and a unit, which is refused by name',
  'callForHelp body description': 'a call for help is not refused for its words',
}

const isNamedIn = (list: Readonly<Record<string, string>>, where: string): boolean =>
  Object.keys(list).some((end) => where.endsWith(` ${end}`) || where === end)

const bound = texts.filter(
  ({ where, schema }) => schema.enum === undefined && schema.format === undefined && !isNamedIn(free, where),
)

const controls = [...Array(0x20).keys(), ...Array.from({ length: 0x21 }, (_, n) => 0x7f + n)].map((code) =>
  String.fromCharCode(code),
)

t.test('there are texts, and each exception is one', async (t) => {
  t.ok(bound.length > 80, String(bound.length))
  for (const list of [free, severalLines, mayBeBlank]) {
    for (const name of Object.keys(list)) {
      t.ok(
        texts.some(({ where }) => isNamedIn({ [name]: '' }, where)),
        name,
      )
    }
  }
})

t.test('no text takes a control character; line breaks and tabs only where there are lines', async (t) => {
  for (const { where, schema } of bound) {
    if (!t.type(schema.pattern, 'string', `${where} has a pattern`)) continue
    const pattern = new RegExp(String(schema.pattern), 'u')
    const lines = isNamedIn(severalLines, where)
    const taken = controls.filter((control) => pattern.test(`a${control}b`) || pattern.test(`a@b.c${control}`))
    t.same(taken, lines ? ['\t', '\n', '\r'] : [], where)
  }
})

t.test('a text that must not be empty must not be blank', async (t) => {
  for (const { where, schema } of bound) {
    if (Number(schema.minLength ?? 0) === 0 || isNamedIn(mayBeBlank, where)) continue
    const pattern = new RegExp(String(schema.pattern), 'u')
    for (const blank of [' ', '\u00a0', '\u3000', '\u2003', '\ufeff']) {
      t.notOk(pattern.test(blank.repeat(Number(schema.minLength))), `${where}: ${JSON.stringify(blank)}`)
    }
  }
})

t.test('the patterns mean the same to a client that compiles them without the flag u', async (t) => {
  const samples = [
    ...['', ' ', 'a', 'ab c', '王小明', '🚀', ' a ', 'a\nb', 'a\u0007', '\u0085', 'a@b', 'a@b.c', 'a@b.', 'a@@b', '@b', 'a@'],
    ...['<a@b>', 'x,a@b', 'a b@c', "o'brien+x@mail.example.org", 'ä@b', 'a@b\n', '+86 138-0000', "(0) '1'", '#1', '１', '  '],
  ] // biome-ignore format: a list
  for (const pattern of new Set(texts.flatMap(({ schema }) => schema.pattern ?? []))) {
    const [one, other] = [new RegExp(String(pattern), 'u'), new RegExp(String(pattern))]
    for (const sample of samples) t.equal(one.test(sample), other.test(sample), `${pattern} ${JSON.stringify(sample)}`)
  }
})

t.test('a mail address is one address, or nothing', async (t) => {
  const mail = new RegExp(textPatterns.mail, 'u')
  for (const taken of ['', 'a@b', 'A.B@Example.org', "o'brien+x@mail.example.org", 'x_y-z/1@a-b.c']) t.ok(mail.test(taken), taken)
  for (const refused of [
    ...['nonsense', '@', 'a@', '@b', 'a@b@c', 'a b@c', ' a@b', 'a@b ', 'a@b.', 'a@b..', 'a@b.c\nBcc: x@y.z', 'a@b\0'],
    ...['<a@b>', 'x,a@b', 'g:a@b;', 'a@b(c)', '"a"@b', 'a\\@b', 'a@[127.0.0.1]', 'ä@b', 'a@\u0131.b', 'm\u0130ni@b', '\uff41@b'],
  ]) t.notOk(mail.test(refused), JSON.stringify(refused))
}) // biome-ignore format: tables

t.test('no pattern takes long to say no', async (t) => {
  const long = [
    'a'.repeat(200_000),
    ' '.repeat(200_000),
    'a@'.repeat(100_000),
    `a@${'.'.repeat(200_000)}`,
    '1 '.repeat(100_000),
  ]
  const began = performance.now()
  for (const pattern of new Set(texts.flatMap(({ schema }) => schema.pattern ?? []))) {
    for (const text of long) new RegExp(String(pattern), 'u').test(`${text}\u0007`)
  }
  t.ok(performance.now() - began < 20_000, `${performance.now() - began} ms`)
})
