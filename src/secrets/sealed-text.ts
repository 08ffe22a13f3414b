import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const ivLength = 12
const tagLength = 16

/**
 * Encrypts a text (AES-256-GCM): initialisation vector, ciphertext and tag, in base64url.
 * @param key 32 bytes
 * @param context what the text belongs to; it is not in the result, and unsealing needs the same
 */
export const seal = (key: Buffer, text: string, context: string): string => {
  const iv = randomBytes(ivLength)
  const cipher = createCipheriv(algorithm, key, iv, { authTagLength: tagLength }).setAAD(Buffer.from(context))
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

/** The text; null: it was changed, or sealed with another key or for another context. */
export const unseal = (key: Buffer, sealed: string, context: string): string | null => {
  const bytes = Buffer.from(sealed, 'base64url')
  try {
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivLength), { authTagLength: tagLength })
    decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-tagLength))
    return `${decipher.update(bytes.subarray(ivLength, -tagLength), undefined, 'utf8')}${decipher.final('utf8')}`
  } catch {
    return null
  }
}
