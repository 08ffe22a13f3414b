/** A base address with the slash at its end that makes relative paths go below it. */
export const folder = (url: string): string => (url.endsWith('/') ? url : `${url}/`)
