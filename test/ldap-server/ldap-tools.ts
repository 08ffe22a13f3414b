import { spawn, spawnSync } from 'node:child_process'

/** A directory server as a client sees it. */
export interface ServerUnderTest {
  url: string
  baseDn: string
  bindDn: string
  bindPassword: string
  /** The file with the certificate of its authority; none: it is not encrypted. */
  caFile?: string | null
}

const toolsAvailable = spawnSync('ldapsearch', ['-VV'], { stdio: 'ignore' }).error === undefined

/** For the `skip` option of a test that needs ldap-utils; with REQUIRE_SERVERS=1 it fails instead. */
export const skipWithoutTools: string | false =
  toolsAvailable || process.env.REQUIRE_SERVERS === '1' ? false : 'ldap-utils is not installed'

export interface ToolRun {
  /** The LDAP result code, or that of the tool. */
  code: number | null
  stdout: string
  stderr: string
}

/** Runs the command-line tools of OpenLDAP against a server, by default as its root DN. */
export const ldapTools = (server: ServerUnderTest) => {
  const trust =
    typeof server.caFile !== 'string' ? { LDAPNOINIT: '1' } : { LDAPTLS_CACERT: server.caFile, LDAPCONF: '/dev/null' }
  const run = (tool: string, args: readonly string[], input = ''): Promise<ToolRun> =>
    new Promise((resolve, reject) => {
      const child = spawn(tool, args, { env: { ...process.env, ...trust } })
      let stdout = ''
      let stderr = ''
      child.stdout.on('data', (data: Buffer) => {
        stdout += data.toString()
      })
      child.stderr.on('data', (data: Buffer) => {
        stderr += data.toString()
      })
      child.once('error', reject)
      child.once('close', (code) => resolve({ code, stdout, stderr }))
      // A tool that ends before it has read anything says why by its exit code.
      child.stdin.once('error', () => {})
      child.stdin.end(input)
    })
  const simple = ['-x', '-H', server.url]
  const asRoot = [...simple, '-D', server.bindDn, '-w', server.bindPassword]
  const names = (output: string): string[] => Array.from(output.matchAll(/^dn: (.*)$/gm), ([, dn]) => dn ?? '').sort()
  return {
    run: (tool: string, args: readonly string[], input?: string) => run(tool, [...asRoot, ...args], input),
    /** Without a bind DN. */
    anonymously: (tool: string, args: readonly string[]) => run(tool, [...simple, ...args]),
    as: (dn: string, password: string, tool: string, args: readonly string[]) =>
      run(tool, [...simple, '-D', dn, '-w', password, ...args]),
    search: (...args: string[]) => run('ldapsearch', [...asRoot, '-LLL', '-o', 'ldif-wrap=no', ...args]),
    /** The DNs of a search below the base DN, sorted. */
    names: async (...args: string[]): Promise<string[]> => {
      const { stdout } = await run('ldapsearch', [
        ...asRoot,
        ...['-LLL', '-o', 'ldif-wrap=no', '-b', server.baseDn],
        ...args,
        '1.1',
      ])
      return names(stdout)
    },
  }
}
