/**
 * The floors of the house, from the ground up: a room imports only from rooms below it, not even types from above.
 * docs/architecture.md says what each room is.
 */
const floors = [
  'tracing',
  'db',
  'contract',
  'mail',
  'redis',
  'jobs',
  'ldap',
  'ldap-server',
  'access',
  'alerts',
  'audit',
  'mirror',
  'auth',
  'people',
  'sources',
  'sync',
  'services',
  'devices',
  'backups',
  'metrics',
  'config',
  'posture',
  'diet',
  'live',
  'main',
  'commands',
]

/**
 * What the rooms stand on, from the bottom up: nothing in it knows a room, and every room may use it, as it may use
 * generated/.
 */
const ground = ['collections', 'failures', 'runtime', 'text', 'concurrency', 'files', 'network', 'secrets', 'terminal']

/**
 * The folders of the large rooms, from the bottom up. Types may be imported from above: what a folder is handed. Files
 * beside the folders are for all of them, or put them together.
 */
const foldersOf = {
  backups: ['file', 'folder', 'tables', 'restore'],
  'ldap-server': [
    'schema',
    'entries',
    'protocol',
    'scheduling',
    'search',
    'storage',
    'authentication',
    'tls',
    'operations',
    'connections',
  ],
  mirror: ['entry', 'passwords', 'plan', 'ledger', 'writing', 'comparison', 'orphans', 'directory', 'services'],
}

const rooms = (names) => `^src/(${names.join('|')})/`

export default {
  forbidden: [
    ...[...ground, ...floors].map((room, floor, all) => ({
      name: `${room}-imports-only-from-below`,
      severity: 'error',
      from: { path: rooms([room]) },
      to: { path: rooms(all.slice(floor + 1).concat('no-such-room')) },
    })),
    ...Object.entries(foldersOf).flatMap(([room, folders]) => [
      ...folders.map((folder, floor) => ({
        name: `${folder}-of-${room}-imports-only-from-below`,
        severity: 'error',
        from: { path: `^src/${room}/${folder}/` },
        to: {
          path: `^src/${room}/(${folders
            .slice(floor + 1)
            .concat('no-such-folder')
            .join('|')})/`,
          dependencyTypesNot: ['type-only'],
        },
      })),
      {
        name: `a-folder-of-${room}-has-its-floor`,
        comment: 'A new folder gets its place in the list above.',
        severity: 'error',
        from: { path: `^src/${room}/`, pathNot: `^src/${room}/(${folders.join('|')})/|^src/${room}/[^/]+\\.ts$` },
        to: {},
      },
    ]),
    {
      name: 'every-file-of-src-is-in-a-room',
      comment: 'A new room gets its place in one of the lists above.',
      severity: 'error',
      from: { path: '^src/', pathNot: rooms([...ground, ...floors, 'generated', 'console']) },
      to: {},
    },
    {
      name: 'only-the-rules-of-seniority-issue-permits',
      comment: 'What it exports makes a value a permit.',
      severity: 'error',
      from: { pathNot: '^src/access/permits/' },
      to: { path: '^src/access/permits/issue\\.ts$' },
    },
    {
      name: 'the-console-knows-the-contract-alone',
      comment: 'It runs in the browser: of the service it imports generated types and nothing else.',
      severity: 'error',
      from: { path: '^src/console/' },
      to: { path: '^src/', pathNot: '^src/(console/|generated/\\w+\\.types\\.ts$)' },
    },
    {
      name: 'no-circle',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'found', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
