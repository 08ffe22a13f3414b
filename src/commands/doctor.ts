import { type Config, parseConfig } from '../config/config.ts'
import { readEnvironment } from '../config/environment.ts'
import { describeMisspelled } from '../config/misspelled.ts'
import { ConfigError } from '../failures/errors.ts'
import { findInSettings } from '../posture/evidence/configuration.ts'
import { settingsOf } from '../posture/evidence/settings.ts'
import { readCommandLine } from '../terminal/command-line.ts'
import { commandLine } from '../terminal/command-name.ts'
import { printable } from '../terminal/printable.ts'
import { failWith, runCommand } from '../terminal/run-command.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { checkDatabase } from './doctor/database.ts'
import { describeError, type Finding, note, ok, problem } from './doctor/finding.ts'
import { checkFolders } from './doctor/folders.ts'
import { checkNode, checkOpenFiles, checkPorts, isRunning } from './doctor/machine.ts'
import { checkDirectory, checkMail, checkRedis, checkSources, checkSyslog, checkTracing } from './doctor/servers.ts'

const { stdout } = process

const usage = `Usage: ${commandLine('doctor')} [--json]

Checks the installation that the settings name before it is started: the settings, folders, ports, the database, Redis,
the directory, the mail server, the syslog receiver, the collector of spans, the sources. It changes nothing, but for a
temporary entry in the directory and temporary folders.

Exit code: 0 nothing prevents a start, 1 something does, 2 wrong arguments`

const marks: Readonly<Record<Finding['state'], string>> = { ok: 'ok     ', note: 'note   ', problem: 'PROBLEM' }

const lines = ({ state, text, advice }: Finding): string =>
  `${marks[state]}  ${printable(text)}\n${advice === '' ? '' : `         ${printable(advice)}\n`}`

/** The sections, in the order in which a start meets them. */
const sections = (
  config: Config,
  { running, refused }: { running: boolean; refused: readonly Finding[] },
): readonly [title: string, () => Promise<Finding[]>][] => [
  ['Folders', () => checkFolders(config, refused)],
  ['Ports', () => checkPorts(config, running)],
  ['Database', () => checkDatabase(config, running)],
  ['Redis', () => checkRedis(config)],
  ['Directory', () => checkDirectory(config)],
  ['Mail', () => checkMail(config)],
  ['Syslog', () => checkSyslog(config)],
  ['Tracing', () => checkTracing(config)],
  ['Sources', () => checkSources(config)],
  ['Security', async () => findInSettings(settingsOf(config)).map((each) => note(each.description, each.suggestion))],
]

interface Section {
  title: string
  findings: Finding[]
}

/** @param error of the lock that the embedded database takes in DATA_DIR; a ConfigError says what to do */
const lockProblem = (error: unknown): Finding =>
  error instanceof ConfigError
    ? problem(error.problems.join('; '), '')
    : problem(`DATA_DIR: ${describeError(error)}`, 'Choose a folder of a local disk, which this user may write to.')

/** null: the settings are wrong, which is the first section. */
const examine = async function* (): AsyncGenerator<Section> {
  const machine = [checkNode(), checkOpenFiles()]
  let config: Config
  try {
    config = parseConfig(readEnvironment())
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const wrong = error.problems.map((each) => problem(each, 'Correct it; the other checks need correct settings.'))
    yield { title: 'Settings', findings: [...machine, ...wrong] }
    return
  }
  const misspelled = config.misspelled.map((one) => note(describeMisspelled(one), 'Correct its name, or remove it.'))
  yield { title: 'Settings', findings: [...machine, ok('every setting has a valid value'), ...misspelled] }
  const lock = await isRunning(config).then(
    (running) => ({ running, refused: [] }),
    (error: unknown) => ({ running: false, refused: [lockProblem(error)] }),
  )
  // All at once: a server that does not answer delays none of the others.
  const begun = sections(config, lock).map(async ([title, check]): Promise<Section> => {
    const findings = await check().catch((error: unknown) => [
      problem(describeError(error), 'This check could not end.'),
    ])
    return { title, findings }
  })
  for (const section of begun) {
    const { title, findings } = await section
    if (findings.length > 0) yield { title, findings }
  }
}

/** `steward doctor`: says what is wrong with an installation, and what to do. The exit codes are in the usage. */
const main = async (): Promise<void> => {
  const read = readCommandLine(process.argv.slice(2), { usage, options: { json: { type: 'boolean' } } })
  if (read === null) return void stdout.write(`${usage}\n`)
  const { json = false } = read.values
  const all: Section[] = []
  for await (const section of examine()) {
    all.push(section)
    if (!json) stdout.write(`${section.title}\n${section.findings.map(lines).join('')}\n`)
  }
  if (json) stdout.write(`${JSON.stringify(all, null, 2)}\n`)
  const problems = all.flatMap(({ findings }) => findings).filter(({ state }) => state === 'problem').length
  if (!json) stdout.write(problems === 0 ? 'Nothing prevents a start.\n' : `${problems} to solve.\n`)
  process.exitCode = problems === 0 ? 0 : 1
}

runCommand(main, failWith(UsageError))
  // Connections to servers that did not answer may still be open.
  .finally(() => stdout.write('', () => process.exit()))
