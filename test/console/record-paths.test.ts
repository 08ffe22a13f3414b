import t from 'tap'
import { recordPaths } from '../../src/console/pages/sources/record-paths.ts'
import { parseExpression } from '../../src/sync/mapping/expression.ts'

t.test('every field that is offered is one that an expression can name', async (t) => {
  const paths = recordPaths([
    { userid: 'a', 'cn;lang-zh': 'b', 'office phone': 'c', 名称: 'd', ext: { 'a b': 1, list: ['x'] }, none: null },
    { userid: 'b', '': 'e', '1st': 'f', "it's": 'g', ext: { 'q\'"\\\n': 1, '\r': 2 } },
  ])
  t.same(paths[0], { path: 'userid', count: 2 })
  t.same(
    paths.map(({ path }) => path).sort(),
    ['ext.list[0]', 'ext["a b"]', 'ext["q\'\\"\\\\\\n"]', 'none', 'userid', '名称'].sort(),
  )
  for (const { path } of paths) t.doesNotThrow(() => parseExpression(path), path)
})
