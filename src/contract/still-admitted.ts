import { pipeline, Readable, Transform } from 'node:stream'
import type { FastifyRequest } from 'fastify'

/** Asks again where the caller may have changed since the request was let in. @throws AppError */
const requireAdmitted = async ({ admitted }: Pick<FastifyRequest, 'admitted'>): Promise<void> => {
  const asked = admitted?.recheck() ?? null
  if (asked !== null) await asked
}

/**
 * Handles a request for a caller who still stands when it has been handled: it waits for its body, for locks, for a restore,
 * after which the id of its caller means another person. What was read, or why it failed, then stays
 * untold.
 * @throws AppError (unauthenticated, forbidden)
 */
export const admittedOnly = <T>(request: FastifyRequest, handle: () => Promise<T>): Promise<T> =>
  // Of a public operation.
  request.admitted === null ? handle() : whileStanding(request, handle)

const whileStanding = async <T>(request: FastifyRequest, handle: () => Promise<T>): Promise<T> => {
  const renewing = request.admitted?.renew() ?? null
  if (renewing !== null) await renewing
  let made: T | undefined
  try {
    made = await handle()
    return made
  } finally {
    await requireAdmitted(request).catch((refusal: unknown) => {
      discard(made)
      throw refusal
    })
  }
}

/** Ends what was opened for an answer that is not sent: a file, a stream of events. */
const discard = (made: unknown): void => {
  const body: unknown = typeof made === 'object' && made !== null && 'body' in made ? made.body : undefined
  if (body instanceof Readable) body.destroy()
}

/** The same for each batch of a list that is sent as it is read, and for its end. */
export async function* whileAdmitted<T>(request: FastifyRequest, batches: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const batch of batches) {
    await requireAdmitted(request)
    yield batch
  }
  await requireAdmitted(request)
}

/** The same for each piece of a file; an answer that breaks off is no whole file to any client. */
export const fileWhileAdmitted = (request: FastifyRequest, file: Readable): Readable => {
  const checked = new Transform({
    transform(piece, _, done) {
      requireAdmitted(request).then(() => done(null, piece), done)
    },
  })
  // Whichever of both ends or fails ends the other one.
  return pipeline(file, checked, () => {})
}
