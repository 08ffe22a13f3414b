import { createHash, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'
import { element, integer, octetString, sequence, tag } from '../protocol/ber.ts'

// Node reads X.509 certificates but cannot make any. This writes the two kinds that the directory needs, in the profile
// of RFC 5280, with the BER writer that the room has anyway. It never reads a certificate: Node and OpenSSL do that.

export interface CertificateRequest {
  /** Common names of the holder and of the signer; equal for an authority. */
  subject: string
  issuer: string
  /** ECDSA keys on P-256: the holder's public one, and the signer's pair. */
  publicKey: KeyObject
  signer: { publicKey: KeyObject; privateKey: KeyObject }
  notBefore: Date
  notAfter: Date
  /** DNS names and IP addresses of a server; null: the certificate of an authority. */
  names: readonly string[] | null
}

const bitStringTag = 0x03
const oidTag = 0x06
const utf8Tag = 0x0c
const generalizedTimeTag = 0x18
const utcTimeTag = 0x17
/** Context tags of the extensions, and of the names in them. */
const explicit = (number: number): number => 0xa0 + number
const implicit = (number: number): number => 0x80 + number

const base128 = (value: number): number[] => {
  const bytes = [value & 0x7f]
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80)
  return bytes
}

const oid = (text: string): Buffer => {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  return element(oidTag, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

const bitString = (bytes: Uint8Array, unusedBits = 0): Buffer => element(bitStringTag, Buffer.from([unusedBits]), bytes)

/** UTCTime up to 2049 and GeneralizedTime from 2050 on (RFC 5280 section 4.1.2.5). */
const time = (date: Date): Buffer => {
  const text = `${date.toISOString().slice(0, 19).replace(/\D/g, '')}Z`
  return date.getUTCFullYear() < 2050 ? octetString(text.slice(2), utcTimeTag) : octetString(text, generalizedTimeTag)
}

const commonName = (name: string): Buffer =>
  sequence(element(tag.set, sequence(oid('2.5.4.3'), octetString(name, utf8Tag))))

const extension = (id: string, value: Buffer, critical = false): Buffer =>
  sequence(oid(id), ...(critical ? [element(tag.boolean, Buffer.from([0xff]))] : []), octetString(value))

/** The subject public key info, as Node writes it, and the identifier of the key: the digest of it (RFC 7093). */
const keyInfo = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' })
const keyIdentifier = (key: KeyObject): Buffer => createHash('sha256').update(keyInfo(key)).digest().subarray(0, 20)

/** The 4 or 16 bytes of an IP address. */
export const addressBytes = (address: string): Buffer => {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  // The URL parser writes the last 32 bits as hexadecimal groups too.
  const plain = new URL(`http://[${address}]/`).hostname.slice(1, -1)
  const [before = [], after = []] = plain.split('::').map((half) => (half === '' ? [] : half.split(':')))
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
  return Buffer.from(groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]))
}

const alternativeName = (name: string): Buffer =>
  isIP(name) === 0 ? octetString(name, implicit(2)) : octetString(addressBytes(name), implicit(7))

const extensionsOf = ({ names, publicKey, signer }: CertificateRequest): Buffer[] => {
  const serverAuthentication = extension('2.5.29.37', sequence(oid('1.3.6.1.5.5.7.3.1')))
  const keyIds = [
    extension('2.5.29.14', octetString(keyIdentifier(publicKey))),
    extension('2.5.29.35', sequence(octetString(keyIdentifier(signer.publicKey), implicit(0)))),
  ]
  const isCa = element(tag.boolean, Buffer.from([0xff]))
  // An authority signs servers and nothing else: no further authority (path length 0), no people, no programs.
  return names === null
    ? [
        extension('2.5.29.19', sequence(isCa, integer(0)), true),
        extension('2.5.29.15', bitString(Buffer.from([0x06]), 1), true),
        serverAuthentication,
        ...keyIds,
      ]
    : [
        extension('2.5.29.19', sequence(), true),
        extension('2.5.29.15', bitString(Buffer.from([0x80]), 7), true),
        serverAuthentication,
        extension('2.5.29.17', sequence(...names.map(alternativeName))),
        ...keyIds,
      ]
}

/** A signed certificate, as PEM. */
export const makeCertificate = (request: CertificateRequest): string => {
  const { subject, issuer, publicKey, signer, notBefore, notAfter } = request
  const algorithm = sequence(oid('1.2.840.10045.4.3.2'))
  // Positive, 127 bits: unique without a counter (RFC 5280 section 4.1.2.2).
  const serial = randomBytes(16)
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40
  const content = sequence(
    element(explicit(0), integer(2)),
    element(tag.integer, serial),
    algorithm,
    commonName(issuer),
    sequence(time(notBefore), time(notAfter)),
    commonName(subject),
    keyInfo(publicKey),
    element(explicit(3), sequence(...extensionsOf(request))),
  )
  const der = sequence(content, algorithm, bitString(sign('sha256', content, signer.privateKey)))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
