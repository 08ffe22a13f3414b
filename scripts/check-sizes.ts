/**
 * Fails where a function has more than 80 lines of its own. Lines of functions within it are theirs: what a room opens is
 * a list of short functions over what they share. A function may be longer when its comment says why ("Long: …").
 *
 *     tsx scripts/check-sizes.ts
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import ts from 'typescript'

const max = 80
/** A function within another one that is no longer than this is read as a part of it. */
const inline = 3

const files = execFileSync('git', ['ls-files', '--', 'src'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !file.includes('/generated/'))

type Body = ts.FunctionLikeDeclaration & { body: ts.Node }

const isFunction = (node: ts.Node): node is Body => ts.isFunctionLike(node) && 'body' in node && node.body !== undefined

let found = 0
for (const file of files) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line

  const ownLines = (outer: Body): number => {
    let lines = lineOf(outer.end) - lineOf(outer.getStart()) + 1
    const visit = (node: ts.Node): void => {
      const length = lineOf(node.end) - lineOf(node.getStart()) + 1
      if (isFunction(node) && length > inline) lines -= length - 2
      else ts.forEachChild(node, visit)
    }
    ts.forEachChild(outer, visit)
    return lines
  }

  const saysWhy = (node: ts.Node): boolean => {
    for (let at: ts.Node = node; !ts.isSourceFile(at); at = at.parent) {
      if (ts.isStatement(at)) return /\bLong: /.test(source.text.slice(at.getFullStart(), at.getStart()))
    }
    return false
  }

  const check = (node: ts.Node): void => {
    if (isFunction(node)) {
      const lines = ownLines(node)
      if (lines > max && !saysWhy(node)) {
        found += 1
        console.error(`${file}:${lineOf(node.getStart()) + 1}: ${lines} lines of its own, more than ${max}`)
      }
    }
    ts.forEachChild(node, check)
  }
  check(source)
}
if (found > 0) process.exitCode = 1
