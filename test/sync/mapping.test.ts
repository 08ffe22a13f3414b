import { deepStrictEqual } from 'node:assert/strict'
import { createRequire } from 'node:module'
import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import t from 'tap'
import { openPasswords } from '../../src/auth/passwords.ts'
import { transportCipher } from '../../src/auth/transport-cipher.ts'
import { fieldRelations } from '../../src/db/schema.ts'
import { directoryDocument } from '../../src/generated/directory.ts'
import { bootstrap } from '../../src/main/bootstrap.ts'
import { userColumns } from '../../src/people/user-fields.ts'
import type { Slot } from '../../src/sources/slot.ts'
import type { Connector, SourceRecord } from '../../src/sources/source.ts'
import { compileMapping } from '../../src/sync/mapping/compile.ts'
import { defaultRelations } from '../../src/sync/mapping/defaults.ts'
import { evaluate, textOf, Unusable } from '../../src/sync/mapping/evaluate.ts'
import {
  type Expression,
  ExpressionError,
  type FunctionName,
  parseExpression,
} from '../../src/sync/mapping/expression.ts'
import { fields, posixNumberField } from '../../src/sync/mapping/fields.ts'
import { knownFlags, loadMapping } from '../../src/sync/mapping/relations.ts'
import type { RunKind } from '../../src/sync/run-request.ts'
import { mobileKeys } from '../../src/text/identity-keys.ts'
import type { Bounds } from '../contract/inputs.ts'
import { oddCharacters } from '../contract/odd-values.ts'
import { testDatabase } from '../database.ts'
import { refused } from '../people/console.ts'
import { steward } from '../steward.ts'

const seed = Number(process.env.FUZZ_SEED ?? 20_260_131)

/** The value of an expression for a record, or the reason why it cannot be used. */
const answer = (expression: string, record: SourceRecord): string | undefined => {
  const text = textOf(evaluate(parseExpression(expression), record))
  return text instanceof Unusable ? `! ${text.stated.text}` : text
}

t.test('an expression answers', async (t) => {
  const record: SourceRecord = {
    name: 'Ann',
    empty: '',
    nothing: null,
    spaced: ' Ann\u3000',
    number: 17,
    no: false,
    mail: 'Ann.Li@Example.org',
    attrs: [{ value: 'first' }, { value: 'second' }],
    tags: ['a', '', null, 'b', 3],
    nested: [['a'], {}],
    inner: { 'cost center': '42', 'dotted.name': 'x' },
    电话: '123',
    'x-y_$1': 'odd',
    lower: 'no function',
  }
  const expected: Record<string, string | undefined> = {
    name: 'Ann',
    ' name\n': 'Ann',
    empty: '',
    nothing: undefined,
    absent: undefined,
    'absent.further[3]["down"]': undefined,
    number: '17',
    no: 'false',
    lower: 'no function',
    电话: '123',
    'x-y_$1': 'odd',
    'attrs[1].value': 'second',
    'attrs [ 1 ] . value': 'second',
    'attrs[2].value': undefined,
    'name[0]': 'Ann',
    'name[1]': undefined,
    'name.length': undefined,
    'inner["cost center"]': '42',
    "inner['dotted.name']": 'x',
    'inner[0]': undefined,
    '""': '',
    '"it\'s"': "it's",
    '\'say "hi"\'': 'say "hi"',
    '"\\"\\\'\\\\\\n\\t"': '"\'\\\n\t',
    'absent ?? name': 'Ann',
    'nothing ?? empty ?? name': 'Ann',
    'name ?? absent': 'Ann',
    'empty ?? absent': undefined,
    'absent ?? empty': '',
    'empty ?? empty': '',
    'absent ?? nothing': undefined,
    'absent ?? ""': '',
    'no ?? name': 'false',
    'lower(mail)': 'ann.li@example.org',
    'lower(absent)': undefined,
    'trim(spaced)': 'Ann',
    'before(mail, "@")': 'Ann.Li',
    'before(name, "@")': 'Ann',
    'before(absent, "@")': undefined,
    'lower(before(absent ?? mail, "."))': 'ann',
    'join(tags, ", ")': 'a, b, 3',
    "join(tags, '')": 'ab3',
    'join(name, ",")': 'Ann',
    'join(absent, ",")': undefined,
  }
  for (const [expression, value] of Object.entries(expected)) t.equal(answer(expression, record), value, expression)

  for (const expression of ['tags', 'attrs.value', 'absent ?? tags', 'lower(tags)', 'attrs.length']) {
    t.match(answer(expression, record), /^! is a list: take one of it/, expression)
  }
  t.match(answer('inner', record), /^! is an object/)
  t.match(answer('join(inner, ",")', record), /^! is an object/)
  t.match(answer('join(nested, ",")', record), /^! is a list of lists/)
})

t.test('an expression reads what a record itself has and nothing else', async (t) => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'a.constructor', 'a["__proto__"].x']) {
    t.equal(answer(name, { a: {} }), undefined, name)
  }
  t.equal(answer('__proto__.x', JSON.parse('{"__proto__": {"x": "own"}}')), 'own')
  t.equal(answer('constructor', { constructor: 'a builder' }), 'a builder')
})

t.test('pinyin writes Chinese names in Latin letters, with the readings that names have', async (t) => {
  const isLoaded = (): boolean =>
    Object.keys(createRequire(import.meta.url).cache).some((file) => file.includes('pinyin'))
  answer('pinyin(name)', { name: 'Ann' })
  t.notOk(isLoaded(), 'the dictionary is not loaded for nothing')
  const expected: Record<string, string> = {
    张三: 'zhangsan',
    吕布: 'lvbu',
    单田芳: 'shantianfang',
    欧阳修: 'ouyangxiu',
    '李娜 Na': 'lina Na',
    'Łukasz-O\u0301': 'Łukasz-O\u0301',
    '王😀\u{20bb7}': 'wang😀\u{20bb7}',
    '\ud800李': '\ud800li',
    '': '',
  }
  for (const [name, letters] of Object.entries(expected)) t.equal(answer('pinyin(name)', { name }), letters)
  t.ok(isLoaded())
})

t.test('a text that is not an expression is refused with the place and what was expected there', async (t) => {
  const expected: Record<string, [position: number, message: RegExp]> = {
    '': [1, /^expected a field, a quoted text or a function, not the end,/],
    'a ??': [5, /^expected a field, a quoted text/],
    '?? a': [1, /^expected a field, a quoted text/],
    'a b': [3, /^expected a \?\? or the end/],
    'a ? b': [3, /^unexpected "\?"/],
    '(a)': [1, /^expected a field, a quoted text/],
    'a + b': [3, /^unexpected "\+"/],
    '"😀" + b': [5, /^unexpected "\+"/],
    '1a': [1, /^expected a field/],
    'a.': [3, /^expected a field, not the end/],
    'a.1': [3, /^expected a field/],
    'a[': [3, /^expected a number or a quoted field/],
    'a[-1]': [3, /^unexpected "-"/],
    'a[1': [4, /^expected a \]/],
    'a[12345]': [3, /^expected at most 4 digits/],
    'a ?? "b': [6, /^expected a closing quote/],
    '"b\\x"': [3, /^expected one of/],
    '"b\\': [3, /^expected one of/],
    'eval(a)': [1, /^expected one of lower, trim, pinyin, before, join/],
    'constructor(a)': [1, /^expected one of lower/],
    'lower()': [7, /^expected a field, a quoted text/],
    'lower(a, "x")': [8, /^expected a \?\? or a \)/],
    'before(a)': [9, /^expected a \?\? or a comma/],
    'before(a, b)': [11, /^expected a quoted text/],
    'before(a, "")': [11, /^expected a text that is not empty/],
    'join(a, "," ??': [13, /^expected a \)/],
    [`${'lower('.repeat(17)}a${')'.repeat(17)}`]: [97, /^expected at most 16 functions inside each other/],
    ['😀'.repeat(1025)]: [1025, /^expected at most 1024 characters/],
  }
  for (const [expression, [position, message]] of Object.entries(expected)) {
    t.throws(() => parseExpression(expression), { name: 'ExpressionError', position, message }, expression)
  }
  t.ok(parseExpression(`${'lower('.repeat(16)}a${')'.repeat(16)}`))
  t.ok(parseExpression('李'.repeat(1024)))
})

/** Words of the language and other words, in any order. */
const nearlyExpressions = fc
  .array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.constantFrom('a', 'lower', 'join', 'before', '(', ')', '[', ']', '.', ',', '??', '"@"', '0', ' '),
      },
      fc.constantFrom("'", '"', '\\', '__proto__', 'length', ...oddCharacters),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 12 },
  )
  .map((words) => words.join(''))

const names = fc.constantFrom('a', 'b', 'lower', '__proto__', 'length', 'x-y_$1', '电话')
const texts = fc.string({ unit: fc.constantFrom('a', '"', "'", '\\', '\n', '\t', '😀', ' ', '@', '.'), maxLength: 5 })
const steps = fc.oneof(names, fc.nat(9999), texts)

const path = (name: string, more: (string | number)[]): Expression => ({ kind: 'path', steps: [name, ...more] })
const literal = (text: string): Expression => ({ kind: 'literal', text })
const call = (name: FunctionName, argument: Expression, separator: string): Expression => ({
  ...{ kind: 'call', name, argument },
  separator: name === 'before' || name === 'join' ? `${separator},` : '',
})
const functions = fc.constantFrom<FunctionName[]>('lower', 'trim', 'pinyin', 'before', 'join')

const { expression: expressions } = fc.letrec<Record<'expression' | 'operand', Expression>>((tie) => ({
  operand: fc.oneof(
    { maxDepth: 4 },
    fc.tuple(names, fc.array(steps, { maxLength: 3 })).map((parts) => path(...parts)),
    texts.map(literal),
    fc.tuple(functions, tie('expression'), texts).map((parts) => call(...parts)),
  ),
  expression: fc.oneof(
    tie('operand'),
    fc
      .array(tie('operand'), { minLength: 2, maxLength: 3 })
      .map((operands): Expression => ({ kind: 'first', operands })),
  ),
}))

/** An expression as an administrator may write it: in either quotes, with or without spaces. */
const written = (expression: Expression, quote: '"' | "'", space: string): string => {
  const quoted = (text: string): string =>
    `${quote}${text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`).replaceAll('\n', '\\n')}${quote}`
  const word = (step: string | number): string => {
    if (typeof step === 'number') return `[${space}${step}${space}]`
    return /^[\p{L}_-]+$/u.test(step) ? `.${space}${step}` : `[${space}${quoted(step)}${space}]`
  }
  const write = (expression: Expression): string => {
    switch (expression.kind) {
      case 'literal':
        return quoted(expression.text)
      case 'path':
        return expression.steps.map((step, i) => (i === 0 ? step : word(step))).join(space)
      case 'first':
        return expression.operands.map(write).join(`${space}??${space}`)
      case 'call': {
        const { name, argument, separator } = expression
        const more = separator === '' ? '' : `,${space}${quoted(separator)}`
        return `${name}${space}(${space}${write(argument)}${space}${more})`
      }
    }
  }
  return write(expression)
}

const records = fc.oneof(
  fc.dictionary(names, fc.jsonValue({ maxDepth: 3 }), { noNullPrototype: true }),
  fc.record({
    a: fc.array(fc.string({ unit: 'binary' })),
    b: fc.string({ unit: fc.constantFrom(...oddCharacters, '\0', '\ud800') }),
  }),
) as fc.Arbitrary<SourceRecord>

t.test('every text is an expression or an ExpressionError, and evaluating it never throws', async (t) => {
  let accepted = 0
  const property = fc.property(fc.oneof(nearlyExpressions, fc.string({ unit: 'binary' })), records, (text, record) => {
    try {
      textOf(evaluate(parseExpression(text), record))
      accepted++
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      const { position, message } = error
      if (position < 1 || position > [...text].length + 1) throw new Error(`${position} is not in ${text}`)
      if (!message.endsWith(` at character ${position}`)) throw new Error(message)
    }
  })
  t.doesNotThrow(() => fc.assert(property, { seed, numRuns: 5000 }))
  t.ok(accepted > 100, `${accepted} were expressions`)
})

t.test('an expression has the same meaning with any quotes and spaces', async (t) => {
  const ways = fc.tuple(fc.constantFrom('"' as const, "'" as const), fc.constantFrom('', ' ', '\n\t '))
  const property = fc.property(expressions, ways, (meant, [quote, space]) => {
    const text = written(meant, quote, space)
    fc.pre([...text].length <= 1024)
    deepStrictEqual(parseExpression(text), meant)
  })
  t.doesNotThrow(() => fc.assert(property, { seed, numRuns: 1000 }))
})

t.test('a field holds as many characters as the contract allows, a nickname more', async (t) => {
  const bodyOf = (id: string) =>
    directoryDocument.operations.find((operation) => operation.id === id)?.schema.body?.properties as Record<
      string,
      Bounds
    >
  for (const [kind, bounds] of [
    ['users', bodyOf('addUser')],
    ['groups', bodyOf('addGroup')],
  ] as const) {
    for (const { name, problem } of fields[kind].filter((each) => each.name !== posixNumberField)) {
      const { minLength = 0, maxLength = 0 } = name === 'nickname' ? { maxLength: 255 } : (bounds[name] ?? {})
      const longest = name === 'mail' ? `x@${'x'.repeat(maxLength - 2)}` : 'x'.repeat(maxLength)
      t.equal(problem(longest), null, `${name}: ${maxLength}`)
      t.match(problem('x'.repeat(maxLength + 1))?.text ?? '', /^must have at most/, `${name}: ${maxLength + 1}`)
      t.equal(problem('x'.repeat(minLength)), null, `${name}: ${minLength}`)
      if (minLength > 0) t.match(problem('x'.repeat(minLength - 1))?.text ?? '', /^must (have at least|not be empty)/)
    }
  }
})

t.test('a mapping leaves out what a field cannot hold and says so', async (t) => {
  const map = compileMapping('users', Object.fromEntries(fields.users.map(({ name }) => [name, name])))
  const good = {
    username: 'ann',
    nickname: '安'.repeat(200),
    mail: '',
    mobile: '+86 138-0000',
    postalAddress: '1 Main St\nTown',
  }
  t.same(map(good), { fields: good, problems: [] })
  t.same(map({ username: 'ann', jobNumber: 17, avatar: null, extra: 'x' }), {
    fields: { username: 'ann', jobNumber: '17' },
    problems: [],
  })
  const wrong: [field: string, value: unknown, reason: RegExp][] = [
    ['username', undefined, /^is not in the record/],
    ['username', '', /^must have at least 2/],
    ['username', '😀', /^must have at least 2/],
    ['username', '\u200b\u200b', /^must contain a visible character/],
    ['username', 'a\nb', /no control characters$/],
    ['username', ['ann'], /^is a list/],
    ['nickname', 'a\0b', /no control characters$/],
    ['nickname', 'a\ud800', /^must not contain half of a surrogate pair/],
    ['nickname', { first: 'Ann' }, /^is an object/],
    ['mail', 'änn@example.org', /^must be a mail address in ASCII/],
    ['mail', 'm\u0130ni@example.org', /^must be a mail address in ASCII/],
    ['mail', 'nonsense', /^must be a mail address in ASCII/],
    ['mail', 'a@b.c\nBcc: x@y.z', /^must be a mail address in ASCII/],
    ['jobNumber', '1\t2', /no control characters$/],
    ['mobile', '138 0000 ext²', /^must contain only letters/],
    ['introduction', 'a\u0007', /^must not contain control characters/],
    ['position', '😀'.repeat(129), /^must have at most 128/],
  ]
  for (const [field, value, reason] of wrong) {
    const mapped = map({ ...good, [field]: value })
    const { [field]: _, ...others } = good as Record<string, string>
    t.same(mapped.fields, others, field)
    t.match(mapped.problems, [{ field, reason }], field)
    t.equal(mapped.problems.length, 1)
  }
  const untidy = {
    username: 'ann',
    mail: ' ann@example.org\n',
    mobile: '138 0000 ',
    nickname: ' \u3000',
    jobNumber: '\t',
  }
  const tidy = { username: 'ann', mail: 'ann@example.org', mobile: '138 0000', nickname: '', jobNumber: '' }
  t.same(map(untidy), { fields: tidy, problems: [] }, 'surplus spaces are removed')
  t.match(compileMapping('groups', { groupName: 'name' })({ name: '' }), {
    fields: {},
    problems: [{ field: 'groupName', reason: 'must not be empty' }],
  })
})

t.test('a value that a mapping produces is accepted by the API', async (t) => {
  const names = fields.users.map(({ name }) => name)
  const map = compileMapping('users', Object.fromEntries(names.map((name) => [name, name])))
  const values = fc.oneof(
    fc.string({ unit: fc.constantFrom(...oddCharacters, '\0', '\ud800', 'a') }),
    fc.string({ unit: 'grapheme' }),
    fc.jsonValue(),
  )
  const property = fc.property(fc.dictionary(fc.constantFrom(...names), values), (record) => {
    const { fields, problems } = map(record)
    userColumns(fields, mobileKeys('CN'))
    const said = [...Object.keys(fields), ...problems.map(({ field }) => field)].sort()
    const known = Object.keys(record).filter((name) => record[name] !== null)
    deepStrictEqual(said, [...new Set([...known, 'username'])].sort())
  })
  t.doesNotThrow(() => fc.assert(property, { seed, numRuns: 2000 }))
})

t.test('the first field relations of a connector read the fields that its platform sends', async (t) => {
  const samples: [connector: Connector, kind: RunKind, record: SourceRecord, fields: Record<string, string>][] = [
    [
      'dingtalk',
      'users',
      {
        userid: 'manager4220',
        name: '张三',
        email: '',
        org_email: 'zs@example.org',
        job_number: '17',
        title: '',
        dept_id_list: [1],
      },
      { username: 'manager4220', nickname: '张三', mail: 'zs@example.org', jobNumber: '17', position: '' },
    ],
    ['dingtalk', 'groups', { dept_id: 7, name: '工程', parent_id: 1 }, { groupName: '工程' }],
    [
      'feishu',
      'users',
      {
        user_id: '3e3cf96b',
        open_id: 'ou_1',
        name: 'Ann',
        email: 'a@example.org',
        mobile: '+8613800000000',
        avatar: { avatar_240: 'https://x/a' },
      },
      { username: '3e3cf96b', nickname: 'Ann', mail: 'a@example.org', mobile: '+8613800000000', avatar: 'https://x/a' },
    ],
    ['feishu', 'groups', { name: 'Sales', open_department_id: 'od-1' }, { groupName: 'Sales' }],
    [
      'wecom',
      'users',
      {
        userid: 'Zhang.San',
        name: '张三',
        department: [1],
        position: '工程师',
        email: '',
        biz_mail: 'zs@corp.example',
      },
      { username: 'Zhang.San', nickname: '张三', mail: 'zs@corp.example', position: '工程师' },
    ],
    ['wecom', 'groups', { id: 2, name: '广州研发中心', parentid: 1 }, { groupName: '广州研发中心' }],
    [
      'ldap',
      'users',
      { uid: ['ann', 'ann2'], cn: 'Ann Li', mail: ['a@example.org', 'b@example.org'], departmentNumber: ['1', '2'] },
      { username: 'ann', nickname: 'Ann Li', mail: 'a@example.org', departments: '1, 2' },
    ],
    [
      'ldap',
      'users',
      {
        sAMAccountName: 'ann',
        uid: 'posix',
        displayName: 'Ann',
        title: 'Engineer',
        department: 'R&D',
        employeeID: '17',
      },
      { username: 'ann', nickname: 'Ann', position: 'Engineer', departments: 'R&D', jobNumber: '17' },
    ],
    [
      'ldap',
      'groups',
      { ou: ['Sales', 'Vendas'], description: 'who sells' },
      { groupName: 'Sales', remark: 'who sells' },
    ],
    ['ldap', 'groups', { cn: 'admins', ou: 'IT' }, { groupName: 'admins' }],
  ]
  for (const [connector, kind, record, fields] of samples) {
    const mapping = compileMapping(kind, defaultRelations[connector][kind])
    t.same(mapping(record), { fields, problems: [] }, `${connector} ${kind}`)
  }
  const withoutUserId = compileMapping('users', defaultRelations.feishu.users)({ open_id: 'ou_1' })
  t.match(withoutUserId.problems, [{ field: 'username', reason: 'is not in the record' }], 'no name is made up')
})

t.test('a field relation is checked when it is saved', async (t) => {
  const { call, db, token } = await steward(t, { directory: 'none' })
  await db.execute(sql`update sessions set stepped_up_at = now()`)
  const save = (attributes: Record<string, string>, flag = 'exta_user') =>
    call('updateFieldRelation', { body: { id: 1, flag, attributes }, token })
  const [first] = await db.select().from(fieldRelations).where(eq(fieldRelations.id, 1))
  t.equal(first?.flag, 'exta_user')

  const wrong = await save({ username: 'userid', nickname: 'name ?', mail: 'upper(mail)' })
  refused(t, wrong, 400, 'attributes.nickname')
  t.equal(wrong.msg, 'attributes.nickname: unexpected "?" at character 6')
  t.match(wrong.data, [{}, { field: 'attributes.mail', message: /^expected one of lower, .* at character 1$/ }])
  const unknown = await save({ username: 'userid', nickName: 'name', groupName: 'name' })
  refused(t, unknown, 400, 'attributes.nickName')
  t.match(
    unknown.msg,
    /^attributes.nickName: is not a field that can be filled: use one of username, nickname, givenName, mail, /,
  )
  t.match(unknown.data, [{}, { field: 'attributes.groupName' }])
  refused(t, await save({ nickname: 'name' }), 400, 'attributes.username')
  refused(t, await save({}, 'extc_group'), 400, 'attributes.groupName')
  refused(t, await save({ groupName: 'name', username: 'name' }, 'extc_group'), 400, 'attributes.username')
  refused(t, await save({ anything: '' }, 'mine'), 400, 'attributes.anything')
  refused(
    t,
    await call('addFieldRelation', { body: { flag: 'mine', attributes: { a: ')' } }, token }),
    400,
    'attributes.a',
  )
  t.same(await db.select().from(fieldRelations).where(eq(fieldRelations.id, 1)), [first], 'nothing was saved')

  t.match(await save({ username: 'lower(userid)' }), { code: 0, msg: 'success' })
  const mapping = await loadMapping(db, 'exta', 'users')
  t.same(mapping({ userid: 'ANN' }), { fields: { username: 'ann' }, problems: [] })
  const ids = { username: 'lower(userid)', sourceUserId: 'userid', sourceUnionId: 'no expression' }
  t.match(await save(ids), { code: 0, msg: /^saved; sourceUserId and sourceUnionId have no effect: / })
  t.same((await loadMapping(db, 'exta', 'users'))({ userid: 'ANN' }), { fields: { username: 'ann' }, problems: [] })
  t.match((await call('listFieldRelations', { token })).data.at(-1), { attributes: ids }, 'it is kept')
  const other = await call('addFieldRelation', { body: { flag: 'mine', attributes: { anything: 'a ?? b' } }, token })
  t.equal(other.code, 0)
  t.match(other.msg, /^saved; no source looks for the flag mine, but for exta_user, /)

  await db
    .update(fieldRelations)
    .set({ attributes: { username: 'userid +' } })
    .where(eq(fieldRelations.id, 1))
  await t.rejects(loadMapping(db, 'exta', 'users'), {
    kind: 'unavailable',
    message: /^the field relation exta_user cannot be used: attributes.username: unexpected/,
  })
  t.equal((await call('deleteFieldRelations', { body: { fieldRelationIds: [1] }, token })).code, 0)
  await t.rejects(loadMapping(db, 'exta', 'users'), {
    kind: 'unavailable',
    message: /field relation exta_user was deleted/,
  })
})

t.test('every source has its field relations from the first start on', async (t) => {
  const { db } = await testDatabase(t)
  const passwords = openPasswords({ cipher: transportCipher(Buffer.alloc(32)), scheme: 'argon2' })
  const start = (changed: Partial<Record<Slot, Connector>> = {}) => {
    const connectors = { exta: 'dingtalk', extb: 'feishu', extc: 'wecom', extldap: 'ldap', ...changed } as const
    return bootstrap({
      db,
      passwords,
      documents: [directoryDocument],
      adminPassword: 'administrators have one',
      connectors,
    })
  }
  const found = async () => {
    const rows = await db.select().from(fieldRelations).orderBy(fieldRelations.id)
    return Object.fromEntries(rows.map(({ flag, attributes }) => [flag, attributes]))
  }
  const { dingtalk, feishu, wecom, ldap } = defaultRelations
  const expected: Record<string, object> = {
    exta_user: dingtalk.users, exta_group: dingtalk.groups,
    extb_user: feishu.users, extb_group: feishu.groups,
    extc_user: wecom.users, extc_group: wecom.groups,
    extldap_user: ldap.users, extldap_group: ldap.groups,
  } // biome-ignore format: a line for each source
  await start()
  t.same(await found(), expected)
  t.same(Object.keys(expected), knownFlags)

  const own = { username: 'lower(userid)' }
  await db.update(fieldRelations).set({ attributes: own }).where(eq(fieldRelations.flag, 'extb_user'))
  await db.delete(fieldRelations).where(eq(fieldRelations.flag, 'extc_user'))
  await start()
  const { extc_user: _, ...left }: Record<string, object> = { ...expected, extb_user: own }
  t.same(await found(), left, 'changed and deleted relations stay so')

  await start({ exta: 'wecom', extb: 'dingtalk', extc: 'feishu' })
  t.same(await found(), { ...left, exta_user: wecom.users, exta_group: wecom.groups, extc_group: feishu.groups })
  await start()
  t.same(await found(), left, 'and back')
})
