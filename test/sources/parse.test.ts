import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import t from 'tap'
import { exchange } from '../../src/sources/platform/exchange.ts'
import { parseInSteps, parseObject, TooManyValues } from '../../src/sources/platform/parse.ts'

const never = new AbortController().signal

const failureOf = (reading: Promise<unknown>): Promise<unknown> =>
  reading.then(
    () => 'none',
    (error: unknown) => error,
  )

t.test('a text is read as JSON.parse reads it', async (t) => {
  const spaced = fc.tuple(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 1, '\t', '\r\n '))
  await fc.assert(
    fc.asyncProperty(spaced, async ([value, space]) => {
      const text = JSON.stringify(value, null, space)
      t.strictSame(await parseInSteps(text, never), JSON.parse(text))
    }),
  )
  const text = '{"a\\"\\\\":"\\\\","__proto__":{"b":1},"c":[1e3,-0,true,null,"\\ud800"],"c":2}'
  t.strictSame(JSON.stringify(await parseInSteps(text, never)), JSON.stringify(JSON.parse(text)))
})

t.test('a text is read in portions, wherever these end', async (t) => {
  // Of one, two, three and four bytes, written and escaped.
  const people = JSON.stringify({ name: 'a\u00e9\u738b\u{1f600}', id: -12.5e-7, '\u{1f600}': [true, null, '\n'] })
  const escaped = people.replace('\u{1f600}', '\\ud83d\\ude00')
  for (let shift = 0; shift < people.length; shift++) {
    const text = `{"${'x'.repeat(shift)}":[${Array.from({ length: 160 }, () => `${people},${escaped}`).join()}]}`
    if (JSON.stringify(await parseInSteps(text, never)) !== JSON.stringify(JSON.parse(text))) t.fail(String(shift))
    for (const wrong of [`${text}x`, text.slice(0, -1), `${text}${' '.repeat(20_000)}x`])
      if (!((await failureOf(parseInSteps(wrong, never))) instanceof SyntaxError)) t.fail(String(shift))
  }
  t.pass()
})

t.test('a string of megabytes holds up nothing either', async (t) => {
  const text = JSON.stringify({ a: '\u738b"'.repeat(2_000_000) })
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 1)
  t.teardown(() => clearInterval(timer))
  t.equal(JSON.stringify(await parseObject(text, never)), text)
  t.ok(turns > 2)
})

t.test('what JSON.parse refuses is refused', async (t) => {
  const whole = '{"a":[1,{"b":"c\\""},[]],"d":null}'
  const cut = Array.from({ length: whole.length }, (_, end) => whole.slice(0, end))
  const wrong = [
    '',
    ' ',
    '[1,]',
    '{"a":1,}',
    '{a:1}',
    '[1 2]',
    '[1]]',
    '{"a" 1}',
    '"a\nb"',
    '01',
    'nul',
    '[,]',
    '{,}',
    "['a']",
    '\u00a0[]',
  ]
  const changed = fc.tuple(fc.nat(whole.length - 1), fc.constantFrom(...'{}[],:"\\ 1a'))
  const check = async (text: string): Promise<void> => {
    const expected = (() => {
      try {
        return JSON.stringify(JSON.parse(text))
      } catch {
        return 'refused'
      }
    })()
    const found = await parseInSteps(text, never).then(JSON.stringify, (error: unknown) => {
      if (error instanceof SyntaxError) return 'refused'
      throw error
    })
    if (found !== expected) t.fail(`${text}: ${found} instead of ${expected}`)
  }
  for (const text of [...cut, ...wrong]) await check(text)
  await fc.assert(
    fc.asyncProperty(changed, ([at, character]) => check(`${whole.slice(0, at)}${character}${whole.slice(at + 1)}`)),
  )
  t.pass()
})

t.test('a long text lets everything else have its turn, and ends with the signal', async (t) => {
  const people = Array.from({ length: 20_000 }, (_, index) => ({
    userid: `u${index}`,
    name: '王小明',
    department: [1, 2],
  }))
  const text = JSON.stringify({ people, padding: 'x'.repeat(1024 * 1024) })
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 1)
  t.teardown(() => clearInterval(timer))
  t.strictSame((await parseObject(text, never))?.people, people)
  t.ok(turns > 2)
  const controller = new AbortController()
  const reading = parseObject(text, controller.signal)
  controller.abort(new Error('stopped'))
  await t.rejects(reading, { message: 'stopped' })
})

const bombs = {
  'empty objects': `{"list":[${'{},'.repeat(3_000_000)}{}]}`,
  'lists in lists': `{"list":${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}}`,
  'one object of many keys': `{${Array.from({ length: 200_000 }, (_, index) => `"key ${index}":0`).join()}}`,
}

t.test('a text of very many values is refused before they fill the memory', async (t) => {
  for (const [what, text] of Object.entries(bombs))
    t.ok((await failureOf(parseObject(text, never))) instanceof TooManyValues, what)
})

t.test('a text of very many levels is refused, however short it is', async (t) => {
  const nested = (levels: number, padding = '') =>
    `{"padding":"${padding}","a":${'['.repeat(levels)}0${']'.repeat(levels)}}`
  const padding = 'x'.repeat(1024 * 1024)
  for (const text of [nested(99), nested(99, padding)]) {
    t.doesNotThrow(JSON.stringify.bind(null, await parseObject(text, never)))
  }
  for (const text of [nested(100), nested(100, padding), nested(400_000)])
    t.ok((await failureOf(parseObject(text, never))) instanceof TooManyValues, String(text.length))
})

t.test('an answer that unpacks to very many values fails with what it is', async (t) => {
  const packed = gzipSync(bombs['empty objects'])
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(packed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const url = new URL(`http://127.0.0.1:${port}/`)
  const failure = await failureOf(exchange({ method: 'GET', url }, never, 20_000))
  t.match(failure, { passing: false, stated: { code: 'sources.answer_too_full' } })
})
