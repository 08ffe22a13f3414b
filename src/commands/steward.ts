#!/usr/bin/env node
import { openFileLimit } from '../runtime/open-file-limit.ts'
import { stewardVersion } from '../runtime/version.ts'
import { calledName, readCommandLine } from '../terminal/command-line.ts'
import { calledBySteward } from '../terminal/command-name.ts'
import { failWith, runCommand } from '../terminal/run-command.ts'
import { UsageError } from '../terminal/usage-error.ts'

interface Command {
  what: string
  load: () => Promise<unknown>
}

/** Each module reads its arguments and runs when it is loaded. */
const commands: Readonly<Record<string, Command>> = {
  serve: { what: 'run the service', load: () => import('../main/server.ts') },
  doctor: { what: 'say what is wrong with an installation, before it is started', load: () => import('./doctor.ts') },
  sync: { what: 'import people and departments from a source', load: () => import('./sync.ts') },
  backup: { what: 'make a backup', load: () => import('./backup.ts') },
  restore: { what: 'restore a backup', load: () => import('./restore.ts') },
  move: { what: 'move to a database server, or make a copy for trying out', load: () => import('./move.ts') },
  'verify-log': { what: 'check the operation log', load: () => import('./verify-log.ts') },
}

const usage = `Usage: steward <command> [arguments]

${Object.entries(commands)
  .map(([name, { what }]) => `  ${name.padEnd(11)} ${what}`)
  .join('\n')}

steward <command> --help says more of a command, steward --version which release this is.
Settings are environment variables, or lines of a .env file in the current folder.`

/** Files that a process has open while Node.js loads the modules of the service, some more than that. */
const filesToLoad = 512

/** @throws what cannot be loaded, or that this is for want of files: Node.js says then, too, that a module cannot be found */
const load = async (command: Command): Promise<void> => {
  // While there is still a file to read it.
  const max = openFileLimit()
  try {
    await command.load()
  } catch (error) {
    if (max === null || max >= filesToLoad) throw error
    throw new Error(
      `This process may open ${max} files, which are too few. Allow it 1024 or more: LimitNOFILE of systemd,
the option --ulimit of a container, ulimit -n of a shell.`,
      { cause: error },
    )
  }
}

/** `steward <command>`: the commands under one name, for installations without a checkout. */
const main = async (): Promise<void> => {
  const name = process.argv[2] ?? ''
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command !== undefined) {
    process.argv.splice(2, 1)
    calledBySteward()
    await load(command)
    return
  }
  const read = readCommandLine(process.argv.slice(2), {
    usage,
    options: { version: { type: 'boolean', short: 'v' } },
    max: 1,
  })
  if (read === null) return void process.stdout.write(`${usage}\n`)
  const [wanted] = read.positionals
  if (wanted !== undefined) throw new UsageError(`There is no command ${calledName(wanted)}.`, usage)
  if (!read.values.version) throw new UsageError('Which command?', usage)
  process.stdout.write(`${stewardVersion}\n`)
}

await runCommand(main, failWith(UsageError))
