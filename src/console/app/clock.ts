/** Milliseconds that the service's clock is ahead of the browser's. */
let ahead = 0

/** A smaller difference is not corrected: the header counts whole seconds, and the answer was on its way. */
const tolerated = 10_000

/** The header is rounded down by up to so much. What has just happened would be said to be still to come. */
const roundedBy = 1000

/** Notes the service's time from its answer. @param asked the time of the request, by the browser's clock */
export const noteServiceTime = ({ headers }: Response, asked: number): void => {
  // An answer from the browser's cache has the time of when it was stored.
  if (headers.get('cache-control')?.includes('no-store') !== true) return
  const answered = Date.now()
  const difference = Date.parse(headers.get('date') ?? '') - answered
  // The clock has moved on if the computer slept while the request was under way.
  if (Number.isNaN(difference) || Math.abs(answered - asked) > tolerated) return
  ahead = Math.abs(difference) > tolerated ? difference + roundedBy : 0
}

/** The time now by the service's clock, which is what its times are compared with: milliseconds since 1970. */
export const serviceNow = (): number => Date.now() + ahead

/** An instant so many milliseconds ago: to the minute, so that a range that moves on is not another question at every look. */
export const ago = (length: number): string =>
  new Date(Math.floor((serviceNow() - length) / 60_000) * 60_000).toISOString()
