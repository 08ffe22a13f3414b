import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import ts from 'typescript'
import { generateFixtures } from './fixtures.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = `${root}test/fixtures/contract/types/`

/** Compiles the fixtures against the generated library, which is handed to the compiler without being written. */
const compile = (files: string[], generated: Map<string, string>): readonly ts.Diagnostic[] => {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root)
  const host = ts.createCompilerHost({ ...options, noUnusedLocals: false })
  const { readFile, fileExists } = host
  const virtual = (path: string) => generated.get(path.slice(`${root}src/generated/`.length))
  const isVirtual = (path: string) => path.startsWith(`${root}src/generated/`)
  host.fileExists = (path) => (isVirtual(path) ? virtual(path) !== undefined : fileExists(path))
  host.readFile = (path) => (isVirtual(path) ? virtual(path) : readFile(path))
  host.getSourceFile = (path, languageVersion) => {
    const text = host.readFile(path)
    return text === undefined ? undefined : ts.createSourceFile(path, text, languageVersion)
  }
  return ts.getPreEmitDiagnostics(ts.createProgram(files, options, host))
}

t.test('code that does not fit the contract does not compile', async (t) => {
  const files = readdirSync(folder).map((file) => `${folder}${file}`)
  const diagnostics = compile(files, await generateFixtures('library'))
  for (const file of files) {
    const own = diagnostics
      .filter((diagnostic) => diagnostic.file?.fileName === file)
      .map(({ code, messageText }) => `${code} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`)
    const [, code, text = ''] = /^\/\/ expected: (nothing|\d+)(.*)/.exec(readFileSync(file, 'utf8')) ?? []
    t.test(file.slice(folder.length), async (t) => {
      if (code === 'nothing') return t.same(own, [])
      t.equal(own.length, 1, 'has one error')
      t.ok(own[0]?.startsWith(`${code} `), `which is TS${code}`)
      return t.ok(own[0]?.includes(text.trim()), `and says that ${text.trim()}`)
    })
  }
  const elsewhere = diagnostics.filter(({ file }) => !files.includes(file?.fileName ?? ''))
  t.same(
    elsewhere.map(({ file, messageText }) => `${file?.fileName} ${String(messageText)}`),
    [],
  )
})
