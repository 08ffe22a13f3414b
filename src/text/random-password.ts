import { randomBytes } from 'node:crypto'

/** 20 characters, 120 random bits. */
export const randomPassword = (): string => randomBytes(15).toString('base64url')
