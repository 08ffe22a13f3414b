const limits = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

/** The headers that a response of this status may carry, whatever the operation does. */
const headersOf = (status, { envelope, limited, cached }) => [
  'x-request-id',
  ...(envelope === 'msg' || status === '401' ? ['WWW-Authenticate'] : []),
  ...(envelope === 'msg' || status === '429' || status === '503' ? ['Retry-After'] : []),
  ...(limited ? limits : []),
  ...(cached && status === '200' ? ['Cache-Control', 'Age', 'Vary'] : []),
]

/** Headers that responses carry and do not declare. @param document with its references resolved */
const declaredHeaders = (document) => {
  const problems = []
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      for (const [status, response] of Object.entries(operation.responses ?? {})) {
        const missing = headersOf(status, {
          // A page or a file fails with another status, whatever the envelope.
          envelope: response.content?.['application/json'] ? document['x-envelope'] : 'message',
          limited: operation['x-rate-limit'] !== undefined,
          cached: operation['x-cache'] !== undefined,
        }).filter((name) => !(name in (response.headers ?? {})))
        if (missing.length === 0) continue
        const at = ['paths', path, method, 'responses', status]
        problems.push({ message: `may carry ${missing.join(', ')} and does not say so`, path: at })
      }
    }
  }
  return problems
}

// Spectral takes a default export for the rule's function.
export default declaredHeaders
