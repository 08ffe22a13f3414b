import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import t from 'tap'
import { parseConfig } from '../../src/config/config.ts'
import { readEnvironment } from '../../src/config/environment.ts'
import { readTimeZone } from '../../src/config/time-zone.ts'
import { markTrial } from '../../src/config/trial.ts'
import { openVariables } from '../../src/config/variables.ts'
import { ConfigError } from '../../src/failures/errors.ts'
import { keptCertificate } from '../../src/ldap-server/tls/kept-certificate.ts'
import { makeCertificate } from '../certificate.ts'

type Environment = Record<string, string>

const problemsOf = (environment: Environment): readonly string[] => {
  try {
    parseConfig(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

const dingtalk: Environment = { EXTA_APP_KEY: 'key-a', EXTA_APP_SECRET: 'secret-a' }
const ldap: Environment = {
  EXTLDAP_URL: 'ldaps://ldap.example.com',
  EXTLDAP_BIND_DN: 'cn=reader,dc=example,dc=com',
  EXTLDAP_BIND_PASSWORD: 'secret-l',
  EXTLDAP_BASE_DN: 'dc=example,dc=com',
}

t.test('without a setting everything has a value', async (t) => {
  t.match(parseConfig({}), {
    host: '127.0.0.1',
    port: 8888,
    ldap: { kind: 'embedded', port: 1389 },
    syncWait: 20_000,
    syncMaxRemovals: { records: 20, share: 0.1 },
    syncWins: 'source',
    dailyCalories: 2000,
    backupUnpackLimit: 64 * 1024 ** 3,
    connectors: { exta: 'dingtalk', extb: 'feishu', extc: 'wecom', extldap: 'ldap' },
    sources: { exta: null, extb: null, extc: null, extldap: null },
    schedules: { exta: null, extb: null, extc: null, extldap: null },
  })
})

t.test('a setting that is taken over from .env.example as it stands there changes nothing', async (t) => {
  const second = {
    LDAP_2_URL: 'ldap://second.example',
    LDAP_2_BASE_DN: 'dc=second,dc=example',
    LDAP_2_BIND_DN: 'cn=admin',
    LDAP_2_BIND_PASSWORD: 'secret-d',
  }
  const main = Object.fromEntries(Object.entries(second).map(([name, value]) => [name.replace('_2', ''), value]))
  const beside: readonly [prefix: string, environment: Environment][] = [
    ['LDAP_2_', second],
    ['LDAP_', main],
    ['EXTLDAP_', ldap],
    ['EXTA_', dingtalk],
  ]
  // `all` and nothing mean the same where there is no further directory.
  const shapeOf = (environment: Environment): string =>
    JSON.stringify(parseConfig(environment)).replaceAll('"all"', 'null')
  const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')
  const settings = [...example.matchAll(/^#(\w+)=(.+)$/gm)]
  t.ok(settings.length > 60, 'the example is read')
  for (const [, name = '', value = ''] of settings) {
    const [, environment = {}] = beside.find(([prefix]) => name.startsWith(prefix)) ?? []
    t.equal(shapeOf({ ...environment, [name]: value }), shapeOf(environment), `${name}=${value}`)
  }
})

t.test('further directories have settings of their own, under their number', async (t) => {
  const second = {
    LDAP_2_URL: 'ldap://second.example ldap://third.example',
    LDAP_2_BASE_DN: 'DC=second, dc=example',
    LDAP_2_BIND_DN: 'cn=admin',
    LDAP_2_BIND_PASSWORD: 'secret-d',
  }
  const { furtherDirectories, groupClass, posix } = parseConfig({
    ...second,
    LDAP_2_GROUP_CLASS: 'groupOfUniqueNames',
    LDAP_2_NESTED_GROUPS: 'members',
    LDAP_2_MEMBER_OF: 'on',
    LDAP_2_NT_HASH: 'on',
    LDAP_2_GROUPS: '40, 12 40',
    LDAP_2_ATTRIBUTES: 'Mail displayName, mail',
    LDAP_PASSWORD_SCHEME: 'ssha512',
    LDAP_2_POSIX_ACCOUNTS: 'all',
    POSIX_SHELL: '/bin/zsh',
    LDAP_9_URL: 'ldap://second.example',
    LDAP_9_BASE_DN: 'dc=ninth',
    LDAP_9_BIND_DN: 'cn=admin',
    LDAP_9_BIND_PASSWORD: 'secret-d',
    LDAP_9_PASSWORD_SCHEME: 'PBKDF2-SHA512',
  })
  t.match(furtherDirectories, [
    {
      number: 2,
      ldap: { url: 'ldap://second.example', otherUrls: ['ldap://third.example'], baseDn: 'DC=second,dc=example' },
      ...{
        groupClass: 'groupOfUniqueNames',
        nestedGroups: 'members',
        memberOf: true,
        ntHash: true,
        passwordScheme: 'ssha512',
        ownScheme: false,
      },
      posix: { accounts: 'all', shell: '/bin/zsh' },
      ...{ groups: [12, 40], maxRemovals: 20, attributes: ['displayname', 'mail'] },
    },
    {
      number: 9,
      groups: null,
      attributes: null,
      groupClass: 'groupOfNames',
      nestedGroups: 'off',
      memberOf: false,
      ntHash: false,
      passwordScheme: 'pbkdf2-sha512',
      ownScheme: true,
      posix: null,
    },
  ])
  t.match({ groupClass, posix }, { groupClass: 'groupOfNames', posix: null }, 'the main directory has its own')
  for (const [wrong, problem] of [
    [{ LDAP_2_URL: '' }, /^LDAP_2_URL: required when LDAP_2_B/],
    [{ LDAP_2_GROUP_CLAS: 'x' }, /^LDAP_2_GROUP_CLAS: is not a setting of a directory/],
    [{ LDAP_10_URL: 'ldap://x' }, /^LDAP_10_URL: is not a setting/],
    [{ LDAP_2_BIND_PASSWORD: '' }, /^LDAP_2_BIND_PASSWORD: required when LDAP_2_URL is set/],
    [{ LDAP_2_PASSWORD_SCHEME: 'md5' }, /^LDAP_2_PASSWORD_SCHEME: expected argon2, pbkdf2-sha512, ssha512/],
    [{ LDAP_2_GROUPS: 'Sales' }, /^LDAP_2_GROUPS: expected all, or ids of groups, separated by/],
    [{ LDAP_2_ATTRIBUTES: 'mail;x-a' }, /^LDAP_2_ATTRIBUTES: expected all, or names of attributes/],
    [{ LDAP_2_GROUPS: '0' }, /^LDAP_2_GROUPS: expected all, or ids/],
    [{ LDAP_2_MAX_REMOVALS: '-1' }, /^LDAP_2_MAX_REMOVALS: expected a whole number/],
    [{ EMBEDDED_LDAP_PORT: 'off' }, /^LDAP_URL: required when there are further/],
  ] as const) {
    t.match(problemsOf({ ...second, ...wrong })[0], problem)
  }
  t.match(
    problemsOf({
      ...second,
      LDAP_2_URL: 'ldaps://second.example',
      LDAP_2_BASE_DN: 'ou=steward,dc=second,dc=example',
      LDAP_2_KIND: 'active-directory',
      LDAP_2_PASSWORD_SCHEME: 'argon2',
    }),
    [/^LDAP_2_PASSWORD_SCHEME: is not allowed when LDAP_2_KIND is active-directory/],
  )
  const classes = (text: string) => parseConfig({ LDAP_GROUP_CLASS: text })
  t.match(classes('posixGroup groupOfUniqueNames'), {
    groupClass: 'groupOfUniqueNames',
    posix: { accounts: 'none', everyGroup: true },
  })
  t.match(classes('GROUPOFNAMES'), { groupClass: 'groupOfNames', posix: null })
  for (const text of [
    'posixGroup',
    'groupOfNames,groupOfUniqueNames',
    'groupOfNames group',
    'groupOfNames groupOfNames',
  ]) {
    t.match(problemsOf({ LDAP_GROUP_CLASS: text }), [/^LDAP_GROUP_CLASS: expected one of groupOfNames and/])
  }
  const third = { LDAP_3_URL: 'ldap://third.example', LDAP_3_BIND_DN: 'cn=admin', LDAP_3_BIND_PASSWORD: 'secret-d' }
  for (const base of ['dc=second,dc=example', 'ou=in,dc=Second,dc=example', 'dc=example']) {
    t.same(problemsOf({ ...second, ...third, LDAP_3_BASE_DN: base }), [
      'LDAP_3_BASE_DN: overlaps with LDAP_2_BASE_DN on the same server',
    ])
  }
  t.doesNotThrow(() => parseConfig({ ...second, ...third, LDAP_3_BASE_DN: 'dc=third,dc=example' }))
})

t.test('the database may have several hosts', async (t) => {
  const read = (DATABASE_URL: string) => parseConfig({ DATABASE_URL }).databaseUrl
  t.equal(read('postgres://u:p@one/x'), 'postgres://u:p@one/x')
  for (const target of ['', '?target_session_attrs=primary', '?target_session_attrs=read-write']) {
    t.equal(read(`postgres://u:p@one:1,two:2/x${target}`), `postgres://u:p@one:1,two:2/x${target}`)
  }
  for (const wrong of [
    ...['one/x', 'http://one/x', 'postgres://u:secret@one,/x', 'postgres://u:secret@one:port/x'],
    'postgres://u:secret@one,two/x?target_session_attrs=standby',
    'postgres://u:secret@one/x?target_session_attrs=any',
  ]) {
    t.same(problemsOf({ DATABASE_URL: wrong }), [
      'DATABASE_URL: expected a URL starting with postgres:// or postgresql://, with one host or several, separated by commas; target_session_attrs, where it has it, primary or read-write; in user and password # / ? @ and % are percent-encoded (# as %23)',
    ])
  }
})

t.test('the address without PgBouncer stands beside the one with it', async (t) => {
  const [DATABASE_URL, DATABASE_DIRECT_URL] = ['postgres://u:p@pooler:6432/x', 'postgres://u:p@one,two/x']
  t.match(parseConfig({ DATABASE_URL, DATABASE_DIRECT_URL }), { databaseDirectUrl: DATABASE_DIRECT_URL })
  t.equal(parseConfig({ DATABASE_URL }).databaseDirectUrl, null)
  t.same(problemsOf({ DATABASE_DIRECT_URL }), [
    'DATABASE_DIRECT_URL: set DATABASE_URL too, to the address of PgBouncer',
  ])
})

t.test('a standby for reads is one host', async (t) => {
  const DATABASE_URL = 'postgres://u:p@one,two/x'
  const read = (DATABASE_REPLICA_URL: string) => problemsOf({ DATABASE_URL, DATABASE_REPLICA_URL })
  const DATABASE_REPLICA_URL = 'postgres://u:p@two/x'
  t.equal(parseConfig({ DATABASE_URL, DATABASE_REPLICA_URL }).databaseReplicaUrl, DATABASE_REPLICA_URL)
  for (const wrong of [
    'postgres://u:secret@two,three/x',
    'postgres://u:secret@two/x?target_session_attrs=standby',
    'x',
  ]) {
    t.same(read(wrong), [
      'DATABASE_REPLICA_URL: expected a URL starting with postgres:// or postgresql://, with one host, without target_session_attrs; in user and password # / ? @ and % are percent-encoded (# as %23)',
    ])
  }
  t.same(problemsOf({ DATABASE_REPLICA_URL }), ['DATABASE_REPLICA_URL: set DATABASE_URL too, to the primary'])
})

t.test('metrics have a port of their own, or none', async (t) => {
  t.equal(parseConfig({}).metrics, null)
  t.equal(parseConfig({ METRICS_PORT: 'off', METRICS_TOKEN: 'sixteen-letters!' }).metrics, null)
  t.same(parseConfig({ METRICS_PORT: '9464' }).metrics, { host: '127.0.0.1', port: 9464, token: null })
  const all = { METRICS_PORT: '0', METRICS_HOST: '::', METRICS_TOKEN: 'sixteen-letters!' }
  t.same(parseConfig(all).metrics, { host: '::', port: 0, token: 'sixteen-letters!' })
  t.match(problemsOf({ METRICS_PORT: '65536' }), [/^METRICS_PORT: expected a port from 0 to 65535, or off/])
  for (const token of ['short', 'with spaces in between', 'sixteen-lettersé']) {
    t.match(problemsOf({ METRICS_PORT: '0', METRICS_TOKEN: token }), [/^METRICS_TOKEN: expected at least 16/])
  }
})

t.test('an Active Directory', async (t) => {
  const env = {
    LDAP_KIND: 'active-directory',
    LDAP_URL: 'ldaps://dc1.example.org',
    LDAP_BASE_DN: 'OU=Steward, DC=example, DC=org',
    LDAP_BIND_DN: 'cn=steward,cn=Users,dc=example,dc=org',
    LDAP_BIND_PASSWORD: 'secret-d',
  }
  t.match(parseConfig(env), { activeDirectory: { upnSuffix: 'example.org' }, groupLayout: 'flat', posix: null })
  t.match(parseConfig({ ...env, LDAP_UPN_SUFFIX: 'example.com' }), { activeDirectory: { upnSuffix: 'example.com' } })
  t.equal(parseConfig({ ...env, LDAP_URL: 'ldap://dc1', LDAP_STARTTLS: 'on' }).groupLayout, 'flat')
  t.equal(parseConfig({}).activeDirectory, null)
  for (const [wrong, problem] of [
    [{ LDAP_URL: 'ldap://dc1.example.org' }, /^LDAP_URL: expected ldaps:.* over TLS only$/],
    [{ LDAP_URL: 'ldaps://dc1 ldap://dc2' }, /^LDAP_URL: expected ldaps:/],
    [{ LDAP_BASE_DN: 'dc=example,dc=org' }, /^LDAP_BASE_DN: expected an organizational unit of its own/],
    [{ LDAP_BIND_DN: 'steward@example.org' }, /^LDAP_BIND_DN: expected a DN/],
    [{ LDAP_GROUP_LAYOUT: 'nested' }, /^LDAP_GROUP_LAYOUT: expected flat/],
    [{ LDAP_GROUP_CLASS: 'groupOfNames' }, /^LDAP_GROUP_CLASS: is not allowed when LDAP_KIND is active-directory/],
    [{ LDAP_MEMBER_OF: 'on' }, /^LDAP_MEMBER_OF: is not allowed/],
    [{ LDAP_NT_HASH: 'on' }, /^LDAP_NT_HASH: is not allowed/],
    [{ POSIX_ACCOUNTS: 'all' }, /^POSIX_ACCOUNTS: is not allowed/],
    [{ LDAP_UPN_SUFFIX: 'a@b' }, /^LDAP_UPN_SUFFIX: expected what follows the @/],
    [{ LDAP_KIND: 'generic', LDAP_UPN_SUFFIX: 'x.org' }, /^LDAP_UPN_SUFFIX: is allowed only when LDAP_KIND/],
    [{ LDAP_KIND: 'ad' }, /^LDAP_KIND: expected/],
  ] as const) {
    t.match(problemsOf({ ...env, ...wrong })[0], problem)
  }
  t.match(problemsOf({ LDAP_KIND: 'active-directory' })[0], /^LDAP_URL: required when LDAP_KIND is active-directory/)
})

t.test('a number of bytes', async (t) => {
  for (const [text, bytes] of [
    ['1048576', 1024 ** 2],
    ['500M', 500 * 1024 ** 2],
    ['2gb', 2 * 1024 ** 3],
    ['1T', 1024 ** 4],
  ] as const) {
    t.equal(parseConfig({ BACKUP_UNPACK_LIMIT: text }).backupUnpackLimit, bytes)
  }
  for (const wrong of ['lots', '-1', '1.5G', '1023K', '999999999999T', '5 G']) {
    t.match(problemsOf({ BACKUP_UNPACK_LIMIT: wrong }), [/^BACKUP_UNPACK_LIMIT: expected a number of bytes such as/])
  }
})

t.test('entries of the operation log are kept for days, or for ever', async (t) => {
  const day = 86_400_000
  t.equal(parseConfig({}).logRetention, 400 * day)
  t.equal(parseConfig({ LOG_RETENTION: '30d' }).logRetention, 30 * day)
  t.equal(parseConfig({ LOG_RETENTION: '48h' }).logRetention, 2 * day)
  t.equal(parseConfig({ LOG_RETENTION: 'off' }).logRetention, null)
  for (const wrong of ['0', '23h', '3651d', '-1d', 'never', '400 days']) {
    t.match(problemsOf({ LOG_RETENTION: wrong }), [/^LOG_RETENTION: expected off, or a duration such as 400d/])
  }
})

t.test('a wait is no longer than a timer can wait', async (t) => {
  const waits = [
    'DRAIN_PERIOD',
    'DIRECTORY_WAIT',
    'SYNC_WAIT',
    'LDAP_TIMEOUT',
    'LDAP_RETURN_INTERVAL',
    'EXTLDAP_TIMEOUT',
  ]
  const directory = {
    ...ldap,
    LDAP_URL: 'ldap://x',
    LDAP_BASE_DN: 'dc=x',
    LDAP_BIND_DN: 'cn=x',
    LDAP_BIND_PASSWORD: 'x',
  }
  for (const name of waits) {
    t.same(problemsOf({ ...directory, [name]: '24d' }), [], name)
    t.match(problemsOf({ ...directory, [name]: '25d' }), [new RegExp(`^${name}: expected a duration .* to 24 days$`)])
  }
  for (const name of ['DRIFT_INTERVAL', 'TOKEN_TTL', 'SESSION_MAX', 'DEVICE_TIMEOUT']) {
    t.same(problemsOf({ [name]: '3650d' }), [], name)
    t.match(problemsOf({ [name]: '3651d' }), [new RegExp(`^${name}: expected a duration .* to 3650 days$`)])
  }
})

t.test('the proxies that are trusted', async (t) => {
  for (const [text, proxies] of [
    ['on', true],
    ['off', false],
    ['2', 2],
    ['10.0.0.1, 10.1.0.0/16,fd00::/8', '10.0.0.1, 10.1.0.0/16,fd00::/8'],
  ] as const) {
    t.equal(parseConfig({ TRUST_PROXY: text }).trustProxy, proxies)
  }
  for (const wrong of ['1e9', '1.5', '9999', ',', '/', '10.0.0.0/99', '::/0', '10.0.0.1 10.0.0.2', 'loopback', '-1']) {
    t.match(problemsOf({ TRUST_PROXY: wrong }), [/^TRUST_PROXY: expected on, off, a hop count, or addresses/], wrong)
  }
})

t.test('the address of a directory has a host', async (t) => {
  const account = { LDAP_BASE_DN: 'dc=example,dc=org', LDAP_BIND_DN: 'cn=steward', LDAP_BIND_PASSWORD: 'secret' }
  for (const url of ['ldap://one ldaps://two:636', 'ldap://[fd00::1]:389', 'ldap://10.0.0.1'])
    t.same(problemsOf({ ...account, LDAP_URL: url }), [], url)
  for (const url of ['ldap://one, ldap://two', 'ldap://one,ldap://two', 'ldap://', 'ldap:///dc=example', 'ldap:one'])
    t.match(problemsOf({ ...account, LDAP_URL: url }), [/^LDAP_URL: expected different URLs, separated by spaces/], url)
  t.match(problemsOf({ EXTLDAP_URL: 'ldap://one,two' })[0], /^EXTLDAP_URL: expected a URL .* with a host$/)
})

t.test('a name that is almost that of a setting is told', async (t) => {
  const meant = (environment: Environment) =>
    parseConfig(environment).misspelled.map(({ name, meant }) => [name, meant])
  t.same(
    meant({
      PROT: '8080',
      BACKUP_KEYS: 'k',
      DATABASEURL: 'postgres://x',
      log_level: 'debug',
      EXTA_USER_FILTER: '',
      DATABSE_URL_FILE: '/run/secrets/url',
    }),
    [
      ['PROT', 'PORT'],
      ['BACKUP_KEYS', 'BACKUP_KEY'],
      ['DATABASEURL', 'DATABASE_URL'],
      ['log_level', 'LOG_LEVEL'],
      ['DATABSE_URL_FILE', 'DATABASE_URL_FILE'],
    ],
  )
  t.same(
    problemsOf({ LDAP_URL: 'ldaps://one', LDAP_BASE_DN: 'dc=example', LDAP_BINDDN: 'cn=a', LDAP_BIND_PASSWORD: 'p' }),
    ['LDAP_BIND_DN: required when LDAP_URL is set', 'LDAP_BINDDN: unknown, and ignored; did you mean LDAP_BIND_DN?'],
  )
  t.same(
    problemsOf({ LDAP_URL: 'ldaps://one', LDAP_BASE_DN: 'dc=example', LDAP_BIND_D: 'cn=a', LDAP_BIND_PASSWORD: 'p' }),
    ['LDAP_BIND_DN: required when LDAP_URL is set', 'LDAP_BIND_D: unknown, and ignored; did you mean LDAP_BIND_DN?'],
    'also where the name is a part of the one that is missing',
  )
  const others = [
    'HOME',
    'HOSTNAME',
    'PATH',
    'LOGNAME',
    'REDIS_PORT',
    'LDAP_PORT',
    'LDAP_HOST',
    'DATABASE_PORT',
    'SMTP_HOST',
  ]
  t.same(meant(Object.fromEntries(others.map((name) => [name, 'x']))), [], 'names of other programs and of Kubernetes')
  const settings = readFileSync('.env.example', 'utf8').match(/(?<=^#)[A-Z\d_]+(?==)/gm) ?? []
  t.ok(settings.length > 100)
  for (const value of ['x', '1', 'on', '8h', 'ldap://one']) {
    for (const name of settings) {
      const problems = problemsOf({ [name]: value })
      if (problems.length === 0) t.same(meant({ [name]: value }), [], name)
      t.notOk(
        problems.some((one) => one.includes('did you mean')),
        name,
      )
    }
  }
})

t.test('what is set of a directory elsewhere is not ignored without its address', async (t) => {
  t.same(problemsOf({ LDAP_BASE_DN: 'dc=example,dc=org', LDAP_BIND_PASSWORD_FILE: '/run/secrets/ldap' }), [
    'LDAP_URL: required when LDAP_BASE_DN is set',
    'LDAP_URL: required when LDAP_BIND_PASSWORD_FILE is set',
  ])
  t.same(problemsOf({ LDAP_BASE_DN: '', LDAP_GROUP_CLASS: 'groupOfUniqueNames', LDAP_SERVICE_HOST: '10.0.0.1' }), [])
})

t.test('a copy for trying out sends nothing to what watches the real installation', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'steward-trial-'))
  t.teardown(() => rmSync(dataDir, { recursive: true }))
  const watched = { DATA_DIR: dataDir, SYSLOG_URL: 'syslog+tls://logs', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://traces' }
  t.same(problemsOf(watched), [])
  markTrial(dataDir)
  t.match(problemsOf(watched), [/^SYSLOG_URL: not allowed on /, /^OTEL_EXPORTER_OTLP_ENDPOINT: not allowed on /])
  t.same(problemsOf({ ...watched, SYSLOG_URL: '', OTEL_SDK_DISABLED: 'on' }), [])
})

t.test('an empty variable is an unset one', async (t) => {
  t.match(parseConfig({ PORT: '', EXTA_APP_KEY: ' ', EXTA_SCHEDULE: '', SYNC_WINS: '' }), {
    port: 8888,
    sources: { exta: null },
    syncWins: 'source',
  })
})

t.test('the environment overlays .env', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-env-'))
  writeFileSync(join(folder, '.env'), 'EXTA_APP_KEY=from-file\nPATH=from-file\n')
  const { EXTA_APP_KEY, PATH } = readEnvironment(folder)
  t.equal(EXTA_APP_KEY, 'from-file')
  t.equal(PATH, process.env.PATH)
  writeFileSync(join(folder, '.env'), '\uFEFFEXTA_APP_KEY=first\r\nEXTA_APP_SECRET="second"\r\n')
  t.match(readEnvironment(folder), { EXTA_APP_KEY: 'first', EXTA_APP_SECRET: 'second' }, 'of an editor of Windows')
  rmSync(join(folder, '.env'))
  mkdirSync(join(folder, '.env'))
  t.throws(() => readEnvironment(folder), { name: 'ConfigError', message: /\.env cannot be read \(EISDIR/ })
})

t.test('a setting can be the content of a file, so that a secret need not be in the environment', async (t) => {
  const file = join(mkdtempSync(join(tmpdir(), 'steward-secret-')), 'jwt')
  const secret = 'kP2vX9qLw7TzN4bRf8JcY1mHd6GsA3uE'
  writeFileSync(file, `${secret}\n`)
  t.equal(parseConfig({ JWT_SECRET_FILE: file }).jwtSecret, secret)
  t.equal(parseConfig({ JWT_SECRET: secret, JWT_SECRET_FILE: '' }).jwtSecret, secret)
  t.same(problemsOf({ JWT_SECRET: secret, JWT_SECRET_FILE: file, SMTP_URL_FILE: `${file}-missing` }), [
    'JWT_SECRET_FILE: is not allowed with JWT_SECRET',
    `SMTP_URL_FILE: cannot be read (ENOENT: no such file or directory, open '${file}-missing')`,
  ])
  writeFileSync(file, ' \n')
  t.same(problemsOf({ DATABASE_URL_FILE: file }), [`DATABASE_URL_FILE: ${file} is empty`], 'not the embedded database')
  t.same(problemsOf({ DATABASE_URL_FILE: '/dev/zero' }), [
    'DATABASE_URL_FILE: cannot be read (/dev/zero is longer than 4 MiB)',
  ])
})

t.test('a secret that was given instead of its file is not repeated', async (t) => {
  const secret = 'kP2vX9qLw7TzN4bRf8JcY1mHd6GsA3uE'
  t.same(problemsOf({ JWT_SECRET_FILE: secret }), ['JWT_SECRET_FILE: cannot be read (ENOENT)'])
  for (const base64 of [`/${secret}`, `/kP2v/${secret}`]) {
    t.same(problemsOf({ JWT_SECRET_FILE: base64 }), ['JWT_SECRET_FILE: cannot be read (ENOENT)'])
  }
  t.same(problemsOf({ JWT_SECRET_FILE: secret.repeat(200) }), ['JWT_SECRET_FILE: cannot be read (ENAMETOOLONG)'])
})

t.test('the sender of mails is one address, perhaps with a name', async (t) => {
  for (const sender of [
    'steward@localhost',
    'Steward <it@example.org>',
    '"IT, Steward" <it@example.org>',
    '管家 <a@例.cn>',
    'it@example.org (Steward)',
    'Steward < it@example.org >',
    '"IT <Steward>" <it@example.org>',
    '"it steward"@example.org',
    'Steward <it@[10.0.0.1]>',
    'it@[IPv6:fd00::1]',
  ]) {
    t.equal(parseConfig({ MAIL_FROM: sender }).mailFrom, sender)
  }
  for (const sender of [
    ...['Steward', 'off', '-1', 'a@', '<>', 'IT <x>', 'A\nB <a@b.org>', '@b.org', 'a@b@c', 'mailto:a@b.org', ','],
    // Several.
    ...['a@b, c@d', 'a@b, IT <c@d>', 'IT <a@b> <c@d>', 'IT: a@b;'],
    // A quotation mark that is not closed makes the name a part of the address.
    ...['"Steward <a@b.org>', 'St"eward <a@b.org>', '"Steward\\" <a@b.org>'],
  ]) {
    t.same(
      problemsOf({ MAIL_FROM: sender }),
      ['MAIL_FROM: expected one mail address, perhaps with a name: Steward <steward@example.org>'],
      sender,
    )
  }
})

t.test('a mail server is a host, perhaps with a user and a password', async (t) => {
  for (const SMTP_URL of ['smtp://localhost', 'smtps://me:100%@mail.example.com:465', 'smtp://[::1]:25/?pool=true']) {
    t.equal(parseConfig({ SMTP_URL }).smtpUrl, SMTP_URL)
  }
  for (const SMTP_URL of ['smtp://', 'smtp:///', 'smtp:mail', 'mail', 'http://mail']) {
    t.match(problemsOf({ SMTP_URL }), [/^SMTP_URL: expected a URL starting with smtp/], SMTP_URL)
  }
})

t.test('a Redis is a host, perhaps with a password and a database', async (t) => {
  for (const REDIS_URL of [
    ...['redis://localhost', 'rediss://user:p%20w@cache.example.com:6380/2', 'redis://[::1]/'],
    ...['redis-sentinel://one,two:26380,[::1]:26379/ours', 'rediss-sentinel://u:p%20w@one/ours-1/3'],
  ]) {
    t.equal(parseConfig({ REDIS_URL }).redisUrl, REDIS_URL)
  }
  t.equal(parseConfig({}).redisUrl, null)
  for (const wrong of ['localhost:6379', 'http://h', 'redis:///1', 'redis://h/x', 'redis://h?db=1', 'redis://:%zz@h']) {
    const problems = problemsOf({ REDIS_URL: wrong })
    t.match(problems, [/^REDIS_URL: expected redis:\/\/ or rediss:\/\//])
    t.notOk(problems.join().includes(wrong))
  }
})

t.test('settings that would be of no use are refused', async (t) => {
  const sentinels = 'redis-sentinel://one,two/mymaster'
  const { redisUrl, sentinelPassword } = parseConfig({ REDIS_URL: sentinels, REDIS_SENTINEL_PASSWORD: 'secret-s' })
  t.strictSame([redisUrl, sentinelPassword], [sentinels, 'secret-s'])
  for (const environment of [{}, { REDIS_URL: 'redis://host' }] as Environment[]) {
    const problems = problemsOf({ ...environment, REDIS_SENTINEL_PASSWORD: 'secret-s' })
    t.match(problems, [/^REDIS_SENTINEL_PASSWORD: is allowed only when REDIS_URL begins with redis-sentinel:/])
    t.notMatch(problems.join(), 'secret-s')
  }
  const wrong = problemsOf({ REDIS_URL: 'redis-sentinel://one', REDIS_SENTINEL_PASSWORD: 'secret-s' })
  t.match(wrong, [/^REDIS_URL: expected/], 'the URL alone is wrong')
  t.equal(wrong.length, 1)
  for (const path of ['/steward', '/a.b/~c/..d', '/a/'])
    t.equal(parseConfig({ BASE_PATH: path }).basePath, path.replace(/\/$/, ''))
  for (const path of ['/a/../b', '/..', '/.', '/a/./b', '/a/..', '/a/.', '//a', 'a'])
    t.match(problemsOf({ BASE_PATH: path }), [/^BASE_PATH: expected a path/], path)
})

t.test('what nothing can be listened on is refused with the other settings', async (t) => {
  for (const name of ['HOST', 'METRICS_HOST', 'EMBEDDED_LDAP_HOST']) {
    for (const host of ['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost', 'node-1.example.org', 'a', 'my_host'])
      t.strictSame(problemsOf({ [name]: host }), [], `${name}=${host}`)
    for (const host of ['[::1]', '127.0.0.1:80', 'http://host', 'a b', '10.0.0', '10.0.0.256', '1.2.3.4/8', '*', 'a,b'])
      t.match(problemsOf({ [name]: host }), [new RegExp(`^${name}: expected an address`)], `${name}=${host}`)
  }
})

t.test('the length of ADMIN_PASSWORD counts characters, as for any password', async (t) => {
  for (const password of ['é'.repeat(8), '🌱'.repeat(128)]) t.strictSame(problemsOf({ ADMIN_PASSWORD: password }), [])
  for (const password of ['🌱'.repeat(7), 'x'.repeat(129)])
    t.match([...problemsOf({ ADMIN_PASSWORD: password, PORT: 'eighty' })].sort(), [
      /^ADMIN_PASSWORD: expected 8 to 128/,
      /^PORT:/,
    ])
})

t.test('all bad settings are named at once, and no secret is repeated', async (t) => {
  const problems = problemsOf({
    PORT: '99999',
    JWT_SECRET: 'short-secret',
    TIME_ZONE: 'Mars/Olympus',
    ADMIN_PASSWORD: 'pw-7-ch',
    DRIFT_INTERVAL: '5 minutes',
    DEFAULT_REGION: 'China',
    LDAP_URL: 'ldaps://ldap.example.com',
    LDAP_STARTTLS: 'on',
    LDAP_CA_FILE: '/nowhere/ca.pem',
    DIET_DAILY_CALORIES: '799',
    ...dingtalk,
    EXTA_URL: 'http://user:secret-u@oapi.example.com',
    SYNC_MAX_REMOVALS: 'many',
    SYNC_WINS: 'nobody',
    BACKUP_UNPACK_LIMIT: '512',
  })
  t.same(problems.map((problem) => problem.split(':', 1)[0]).sort(), [
    'ADMIN_PASSWORD',
    'BACKUP_UNPACK_LIMIT',
    'DEFAULT_REGION',
    'DIET_DAILY_CALORIES',
    'DRIFT_INTERVAL',
    'EXTA_URL',
    'JWT_SECRET',
    'LDAP_BASE_DN',
    'LDAP_BIND_DN',
    'LDAP_BIND_PASSWORD',
    'LDAP_CA_FILE',
    'LDAP_STARTTLS',
    'PORT',
    'SYNC_MAX_REMOVALS',
    'SYNC_WINS',
    'TIME_ZONE',
  ])
  t.notMatch(problems.join('\n'), /secret|pw-7-ch/)
})

t.test(
  'the time zone is a name that Node.js and PostgreSQL read alike, also where it is that of the host',
  async (t) => {
    const zoneOf = (host: string | undefined, environment = {}) => {
      const variables = openVariables(environment)
      return { zone: readTimeZone(variables, host), problems: variables.problems }
    }
    t.same(zoneOf('Africa/Casablanca'), { zone: 'Africa/Casablanca', problems: [] })
    // TZ=CST-8, an empty TZ, and what newer versions of Node.js know too.
    for (const host of [undefined, 'Etc/Unknown', '+05:30']) {
      t.match(zoneOf(host).problems, [/^TIME_ZONE: expected an IANA time zone .* TZ of the host/], `${host}`)
      t.same(zoneOf(host, { TIME_ZONE: 'Pacific/Apia' }), { zone: 'Pacific/Apia', problems: [] })
    }
    for (const TIME_ZONE of ['+05:30', '-03:00', 'CST-8', 'Etc/Unknown']) {
      t.match(problemsOf({ TIME_ZONE }), [/^TIME_ZONE: expected an IANA time zone/], TIME_ZONE)
    }
  },
)

t.test('the base of the directory is a DN, however it is spelled', async (t) => {
  const directory = { LDAP_URL: 'ldap://localhost', LDAP_BIND_DN: 'cn=admin', LDAP_BIND_PASSWORD: 'secret-d' }
  const baseDn = 'ou=Wine\\, Beer , dc=example, dc=org'
  t.match(parseConfig({ ...directory, LDAP_BASE_DN: baseDn }).ldap, { baseDn: 'ou=Wine\\2c Beer,dc=example,dc=org' })
  t.match(problemsOf({ ...directory, LDAP_BASE_DN: 'example.org' }), [/^LDAP_BASE_DN: expected a DN/])
  t.match(problemsOf(directory), [/^LDAP_BASE_DN: required/])
})

t.test('the embedded directory listens on loopback with TLS; elsewhere only with it', async (t) => {
  const embedded = { kind: 'embedded', host: '127.0.0.1', port: 1389, ldapsPort: 1636, tls: { own: null, names: [] } }
  t.match(parseConfig({}).ldap, embedded)
  t.match(parseConfig({ EMBEDDED_LDAP_PORT: '389' }).ldap, { port: 389, ldapsPort: 636 })
  t.match(parseConfig({ EMBEDDED_LDAP_PORT: '0' }).ldap, { port: 0, ldapsPort: 0 })
  t.match(parseConfig({ EMBEDDED_LDAPS_PORT: 'off' }).ldap, { ldapsPort: null, tls: {} })
  t.match(parseConfig({ EMBEDDED_LDAP_TLS: 'off', EMBEDDED_LDAP_HOST: '::1' }).ldap, { ldapsPort: null, tls: null })
  t.match(parseConfig({ EMBEDDED_LDAP_HOST: '0.0.0.0', EMBEDDED_LDAP_NAMES: 'ldap.example.org, 10.0.0.9' }).ldap, {
    host: '0.0.0.0',
    tls: { names: ['ldap.example.org', '10.0.0.9'] },
  })
  t.equal(parseConfig({ EMBEDDED_LDAP_PORT: 'off' }).ldap, null)
  t.match(problemsOf({ EMBEDDED_LDAP_HOST: '0.0.0.0', EMBEDDED_LDAP_TLS: 'off' }), [
    'EMBEDDED_LDAP_TLS: may be off only while EMBEDDED_LDAP_HOST is an address of loopback',
  ])
  t.match(problemsOf({ EMBEDDED_LDAP_NAMES: 'a b' }), [/^EMBEDDED_LDAP_NAMES: expected names/])
  t.match(problemsOf({ EMBEDDED_LDAP_PORT: '5000', EMBEDDED_LDAPS_PORT: '5000' }), [/^EMBEDDED_LDAPS_PORT: expected/])
})

t.test('a certificate of the operator comes with its key', async (t) => {
  const folder = t.testdir()
  const [one, other] = [
    keptCertificate(`${folder}/one`, ['localhost']),
    keptCertificate(`${folder}/other`, ['localhost']),
  ]
  const file = (name: string, text: string): string => {
    writeFileSync(`${folder}/${name}`, text)
    return `${folder}/${name}`
  }
  const [cert, key, another] = [file('cert', one.cert), file('key', one.key), file('another', other.key)]
  const settings = { EMBEDDED_LDAP_CERT_FILE: cert, EMBEDDED_LDAP_KEY_FILE: key }
  t.match(parseConfig(settings).ldap, { tls: { own: { certFile: cert, keyFile: key } } })
  t.match(problemsOf({ EMBEDDED_LDAP_CERT_FILE: cert }), [/^EMBEDDED_LDAP_KEY_FILE: required/])
  t.match(problemsOf({ EMBEDDED_LDAP_KEY_FILE: key }), [/^EMBEDDED_LDAP_CERT_FILE: required/])
  t.match(problemsOf({ ...settings, EMBEDDED_LDAP_KEY_FILE: another }), [/^EMBEDDED_LDAP_KEY_FILE: is not the key/])
  t.match(problemsOf({ ...settings, EMBEDDED_LDAP_CERT_FILE: key }), [/expected a certificate and its private key/])
  t.match(problemsOf({ ...settings, EMBEDDED_LDAP_CERT_FILE: '/nowhere' }), [
    /^EMBEDDED_LDAP_CERT_FILE: cannot be read/,
  ])
})

t.test('a slot takes the settings of its connector', async (t) => {
  t.same(parseConfig(dingtalk).sources.exta, {
    connector: 'dingtalk',
    settings: {
      appKey: 'key-a',
      appSecret: 'secret-a',
      url: 'https://oapi.dingtalk.com',
      apiUrl: 'https://api.dingtalk.com',
    },
  })
  const { sources, connectors } = parseConfig({
    EXTA_CONNECTOR: 'WeCom',
    EXTA_CORP_ID: 'corp',
    EXTA_SECRET: 'secret-w',
    EXTB_APP_ID: 'app',
    EXTB_APP_SECRET: 'secret-f',
    EXTB_URL: 'https://open.larksuite.com/',
    EXTC_CONNECTOR: 'feishu',
    EXTC_APP_ID: 'other',
    EXTC_APP_SECRET: 'secret-o',
  })
  t.same(connectors, { exta: 'wecom', extb: 'feishu', extc: 'feishu', extldap: 'ldap' })
  t.same(sources, {
    exta: {
      connector: 'wecom',
      settings: { corpId: 'corp', secret: 'secret-w', url: 'https://qyapi.weixin.qq.com' },
    },
    extb: {
      connector: 'feishu',
      settings: { appId: 'app', appSecret: 'secret-f', url: 'https://open.larksuite.com' },
    },
    extc: {
      connector: 'feishu',
      settings: { appId: 'other', appSecret: 'secret-o', url: 'https://open.feishu.cn' },
    },
    extldap: null,
  })
  t.match(problemsOf({ EXTA_CONNECTOR: 'ldap' }), [/^EXTA_CONNECTOR: expected dingtalk, feishu, wecom$/])
})

t.test('a directory as a source has settings of its own', async (t) => {
  t.match(parseConfig(ldap).sources.extldap, {
    connector: 'ldap',
    settings: { url: 'ldaps://ldap.example.com', preset: 'openldap', ca: null, startTls: false, timeout: 15_000 },
  })
  t.match(
    parseConfig({
      ...ldap,
      EXTLDAP_URL: 'ldap://ldap.example.com',
      EXTLDAP_PRESET: 'ad',
      EXTLDAP_USER_FILTER: '(mail=*)',
      EXTLDAP_STARTTLS: 'on',
      EXTLDAP_TIMEOUT: '5s',
    }).sources.extldap,
    { settings: { preset: 'ad', userFilter: '(mail=*)', startTls: true, timeout: 5000 } },
  )
  t.match(problemsOf({ ...ldap, EXTLDAP_STARTTLS: 'on' }), [/^EXTLDAP_STARTTLS: is allowed with ldap:\/\//])
  t.match(problemsOf({ ...ldap, EXTLDAP_URL: 'https://ldap.example.com' }), [/^EXTLDAP_URL: expected a URL/])
  t.match(
    problemsOf({
      ...ldap,
      EXTLDAP_BASE_DN: 'example.com',
      EXTLDAP_USER_FILTER: '(uid=a',
      EXTLDAP_GROUP_FILTER: 'ou=*',
    }),
    [
      /^EXTLDAP_BASE_DN: expected a DN/,
      /^EXTLDAP_USER_FILTER: expected a search filter/,
      /^EXTLDAP_GROUP_FILTER: expected a search filter/,
    ],
  )
})

t.test('a slot that is half configured stops the start, naming what is missing', async (t) => {
  t.match(problemsOf({ EXTA_APP_KEY: 'key-a' }), [/^EXTA_APP_SECRET: required for exta \(dingtalk\)/])
  t.match(problemsOf({ EXTB_URL: 'https://open.larksuite.com' }), [/^EXTB_APP_ID: /, /^EXTB_APP_SECRET: /])
  t.match(problemsOf({ EXTC_SCHEDULE: '@daily' }), [/^EXTC_CORP_ID: /, /^EXTC_SECRET: /])
  t.match(problemsOf({ EXTLDAP_PRESET: 'ad' }), [
    /^EXTLDAP_URL: /,
    /^EXTLDAP_BIND_DN: /,
    /^EXTLDAP_BIND_PASSWORD: /,
    /^EXTLDAP_BASE_DN: /,
  ])
  t.same(problemsOf({ EXTA_CONNECTOR: 'wecom' }), [], 'a connector alone configures nothing')
})

t.test('the settings of another connector are reported as a mistake', async (t) => {
  t.match(problemsOf({ EXTA_CORP_ID: 'corp', EXTA_SECRET: 'secret-w' }), [
    /^EXTA_CORP_ID: is not a setting of dingtalk, .*EXTA_CONNECTOR/,
    /^EXTA_SECRET: is not a setting of dingtalk/,
  ])
})

t.test('connections that carry secrets use TLS, or stay on this machine', async (t) => {
  const urlOf = (url: string): string | undefined => {
    const source = parseConfig({ ...dingtalk, EXTA_URL: url }).sources.exta
    return source?.settings.url
  }
  for (const url of ['http://127.0.0.1:8080', 'http://localhost:1', 'http://[::1]:1', 'https://x.example/prefix']) {
    t.equal(urlOf(`${url}/`), url)
  }
  for (const url of [
    'http://oapi.dingtalk.com',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'https://user:pw@oapi.dingtalk.com',
    'https://oapi.dingtalk.com?access_token=1',
    'ftp://127.0.0.1',
    'oapi.dingtalk.com',
  ]) {
    t.match(problemsOf({ ...dingtalk, EXTA_URL: url }), [/^EXTA_URL: expected a URL starting with https:/], url)
  }
})

t.test('a schedule is a cron expression that comes due', async (t) => {
  for (const expression of ['30 2 * * *', '*/15 8-18 * * MON-FRI', '@hourly', '0 0 29 2 *']) {
    t.equal(parseConfig({ ...dingtalk, EXTA_SCHEDULE: expression }).schedules.exta, expression)
  }
  for (const expression of [
    'daily',
    '61 * * * *',
    '* * * * * *',
    '0 0 30 2 *',
    '2026-01-02T00:00:00',
    '@reboot',
    '* * *',
  ]) {
    t.match(problemsOf({ ...dingtalk, EXTA_SCHEDULE: expression }), [/^EXTA_SCHEDULE: expected a cron/], expression)
  }
})

t.test('removals are limited by number, by share, or by both', async (t) => {
  const limitOf = (text: string) => parseConfig({ SYNC_MAX_REMOVALS: text }).syncMaxRemovals
  t.same(limitOf('50,2.5%'), { records: 50, share: 0.025 })
  t.same(limitOf('50 , 5 %'), { records: 50, share: 0.05 })
  t.same(limitOf('50'), { records: 50, share: 0 })
  t.same(limitOf('5%'), { records: 0, share: 0.05 })
  t.same(limitOf('0'), { records: 0, share: 0 })
  for (const text of ['20,10', '10%,20', ',10%', '20,', '101%', '-1', '1e3', '%']) {
    t.match(problemsOf({ SYNC_MAX_REMOVALS: text }), [/^SYNC_MAX_REMOVALS: expected/], text)
  }
})

t.test('certificates that are replaced are used from the next connection on', async (t) => {
  const folder = t.testdir({ old: {}, new: {} })
  const old = await makeCertificate(join(folder, 'old'))
  const next = await makeCertificate(join(folder, 'new'))
  const { syslog, ldap } = parseConfig({
    ...{ SYSLOG_URL: 'syslog+tls://logs', SYSLOG_CA_FILE: old.ca },
    ...{ SYSLOG_CERT_FILE: old.certificate, SYSLOG_KEY_FILE: old.key },
    ...{ LDAP_URL: 'ldaps://ldap', LDAP_BASE_DN: 'dc=a', LDAP_BIND_DN: 'cn=a,dc=a', LDAP_BIND_PASSWORD: 'a' },
    LDAP_CA_FILE: old.ca,
  })
  const textOf = (file: string): string => readFileSync(file, 'utf8')
  const authorities = [syslog?.tls?.ca, ldap?.kind === 'external' ? ldap.ca : null]
  const client = syslog?.tls?.client
  const before = client?.()
  for (const read of authorities) t.equal(read?.(), textOf(old.ca))

  for (const half of ['half a certific', textOf(next.ca) + textOf(next.ca).slice(0, 300)]) {
    const usable = authorities[0]?.()
    writeFileSync(old.ca, half)
    for (const read of authorities) t.equal(read?.(), usable, 'one that is half there is not used')
    t.match(problemsOf({ SYSLOG_URL: 'syslog+tls://logs', SYSLOG_CA_FILE: old.ca }), [/^SYSLOG_CA_FILE: expected cert/])
  }
  copyFileSync(next.ca, old.ca)
  for (const read of authorities) t.equal(read?.(), textOf(next.ca))

  copyFileSync(next.certificate, old.certificate)
  t.same(client?.(), before, 'nor is a certificate whose key is not there yet')
  copyFileSync(next.key, old.key)
  t.same(client?.(), { cert: textOf(next.certificate), key: textOf(next.key) })
  rmSync(old.key)
  t.same(client?.(), { cert: textOf(next.certificate), key: textOf(next.key) }, 'nor is a file that is away')
})

t.test('what stands between certificates is of no concern', async (t) => {
  const { ca } = await makeCertificate(t.testdir())
  const text = readFileSync(ca, 'utf8')
  const bundles = {
    'a certificate that is commented out': `${text}# -----BEGIN CERTIFICATE-----\n#-----BEGIN CERTIFICATE-----\n# is gone\n`,
    'names, and lines as Windows ends them': `\uFEFF${text}A Root\n======\n${text}`.replaceAll('\n', '\r\n'),
    'those of Node.js': rootCertificates.join('\n'),
  }
  for (const [what, bundle] of Object.entries(bundles)) {
    writeFileSync(ca, bundle)
    t.same(problemsOf({ SYSLOG_URL: 'syslog+tls://logs', SYSLOG_CA_FILE: ca }), [], what)
  }
})

t.test('a syslog receiver', async (t) => {
  const folder = t.testdir({ a: {}, b: {} })
  const { ca, certificate, key } = await makeCertificate(join(folder, 'a'))
  const { key: otherKey } = await makeCertificate(join(folder, 'b'))
  t.equal(parseConfig({}).syslog, null)
  const usual = { appName: 'steward', facility: 13, maxBytes: 8192 }
  const read = (env: Record<string, string>) => parseConfig(env).syslog
  const tls = { ca: null, client: null }
  t.same(read({ SYSLOG_URL: 'syslog+tls://Logs.example.org' }), { ...usual, host: 'logs.example.org', port: 6514, tls })
  t.same(read({ SYSLOG_URL: 'syslog+tcp://[::1]:601/' }), { ...usual, host: '::1', port: 601, tls: null })
  const all = {
    SYSLOG_URL: 'syslog+tls://192.0.2.1:10514',
    ...{ SYSLOG_CA_FILE: ca, SYSLOG_CERT_FILE: certificate, SYSLOG_KEY_FILE: key },
    ...{ SYSLOG_APP_NAME: 'people', SYSLOG_FACILITY: 'local3', SYSLOG_MAX_BYTES: '2048' },
  }
  const given = read(all)
  t.match(given, { port: 10514, appName: 'people', facility: 19, maxBytes: 2048 })
  t.match(given?.tls?.ca?.(), /BEGIN CERTIFICATE/)
  t.match(given?.tls?.client?.(), { cert: /BEGIN CERTIFICATE/, key: /PRIVATE KEY/ })
  const plain = 'syslog+tcp://192.0.2.1'
  t.match(problemsOf({ SYSLOG_URL: plain }), [/^SYSLOG_URL: syslog\+tcp:\/\/ is not encrypted; use/])
  t.match(read({ SYSLOG_URL: plain, SYSLOG_PLAIN: 'on' }), { port: 601, tls: null })
  for (const wrong of [
    'logs:6514',
    'https://logs',
    'syslog+tls://',
    'syslog+tls://u:p@logs',
    'syslog+tls://logs/x',
    'syslog+tls://logs:0',
  ]) {
    t.match(problemsOf({ SYSLOG_URL: wrong }), [/^SYSLOG_URL: expected syslog\+tls:\/\/host:port/], wrong)
  }
  t.match(problemsOf({ ...all, SYSLOG_KEY_FILE: otherKey }), [/^SYSLOG_KEY_FILE: is not the key of the certificate/])
  t.match(problemsOf({ ...all, SYSLOG_CA_FILE: key }), [/^SYSLOG_CA_FILE: expected certificates, as PEM$/])
  t.match(problemsOf({ ...all, SYSLOG_KEY_FILE: '' }), [/^SYSLOG_KEY_FILE: required when SYSLOG_CERT_FILE is set/])
  t.match(problemsOf({ ...all, SYSLOG_CERT_FILE: key }), [/^SYSLOG_CERT_FILE, SYSLOG_KEY_FILE: expected a certificate/])
  t.match(problemsOf({ ...all, SYSLOG_CA_FILE: key }), [/^SYSLOG_CA_FILE: expected certificates, as PEM/])
  t.match(problemsOf({ ...all, SYSLOG_CA_FILE: '/nowhere' }), [/^SYSLOG_CA_FILE: cannot be read/])
  t.match(problemsOf({ ...all, SYSLOG_APP_NAME: 'two words' }), [/^SYSLOG_APP_NAME: expected/])
  t.match(problemsOf({ ...all, SYSLOG_FACILITY: 'kern' }), [/^SYSLOG_FACILITY: expected/])
  t.match(problemsOf({ ...all, SYSLOG_MAX_BYTES: '100' }), [/^SYSLOG_MAX_BYTES: expected/])
})
