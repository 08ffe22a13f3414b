import { openEmbeddedDirectory } from '../../src/ldap-server/server.ts'
import { defaults } from './embedded-directory.ts'

// A process of its own for the embedded directory, to be killed by a test: prints its port, and serves.

const { port } = await openEmbeddedDirectory({
  folder: process.argv[2] ?? '',
  ...defaults(),
})
process.stdout.write(`${port}\n`)
