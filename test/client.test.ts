import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient, type UserConfig } from '@hey-api/openapi-ts'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { generateApi } from 'swagger-typescript-api'
import t from 'tap'
import { tsImport } from 'tsx/esm/api'
import ts from 'typescript'
import { documents } from '../src/generated/documents.ts'
import { adminPassword, steward } from './steward.ts'

/** A folder from which the modules of a client's project are found. */
const cache = resolve('node_modules/.cache/steward')
mkdirSync(cache, { recursive: true })
const project = mkdtempSync(join(cache, 'client-'))
t.teardown(() => rmSync(project, { recursive: true, force: true }))
writeFileSync(join(project, 'package.json'), '{"type":"module"}')

interface Program {
  administratorsDay: (baseUrl: string, password: string) => Promise<object>
}

interface Visitor {
  visit: (baseUrl: string, password: string) => Promise<object>
}

/** Compiles a project as a careful client would. */
const compile = (files: string[]): string[] =>
  diagnose(
    ts.createProgram(files, {
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
    }),
  )

/** Compiles a project with the options that most have, and leaves it as it is. */
const compileStrictly = (files: string[]): string[] =>
  diagnose(
    ts.createProgram(files, {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      types: [],
      strict: true,
      noEmit: true,
      skipLibCheck: true,
    }),
  )

/** What the compiler has to say. */
const diagnose = (program: ts.Program): string[] => {
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

const { app, logs } = await steward(t)
const address = await app.listen({ host: '127.0.0.1', port: 0 })
const published = new Map<string, string>()
for (const { name } of documents) published.set(name, await (await fetch(`${address}/openapi/${name}.json`)).text())

const fixture = (file: string): string => {
  copyFileSync(new URL(`./fixtures/client/${file}`, import.meta.url), join(project, file))
  return join(project, file)
}

t.test("a client generated from the published documents does an administrator's day", async (t) => {
  const files = await Promise.all(
    [...published].map(async ([name, published]) => {
      const file = join(project, `${name}.ts`)
      writeFileSync(file, astToString(await openapiTypescript(published, { silent: true })))
      return file
    }),
  )
  const program = fixture('administrators-day.ts')
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
    menus: [['Helpdesk', ['Look up a user']]],
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

t.test('clients of other generators compile, sign in, add, list, and sign out for good', async (t) => {
  const files: string[] = []
  for (const [name, text] of published) {
    const hey: UserConfig = {
      input: { path: JSON.parse(text) },
      output: join(project, 'hey-api', name),
      plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
      logs: { level: 'silent' },
    }
    await createClient(hey)
    const output = join(project, 'swagger-typescript-api')
    await generateApi({ spec: JSON.parse(text), output, fileName: `${name}.ts`, silent: true })
    files.push(join(project, 'hey-api', name, 'sdk.gen.ts'), join(output, `${name}.ts`))
  }
  const programs = ['hey-api.ts', 'swagger-typescript-api.ts'].map(fixture)
  t.same(compileStrictly([...files, ...programs]), [])
  for (const program of programs) t.same(casts(program), [])
  const [hey, swagger] = await Promise.all(
    // With tsx: imports of what others generate have no endings.
    programs.map(async (program) => ((await tsImport(pathToFileURL(program).href, import.meta.url)) as Visitor).visit),
  )
  t.same(await hey?.(`${address}/api`, adminPassword), { added: 0, listed: [1], signedOut: 0, after: 401 })
  t.same(await swagger?.(`${address}/api`, adminPassword), { added: 0, listed: [2], signedOut: 0, after: 401 })
})
