import type {} from '@fastify/rate-limit'
import type { FastifyContextConfig, FastifyRequest } from 'fastify'
import type { ContractDocument, Operation } from '../document.ts'

/** One limit per address before anything else is checked; one per user as soon as the user is known. */
export const routeLimit = ({ name }: ContractDocument, { id, rateLimit }: Operation): FastifyContextConfig => {
  if (rateLimit === undefined) return {}
  const { max, window, by, bucket } = rateLimit
  // It is appended to the key; no bucket has the name of an operation.
  const groupId = bucket === undefined ? `:${name}.${id}` : `:${name}/${bucket}`
  const limit = { max, timeWindow: window * 1000, groupId }
  if (by === 'address') return { rateLimit: limit }
  const keyGenerator = (request: FastifyRequest) => String(request.principal?.userId)
  return { rateLimit: { ...limit, hook: 'preParsing', keyGenerator } }
}
