import { createHash, randomBytes } from 'node:crypto'

export const newDeviceToken = (): string => randomBytes(32).toString('base64url')

/** In hex. The token is 256 random bits: guessing it needs no slow hash. */
export const deviceTokenHash = (token: string): string => createHash('sha256').update(token).digest('hex')
