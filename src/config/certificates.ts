import { createPrivateKey, X509Certificate } from 'node:crypto'
import { statSync } from 'node:fs'
import { lastUsable } from '../files/last-usable.ts'
import { readTextFile } from '../files/text-file.ts'
import type { Variables } from './variables.ts'

/** The text of a file that may have been replaced. A pipe is read once: it has no more to say. */
const textNow = (file: string): string => {
  if (!statSync(file).isFile()) throw new Error(`${file} is not a regular file`)
  return readTextFile(file)
}

/**
 * @throws Error where the text holds no certificate, or one that cannot be read: TLS would do without it and all after it, and say
 * nothing
 */
const authoritiesIn = (text: string): string => {
  const certificates = text.split(/(?<=^\uFEFF?)-----BEGIN (?=(?:X509 |TRUSTED )?CERTIFICATE-----)/m).slice(1)
  if (certificates.length === 0) throw new Error('there is no certificate')
  for (const certificate of certificates) new X509Certificate(`-----BEGIN ${certificate}`)
  return text
}

/** @throws Error where a text is not what it should be, or the key is that of another certificate */
const pairOf = (cert: string, key: string): { cert: string; key: string } => {
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) throw new MismatchError()
  return { cert, key }
}

class MismatchError extends Error {}

/**
 * The authorities in the file that a variable names, as PEM. Each call reads them anew, for they are replaced before they end.
 * null: the variable is not set, or its file is reported
 */
export const readAuthorities = ({ problems, path }: Variables, name: string): (() => string) | null => {
  const given = path(name)
  if (given === null || given.content === null) return null
  const { file, content } = given
  try {
    let known = authoritiesIn(content)
    const read = (): string => {
      const text = textNow(file)
      // The many of a system would take each connection some milliseconds.
      if (text !== known) known = authoritiesIn(text)
      return known
    }
    return lastUsable(read, known)
  } catch {
    problems.push(`${name}: expected certificates, as PEM`)
    return null
  }
}

/** A certificate and its key: their files, and what is in them now. */
export interface OwnCertificate {
  certFile: string
  keyFile: string
  now: () => { cert: string; key: string }
}

/**
 * The certificate of this side, by `<prefix>_CERT_FILE` and `<prefix>_KEY_FILE`: both or neither, and a key that belongs to it.
 * null: they are not set, or are reported
 */
export const readOwnCertificate = ({ problems, path }: Variables, prefix: string): OwnCertificate | null => {
  const cert = path(`${prefix}_CERT_FILE`)
  const key = path(`${prefix}_KEY_FILE`)
  if (cert === null && key === null) return null
  if (cert === null || key === null) {
    const [missing, given] = cert === null ? ['CERT', 'KEY'] : ['KEY', 'CERT']
    problems.push(`${prefix}_${missing}_FILE: required when ${prefix}_${given}_FILE is set`)
    return null
  }
  const [certFile, keyFile] = [cert.file, key.file]
  // A file that cannot be read is reported by itself.
  if (cert.content === null || key.content === null) return null
  try {
    const now = lastUsable(() => pairOf(textNow(certFile), textNow(keyFile)), pairOf(cert.content, key.content))
    return { certFile, keyFile, now }
  } catch (error) {
    problems.push(
      error instanceof MismatchError
        ? `${prefix}_KEY_FILE: is not the key of the certificate in ${prefix}_CERT_FILE`
        : `${prefix}_CERT_FILE, ${prefix}_KEY_FILE: expected a certificate and its private key, as PEM`,
    )
    return null
  }
}
