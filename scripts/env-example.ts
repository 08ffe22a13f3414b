/**
 * docs/configuration.md → .env.example: every setting, commented out, with its default. With --check nothing is written:
 * fails when the file is stale, when the service reads a setting that the document does not name, or when the document
 * names one that the service does not read.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseConfig } from '../src/config/config.ts'

const file = '.env.example'

/** `EXTA_SCHEDULE` … `EXTLDAP_SCHEDULE`, and what EXTA_ has EXTB_ and EXTC_ have too. */
const slots = ['EXTA_', 'EXTB_', 'EXTC_', 'EXTLDAP_']
/** What the second directory has, the others have too. */
const directories = ['3', '4', '5', '6', '7', '8', '9'].map((number) => `LDAP_${number}_`)

const rows = readFileSync('docs/configuration.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => {
    const [, names = '', defaults = '', meaning = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim())
    const coded = (text: string): string[] => [...text.matchAll(/`([^`]*)`/g)].map(([, inner = '']) => inner)
    return { names: coded(names), defaults: defaults.split(', ').map((each) => coded(each)[0] ?? ''), meaning }
  })

const wrapped = (text: string): string[] => {
  const plain = text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')
    .replaceAll('\\|', '|')
  const lines: string[] = ['']
  for (const word of plain.split(' ')) {
    const last = lines.at(-1) ?? ''
    if (last.length + word.length > 116) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines.map((line) => `# ${line}`)
}

const example = [
  '# Every setting with its default; docs/configuration.md says more. Copy this file to .env and remove the # of each',
  '# setting that you change. Made by npm run generate.',
  ...rows.flatMap(({ names, defaults, meaning }) => [
    '',
    ...wrapped(meaning),
    ...names.map((name, index) => `#${name}=${defaults[index] ?? ''}`),
  ]),
  '',
].join('\n')

/** Environments in which every setting is asked for by at least one: some are only where others are set. */
const environments: readonly Readonly<Record<string, string>>[] = [
  {
    LDAP_2_URL: 'ldap://second.example',
    LDAP_2_BASE_DN: 'dc=example',
    LDAP_2_BIND_DN: 'cn=admin',
    LDAP_2_BIND_PASSWORD: 'secret',
  },
  {
    LDAP_URL: 'ldaps://first.example',
    LDAP_BASE_DN: 'dc=example',
    LDAP_BIND_DN: 'cn=admin',
    LDAP_BIND_PASSWORD: 'secret',
  },
  { EXTA_CONNECTOR: 'feishu' },
  { EXTA_CONNECTOR: 'wecom' },
]
const asked = new Set<string>()
for (const set of environments) {
  const get = (_: unknown, name: string | symbol): string | undefined => {
    asked.add(String(name))
    return set[String(name)]
  }
  parseConfig(new Proxy<Record<string, string>>({}, { get }))
}

const documented = new Set(
  rows.flatMap(({ names }) =>
    names.flatMap((name) => [
      name,
      ...slots.map((slot) => name.replace(/^EXTA_/, slot)),
      ...directories.map((directory) => name.replace(/^LDAP_2_/, directory)),
    ]),
  ),
)
if (asked.size < 40) throw new Error(`only ${asked.size} settings are read`)
const missing = [...asked].filter((name) => !documented.has(name.replace(/_FILE$/, '')) && !documented.has(name))
for (const name of missing) console.error(`docs/configuration.md does not name ${name}`)
const unread = rows.flatMap(({ names }) => names).filter((name) => !asked.has(name))
for (const name of unread) console.error(`docs/configuration.md names ${name}, which nothing reads`)
if (missing.length + unread.length > 0) process.exitCode = 1

if (!process.argv.includes('--check')) writeFileSync(file, example)
else if (!existsSync(file) || readFileSync(file, 'utf8') !== example) {
  console.error(`${file} is stale: run npm run generate`)
  process.exitCode = 1
}
