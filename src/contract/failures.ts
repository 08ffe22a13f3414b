import { AppError } from '../failures/errors.ts'
import type { Reason } from '../failures/reason-table.ts'
import { reasons as service } from '../failures/reasons.ts'
import { reasons } from './reasons.ts'

/** Translates errors of one technology, such as a lost database connection; undefined for any other. */
export type TranslateError = (error: unknown) => AppError | undefined

const frameworkErrors: Readonly<Record<string, Reason>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: reasons.body_too_large,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: reasons.media_type,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: reasons.body_length,
  FST_ERR_BAD_URL: reasons.path_encoding,
  FST_ERR_MAX_PARAM_LENGTH: reasons.path_too_long,
}

/**
 * What a client is told about an error. An error that is not known to be meant for clients becomes an internal error
 * without its text; the request id leads to the log.
 */
export const toAppError = (error: unknown, requestId: string, translate?: TranslateError): AppError => {
  if (error instanceof AppError) return error
  const { code, statusCode } = typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {}
  const known = frameworkErrors[String(code)]
  if (known) return known({ cause: error })
  // Fastify's word for a body that could not be read to its end. The error may be the client's own ECONNRESET, which is
  // not to be taken for that of a database.
  if (statusCode === 400) return reasons.unreadable({ cause: error })
  const translated = translate?.(error)
  if (translated) return translated
  return service.internal({ request: requestId }, { cause: error })
}
