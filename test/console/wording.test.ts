import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import ts from 'typescript'
import { withParams } from '../../src/console/app/translate.ts'
import { en } from '../../src/console/locales/en.ts'
import { zhCN } from '../../src/console/locales/zh-CN.ts'

const folder = 'src/console/locales'

/** What is a number and not a count is written as it is: the run of 1234 is not "1,234". */
const names = new Set([
  'id',
  'rank',
  'seq',
  'days',
  'code',
  'score',
  'points',
  'percent',
  'bits',
  'position',
  'place',
  'directory',
  'at',
])

type Text = (...values: unknown[]) => unknown

interface Counting {
  /** Such as `people.bulk.report`. */
  path: string
  /** Of each parameter: whether it is a count. */
  counts: readonly boolean[]
}

const nameOf = ({ name }: ts.PropertyAssignment): string =>
  ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : ''

/** The texts of a file that are given counts: their types are only in the English ones. */
const countingTexts = (file: string): Counting[] => {
  const found: Counting[] = []
  const look = (node: ts.Node, path: string): void => {
    if (ts.isPropertyAssignment(node) && ts.isArrowFunction(node.initializer)) {
      const counts = node.initializer.parameters.map(
        ({ name, type }) =>
          type?.kind === ts.SyntaxKind.NumberKeyword && ts.isIdentifier(name) && !names.has(name.text),
      )
      if (counts.includes(true)) found.push({ path: `${path}.${nameOf(node)}`, counts })
    }
    const name = ts.isPropertyAssignment(node)
      ? nameOf(node)
      : ts.isVariableDeclaration(node)
        ? node.name.getText()
        : ''
    ts.forEachChild(node, (child) => look(child, name === '' ? path : path === '' ? name : `${path}.${name}`))
  }
  look(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true), '')
  return found
}

const textAt = (texts: unknown, path: string): Text =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], texts) as Text

/** Every text that is given counts, in both languages. */
const texts = async function* (): AsyncGenerator<{ language: string; path: string; say(count: number): string }> {
  for (const file of readdirSync(`${folder}/en`)) {
    const counting = countingTexts(`${folder}/en/${file}`)
    for (const language of counting.length === 0 ? [] : ['en', 'zh-CN']) {
      const all: unknown = await import(`../../${folder}/${language}/${file}`)
      for (const { path, counts } of counting) {
        const say = (count: number): string =>
          String(textAt(all, path)(...counts.map((isCount) => (isCount ? count : 'x'))))
        yield { language, path: `${file}: ${path}`, say }
      }
    }
  }
}

t.test('a count is written with separators, and its noun as the count wants', async (t) => {
  let seen = 0
  for await (const { language, path, say } of texts()) {
    seen++
    t.notMatch(say(12_345), /12345/, `${language}, ${path}`)
    if (language === 'en') t.notMatch(say(1), /\b1 (?!is|was|has|ms)[a-z]+s\b/, `${language}, ${path}`)
  }
  t.ok(seen > 100, `${seen} texts`)
})

t.test('a list and a label are written as the language writes them', async (t) => {
  for (const file of readdirSync('src/console', { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.tsx') || file.startsWith('locales')) continue
    const source = readFileSync(`src/console/${file}`, 'utf8')
    t.notMatch(source, /join\('[,;:] '\)/, `${file} joins a list by texts.listed`)
    t.notMatch(
      source,
      /`\$\{[^}]+\}: \$\{|^\s*\{[^{}\s][^{}\n]*\}[:：] /m,
      `${file} puts what something is after its name by texts.named`,
    )
  }
})

t.test('lists and labels, in both languages', async (t) => {
  t.same(
    [en, zhCN].map(({ listed }) => listed(['a', 'b'])),
    ['a, b', 'a、b'],
  )
  t.same(
    [en, zhCN].map(({ named }) => named('a', 'b')),
    ['a: b', 'a：b'],
  )
})

t.test('a list of the service in a text of a language is written as that language writes it', async (t) => {
  const params = { values: 'cn, ou', name: 'Lovelace, Ada' }
  t.equal(withParams('must be one of {values}', params), 'must be one of cn, ou')
  t.equal(withParams('必须为 {values} 之一', params), '必须为 cn、ou 之一')
  t.equal(withParams('用户 {name}', params), '用户 Lovelace, Ada', 'not a name with a comma')
})
