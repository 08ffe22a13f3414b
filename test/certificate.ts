import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

export interface CertificateFiles {
  /** The authority's certificate, to be trusted by clients. */
  ca: string
  certificate: string
  key: string
}

/**
 * Makes a throw-away authority and a server certificate, valid for two days.
 * @param names of the server: by default the IP address 127.0.0.1, and no host name
 */
export const makeCertificate = async (folder: string, names = 'IP:127.0.0.1'): Promise<CertificateFiles> => {
  const file = (name: string): string => join(folder, name)
  const openssl = (...args: string[]): Promise<unknown> => run('openssl', args)
  await openssl(
    ...['req', '-x509', ...newKey, '-days', '2', '-subj', '/CN=Throw-away CA'],
    ...['-keyout', file('ca.key'), '-out', file('ca.crt')],
  )
  await openssl(
    ...['req', '-new', ...newKey, '-subj', '/CN=directory'],
    ...['-keyout', file('server.key'), '-out', file('server.csr')],
  )
  await writeFile(file('server.ext'), `subjectAltName=${names}\nbasicConstraints=CA:FALSE\n`)
  await openssl(
    ...['x509', '-req', '-in', file('server.csr'), '-CA', file('ca.crt'), '-CAkey', file('ca.key')],
    ...['-set_serial', '2', '-days', '2', '-extfile', file('server.ext'), '-out', file('server.crt')],
  )
  return { ca: file('ca.crt'), certificate: file('server.crt'), key: file('server.key') }
}
