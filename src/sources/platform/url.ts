/** A base address with a slash at its end, so that relative paths are below it. */
export const folder = (url: string): string => (url.endsWith('/') ? url : `${url}/`)
