import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import type { Json } from './inputs.ts'
import { publishedOperations } from './published.ts'
import { verdicts } from './verdict.ts'

const folder = new URL('../../docs/', import.meta.url)

const guides = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'))

const textOf = (guide: string): string => readFileSync(new URL(guide, folder), 'utf8')

/** What a guide tells a reader to type. */
const shellOf = (guide: string): string =>
  [...textOf(guide).matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block).join('\n')

/** The commands that First steps defines, and the methods that they send. */
const helpers = new Map(
  [...shellOf('first-steps.md').matchAll(/^(\w+)\(\) \{ curl (.*)$/gm)].map(([, name = '', rest = '']) => [
    name,
    /-X (\w+)/.exec(rest)?.[1] ?? (rest.includes(' -d ') ? 'POST' : 'GET'),
  ]),
)

const operations = [...publishedOperations().values()]

/** The operation of a request, with its id where it has one; a variable part of the path takes any text. */
const operationOf = (method: string, path: string) =>
  operations.find((operation) => {
    const pattern = operation.path.replace(/\{\w+\}/g, '[^/]+')
    return operation.method === method && new RegExp(`^${pattern}$`).test(path)
  })

const typed = /^(get|post|put|delete|patch) +('[^']*'|\S+)(?: +'([^']*)')?/gm

t.test('what the guides tell to type is defined, names an operation, and sends what that takes', async (t) => {
  const judged = verdicts()
  let count = 0
  for (const guide of guides) {
    for (const [command, helper = '', quoted = '', body] of shellOf(guide).matchAll(typed)) {
      count += 1
      const method = helpers.get(helper)
      if (method === undefined) {
        t.fail(`${guide}: First steps does not define ${helper}: ${command}`)
        continue
      }
      const { pathname, searchParams } = new URL(`/api/${quoted.replaceAll("'", '')}`, 'http://service')
      const operation = operationOf(method, pathname)
      if (operation === undefined) {
        t.fail(`${guide}: no operation ${method} ${pathname}`)
        continue
      }
      // Of a value that is shortened, or that a file holds, there is nothing to judge.
      if (body === undefined ? method !== 'GET' : body.includes('…')) continue
      const names = operation.path.split('/')
      const params = Object.fromEntries(
        pathname.split('/').flatMap((part, at) => (names[at]?.startsWith('{') ? [[names[at].slice(1, -1), part]] : [])),
      )
      const query = Object.fromEntries([...searchParams.keys()].map((key) => [key, searchParams.getAll(key)]))
      const parsed = body === undefined ? undefined : (JSON.parse(body) as Json)
      const wrong = judged.get(operation.id)?.({ params, query, body: parsed }, body)
      t.same(wrong, [], `${guide}: ${command}`)
    }
  }
  t.ok(count > 30, 'the guides are read')
})
