import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import openapiTypescript, { astToString } from 'openapi-typescript'
import t from 'tap'
import ts from 'typescript'
import { documents } from '../src/generated/documents.ts'
import { adminPassword, steward } from './steward.ts'

/** Where modules are found as anybody's project finds them. */
const cache = resolve('node_modules/.cache/steward')
mkdirSync(cache, { recursive: true })
const project = mkdtempSync(join(cache, 'client-'))
t.teardown(() => rmSync(project, { recursive: true, force: true }))
writeFileSync(join(project, 'package.json'), '{"type":"module"}')

interface Program {
  administratorsDay: (baseUrl: string, password: string) => Promise<object>
}

/** Compiles a project as a careful client would. Answers what the compiler has to say. */
const compile = (files: string[]): string[] => {
  const program = ts.createProgram(files, {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    types: [],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noUnusedLocals: true,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
    skipLibCheck: true,
  })
  const { diagnostics } = program.emit()
  return [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(({ file, start = 0, messageText }) => {
    const place = file && `${file.fileName}:${file.getLineAndCharacterOfPosition(start).line + 1}: `
    return `${place ?? ''}${ts.flattenDiagnosticMessageText(messageText, ' ')}`
  })
}

/** Where a program claims to know better than its types. */
const casts = (file: string): string[] => {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const claims = (node: ts.Node): boolean =>
    (ts.isAssertionExpression(node) && !ts.isConstTypeReference(node.type)) ||
    ts.isNonNullExpression(node) ||
    node.kind === ts.SyntaxKind.AnyKeyword
  const found = (node: ts.Node): string[] =>
    claims(node) ? [node.getText()] : node.getChildren().flatMap((child) => found(child))
  return found(source)
}

t.test("a client generated from the published documents does an administrator's day", async (t) => {
  const { app, logs } = await steward(t)
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const files = await Promise.all(
    documents.map(async ({ name }) => {
      const published = await (await fetch(`${address}/openapi/${name}.json`)).text()
      const file = join(project, `${name}.ts`)
      writeFileSync(file, astToString(await openapiTypescript(published, { silent: true })))
      return file
    }),
  )
  const fixture = new URL('./fixtures/client/administrators-day.ts', import.meta.url)
  const program = join(project, 'administrators-day.ts')
  writeFileSync(program, readFileSync(fixture))
  t.same(compile([...files, program]), [])
  t.same(casts(program), [])
  const { administratorsDay }: Program = await import(pathToFileURL(program.replace(/\.ts$/, '.js')).href)
  t.same(await administratorsDay(`${address}/api`, adminPassword), {
    wrongCode: 401,
    me: 'admin',
    counted: ['user', 'group', 'role', 'menu', 'api', 'log'],
    taken: [409, ['name']],
    granted: ['GET /user/list', 'GET /user/info'],
    invalid: [400, ['mail']],
    members: ['ada', 'li.na'],
    others: ['grace'],
    tree: [['Help desk', 2]],
    menus: [['Helpdesk', ['Look somebody up']]],
    active: [['li.na', 'Team lead', 1]],
    left: ['ada'],
    run: ['done', 3, 0, false],
    everything: 'done',
    source: 503,
    seen: ['ada'],
    forbidden: 403,
    logged: ['POST /user/delete Delete users'],
    signedOut: 401,
  })
  t.notOk(
    logs.some((line) => line.includes('internal error')),
    'nothing went wrong behind it',
  )
})
