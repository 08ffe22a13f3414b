import { AppError, type ErrorKind } from '../errors.ts'

/** Knows errors of one technology, such as a lost database connection; undefined for any other. */
export type TranslateError = (error: unknown) => AppError | undefined

const frameworkErrors: Readonly<Record<string, [kind: ErrorKind, message: string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['too_large', 'the body is too large'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media', 'the body must be application/json'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['invalid', 'the body does not have the length that Content-Length says'],
  FST_ERR_BAD_URL: ['invalid', 'the path is not validly encoded'],
  FST_ERR_MAX_PARAM_LENGTH: ['not_found', 'nothing has a name that long'],
}

/**
 * What a client is told about an error. Whatever is not known to be meant for clients is an internal error without any
 * of its text; the request id leads to the log.
 */
export const toAppError = (error: unknown, requestId: string, translate?: TranslateError): AppError => {
  if (error instanceof AppError) return error
  const { code, statusCode } = typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {}
  const known = frameworkErrors[String(code)]
  if (known) return new AppError(...known, { cause: error })
  // Fastify's word for a body that could not be read to its end. The error may be the client's own ECONNRESET, which is
  // not to be taken for that of a database.
  if (statusCode === 400) return new AppError('invalid', 'the request could not be read', { cause: error })
  const translated = translate?.(error)
  if (translated) return translated
  return new AppError('internal', `internal error, request ${requestId}`, { cause: error })
}
