import { createHash } from 'node:crypto'

/** The text that leads to the rest of one list from an offset on; it is opaque to the client. */
export const writeCursor = (list: string, offset: number): string =>
  Buffer.from(`${offset}.${signature(list, offset)}`).toString('base64url')

/** The offset; 0 for no cursor; undefined for one that was not given out for this list. */
export const readCursor = (list: string, cursor: string): number | undefined => {
  if (cursor === '') return 0
  const [digits = '', signed] = Buffer.from(cursor, 'base64url').toString().split('.')
  return /^\d+$/.test(digits) && signed === signature(list, Number(digits)) ? Number(digits) : undefined
}

const signature = (list: string, offset: number): string =>
  createHash('sha1').update(`${list} ${offset}`).digest('base64url').slice(0, 16)
