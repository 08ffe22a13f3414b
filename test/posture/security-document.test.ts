import { readFileSync } from 'node:fs'
import t from 'tap'

/** How many requirements of levels 1 and 2 each section of OWASP ASVS 5.0.0 has, without V10 and V17, and which. */
const standard: Readonly<Record<string, readonly number[]>> = {
  '1.1': [1, 2],
  '1.2': [1, 2, 3, 4, 5, 6, 7, 8, 9],
  '1.3': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  '1.4': [1, 2, 3],
  '1.5': [1, 2],
  '2.1': [1, 2, 3],
  '2.2': [1, 2, 3],
  '2.3': [1, 2, 3, 4],
  '2.4': [1],
  '3.2': [1, 2],
  '3.3': [1, 2, 3, 4],
  '3.4': [1, 2, 3, 4, 5, 6],
  '3.5': [1, 2, 3, 4, 5],
  '3.7': [1, 2],
  '4.1': [1, 2, 3],
  '4.2': [1],
  '4.3': [1, 2],
  '4.4': [1, 2, 3, 4],
  '5.1': [1],
  '5.2': [1, 2, 3],
  '5.3': [1, 2],
  '5.4': [1, 2, 3],
  '6.1': [1, 2, 3],
  '6.2': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  '6.3': [1, 2, 3, 4],
  '6.4': [1, 2, 3, 4],
  '6.5': [1, 2, 3, 4, 5],
  '6.6': [1, 2, 3],
  '6.8': [1, 2, 3, 4],
  '7.1': [1, 2, 3],
  '7.2': [1, 2, 3, 4],
  '7.3': [1, 2],
  '7.4': [1, 2, 3, 4, 5],
  '7.5': [1, 2],
  '7.6': [1, 2],
  '8.1': [1, 2],
  '8.2': [1, 2, 3],
  '8.3': [1],
  '8.4': [1],
  '9.1': [1, 2, 3],
  '9.2': [1, 2, 3, 4],
  '11.1': [1, 2],
  '11.2': [1, 2, 3],
  '11.3': [1, 2, 3],
  '11.4': [1, 2, 3, 4],
  '11.5': [1],
  '11.6': [1],
  '12.1': [1, 2, 3],
  '12.2': [1, 2],
  '12.3': [1, 2, 3, 4],
  '13.1': [1],
  '13.2': [1, 2, 3, 4, 5],
  '13.3': [1, 2],
  '13.4': [1, 2, 3, 4, 5],
  '14.1': [1, 2],
  '14.2': [1, 2, 3, 4],
  '14.3': [1, 2, 3],
  '15.1': [1, 2, 3],
  '15.2': [1, 2, 3],
  '15.3': [1, 2, 3, 4, 5, 6, 7],
  '16.1': [1],
  '16.2': [1, 2, 3, 4, 5],
  '16.3': [1, 2, 3, 4],
  '16.4': [1, 2, 3],
  '16.5': [1, 2, 3],
}

const document = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8')
const rows = [...document.matchAll(/^\| (\d+\.\d+\.\d+) \| (met|decided|n\/a) \| (.+) \|$/gm)].map(
  ([, id = '', state = '', reason = '']) => ({ id, state, reason }),
)

t.test('every requirement of levels 1 and 2 has an answer, in the order of the standard', async (t) => {
  const wanted = Object.entries(standard).flatMap(([section, numbers]) =>
    numbers.map((number) => `${section}.${number}`),
  )
  t.equal(wanted.length, 217)
  t.same(
    rows.map(({ id }) => id),
    wanted,
  )
})

t.test('a requirement that is not met names a documented decision', async (t) => {
  const decisions = new Map([...document.matchAll(/^\| (D\d+) \| ([^|]+) \|/gm)].map(([, id, what]) => [id, what]))
  for (const { id, state, reason } of rows) {
    if (state === 'decided') t.ok(decisions.get(reason)?.includes(id), `${reason} is about ${id}`)
  }
})

t.test('the sums are right', async (t) => {
  const count = (state: string, chapter?: string) =>
    rows.filter((row) => row.state === state && (!chapter || row.id.startsWith(`${chapter}.`))).length
  for (const [, chapter, met, decided, none] of document.matchAll(/^\| V(\d+) [^|]*\| (\d+) \| (\d+) \| (\d+) \|$/gm)) {
    t.same([met, decided, none].map(Number), [count('met', chapter), count('decided', chapter), count('n/a', chapter)])
  }
  t.match(document, `| **Sum** | **${count('met')}** | **${count('decided')}** | **${count('n/a')}** |`)
})
