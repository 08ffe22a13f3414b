import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { messageOf } from '../../failures/caught-error.ts'
import { makeFolderSync } from '../../files/make-folder.ts'
import { makeCertificate } from './x509.ts'

/** A certificate (with those between it and its authority) and its private key, as PEM. */
export interface Certified {
  cert: string
  key: string
}

const day = 86_400_000
const authorityDays = 3_650
/** Apple's limit for certificates of servers is 398 days; other clients have none that is shorter. */
const serverDays = 397
/** Days before the end at which a certificate is made anew. */
const renewalDays = 60
const subject = 'Steward embedded directory'

interface KeyHolder {
  certificate: X509Certificate
  certificatePem: string
  privateKey: KeyObject
}

const authorityFile = 'authority.pem'
const serverFile = 'server.pem'
/** The certificate that clients trust; the other files hold private keys. */
export const trustedFile = 'ca.pem'

const certificatePattern = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/

const readText = (file: string): string | null => (existsSync(file) ? readFileSync(file, 'utf8') : null)

const readHolder = (file: string): KeyHolder | null => {
  const text = readText(file)
  if (text === null) return null
  const [certificatePem = ''] = certificatePattern.exec(text) ?? []
  return { certificatePem, certificate: new X509Certificate(certificatePem), privateKey: createPrivateKey(text) }
}

/** Replaces the file at once, so that a crash leaves the old or the new one. */
const writeFile = (file: string, text: string, mode: number): void => {
  const draft = `${file}.part`
  writeFileSync(draft, text, { mode, flush: true })
  chmodSync(draft, mode)
  renameSync(draft, file)
}

const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString()

const newKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

const endsIn = ({ validTo }: X509Certificate, now: number): number => Date.parse(validTo) - now

const period = (now: number, days: number) => ({
  // Clocks of clients may be behind.
  notBefore: new Date(now - day),
  notAfter: new Date(now + days * day),
})

/** The authority of this installation. Made anew before it ends, with the same key: what clients trust stays valid. */
const authorityOf = (folder: string, now: number): KeyHolder => {
  const file = join(folder, authorityFile)
  const kept = readHolder(file)
  // It has to outlive the certificates that it signs.
  if (kept && endsIn(kept.certificate, now) > (serverDays + renewalDays) * day) return kept
  const privateKey = kept?.privateKey ?? newKey()
  const publicKey = createPublicKey(privateKey)
  const name = `${subject}: authority`
  const certificatePem = makeCertificate({
    ...{ subject: name, issuer: name, publicKey, signer: { publicKey, privateKey }, names: null },
    ...period(now, authorityDays),
  })
  writeFile(file, `${pemOf(privateKey)}${certificatePem}`, 0o600)
  return { privateKey, certificatePem, certificate: new X509Certificate(certificatePem) }
}

const names = (certificate: X509Certificate, name: string): boolean =>
  (isIP(name) === 0 ? certificate.checkHost(name, { subject: 'never' }) : certificate.checkIP(name)) !== undefined

const isUsable = ({ certificate }: KeyHolder, authority: KeyHolder, wanted: readonly string[], now: number): boolean =>
  endsIn(certificate, now) > renewalDays * day &&
  certificate.checkIssued(authority.certificate) &&
  certificate.verify(authority.certificate.publicKey) &&
  wanted.every((name) => names(certificate, name))

/**
 * The server's certificate, kept in the folder with an authority of its own. It is made at the first call, and made anew
 * before it ends or when it lacks a name; clients trust the authority (`ca.pem`), so that they do not notice. Files with
 * private keys have mode 0600.
 * @throws Error naming a file that holds no key and certificate
 */
export const keptCertificate = (folder: string, wanted: readonly string[], now = Date.now()): Certified => {
  makeFolderSync(folder)
  chmodSync(folder, 0o700)
  try {
    const authority = authorityOf(folder, now)
    const trusted = join(folder, trustedFile)
    if (readText(trusted) !== authority.certificatePem) writeFile(trusted, authority.certificatePem, 0o644)
    const file = join(folder, serverFile)
    const kept = readHolder(file)
    if (kept && isUsable(kept, authority, wanted, now)) {
      return { cert: kept.certificatePem, key: pemOf(kept.privateKey) }
    }
    const privateKey = newKey()
    const signer = { privateKey: authority.privateKey, publicKey: authority.certificate.publicKey }
    const cert = makeCertificate({
      ...{ subject, issuer: `${subject}: authority`, publicKey: createPublicKey(privateKey), signer, names: wanted },
      ...period(now, serverDays),
    })
    const key = pemOf(privateKey)
    writeFile(file, `${key}${cert}`, 0o600)
    return { cert, key }
  } catch (error) {
    const reason = messageOf(error)
    throw new Error(`${folder}: the certificate of the embedded directory cannot be read or written (${reason})`)
  }
}
