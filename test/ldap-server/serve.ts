import { startEmbeddedDirectory } from '../../src/ldap-server/server.ts'
import { identity, rememberingLog, uncounted } from './embedded-directory.ts'

// A process of its own for the embedded directory, to be killed by a test: prints its port, and serves.

const { port } = await startEmbeddedDirectory({
  folder: process.argv[2] ?? '',
  port: 0,
  baseDn: identity.baseDn,
  rootDn: identity.bindDn,
  rootPassword: identity.bindPassword,
  throttleBind: uncounted,
  log: rememberingLog(),
})
process.stdout.write(`${port}\n`)
