import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import secureJson from 'secure-json-parse'
import type { Reason } from '../failures/reason-table.ts'
import { reasons as texts } from '../text/reasons.ts'
import { reasons } from './reasons.ts'
import { textProblem } from './text.ts'

/** Escapes that may mean NUL or half of a surrogate pair; the raw characters are not valid JSON or UTF-8. */
const suspiciousEscape = /\\u(?:0000|d[89a-f])/i

/** How deep a suspicious body is searched; no contract is nearly as deep. */
const maxDepth = 64

/**
 * Parses a JSON body. An empty one is `{}`: the schema decides whether a field is missing.
 * @throws AppError `invalid`; the message never repeats the text.
 */
export const parseJsonBody = (bytes: Buffer): unknown => {
  if (bytes.length === 0) return {}
  if (!isUtf8(bytes)) throw reasons.not_utf8()
  const text = bytes.toString('utf8')
  const value = parse(text)
  if (suspiciousEscape.test(text)) refuseUnstorableText(value)
  return value
}

const parse = (text: string): unknown => {
  let value: unknown
  try {
    // In safe mode, null means that the body tries to change a prototype.
    value = secureJson(text, undefined, { safe: true })
  } catch {
    throw reasons.not_json()
  }
  if (value === null && text.trim() !== 'null') {
    throw reasons.prototype()
  }
  return value
}

const refuseUnstorableText = (root: unknown): void => {
  const refuse = (path: readonly string[], problem: Reason): never => {
    throw problem.at(path.join('.') || 'body')
  }
  const walk = (value: unknown, path: readonly string[]): void => {
    if (typeof value === 'string') {
      const problem = textProblem(value)
      if (problem !== null) refuse(path, problem)
    } else if (typeof value === 'object' && value !== null) {
      if (path.length === maxDepth) refuse(path.slice(0, 1), reasons.too_deep)
      for (const [key, child] of Object.entries(value)) {
        const problem = textProblem(key)
        if (problem !== null) refuse(path, problem === texts.nul ? reasons.name_nul : reasons.name_surrogate)
        walk(child, [...path, key])
      }
    }
  }
  walk(root, [])
}

/**
 * Makes JSON the only content type of a scope. A request without a body may name any type: axios sends the form type
 * for it, and clients that are generated for axios could not sign out otherwise.
 */
export const acceptJsonOnly = (scope: FastifyInstance): void => {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async ({ headers }: FastifyRequest, bytes: Buffer) => {
      // Taken as it is, it would be called invalid JSON, or be read where only the header is wrong.
      if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') throw reasons.media_type()
      return parseJsonBody(bytes)
    },
  )
  scope.addContentTypeParser('*', async ({ headers }: FastifyRequest) => {
    const isEmpty = headers['content-length'] === '0' && headers['transfer-encoding'] === undefined
    if (!isEmpty) throw reasons.media_type()
    return {}
  })
}
