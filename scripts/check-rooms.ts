/**
 * Holds docs/architecture.md and the sources against the floors of .dependency-cruiser.js: the picture has the rooms in
 * their order, the tables have a row for each room and each folder of the ground, and each room has one door: a file that
 * begins by saying in three lines what the room is and what it never does. The door of a room with state exports one
 * function `open…`, and the room main opens the room by this function alone. No file of the project is one that git
 * ignores.
 *
 *     tsx scripts/check-rooms.ts
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const read = (file: string): string => readFileSync(file, 'utf8')

const rules = read('.dependency-cruiser.js')
const listOf = (name: string): string[] => {
  const [, list = ''] = new RegExp(`const ${name} = \\[([^\\]]*)\\]`).exec(rules) ?? []
  return [...list.matchAll(/'([^']+)'/g)].map(([, room]) => String(room))
}
const floors = listOf('floors')
const ground = listOf('ground')

const architecture = read('docs/architecture.md')
const [, picture = ''] = /## The rooms[\s\S]*?```\n([\s\S]*?)```/.exec(architecture) ?? []
/** From the ground up: the lines from the last one, each from the right. From this column on there are remarks. */
const remarks = 47
const drawn = picture
  .split('\n')
  .reverse()
  .flatMap((line) =>
    line
      .slice(0, remarks)
      .split(/\s+/)
      .filter((word) => floors.includes(word))
      .reverse(),
  )
const described = [...architecture.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, room]) => String(room))

const describedGround = [...architecture.matchAll(/^\| `([\w-]+)\/` \|/gm)].map(([, folder]) => String(folder))

const filesOf = (...args: string[]): string[] =>
  execFileSync('git', ['ls-files', ...args], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean)
const files = filesOf('--', 'src').filter((file) => file.endsWith('.ts'))
const ignored = filesOf('--cached', '--ignored', '--exclude-standard')
/** Rooms that keep nothing between two calls: there is nothing to open. */
const stateless = ['contract', 'config', 'commands']

const doors = files.flatMap((file) => {
  const text = read(file)
  const [, room] = /^\/\/ The room ([\w-]+)\.\n\/\/ .+\n\/\/ .*\bnever\b.*\n\n/.exec(text) ?? []
  return room === undefined ? [] : [{ room, file, opens: [...text.matchAll(/^export const (open\w+)/gm)].length }]
})

/** What main imports as `open…`, by the file that it is from. */
const opened = files
  .filter((file) => file.startsWith('src/main/'))
  .flatMap((file) => [...read(file).matchAll(/^import \{([^}]*)\} from '\.\.\/([\w-]+\/[^']+)'/gm)])
  .flatMap(([, names = '', from]) => (names.split(',').some((name) => /^\s*open\w+/.test(name)) ? [`src/${from}`] : []))

const problems = [
  ...ignored.map((file) => `${file}: .gitignore names it, so that it is not linted and a copy may lack it`),
  ...(drawn.join() === floors.join()
    ? []
    : [`docs/architecture.md: the picture has ${drawn}, the floors are ${floors}`]),
  ...ground
    .filter((folder) => !describedGround.includes(folder))
    .map((folder) => `docs/architecture.md: the table of the ground has no row for ${folder}/`),
  ...floors.flatMap((room) => {
    const found = doors.filter((door) => door.room === room)
    const own = found.filter(({ file }) => file.startsWith(`src/${room}/`))
    const wanted = stateless.includes(room) ? 0 : 1
    return [
      ...(described.includes(room) ? [] : [`docs/architecture.md: the table has no row for ${room}`]),
      ...(found.length === 1 && own.length === 1
        ? []
        : [`src/${room}: ${found.length} of its files say in three lines what the room is and what it never does`]),
      ...own
        .filter(({ opens }) => opens !== wanted)
        .map(({ file, opens }) => `${file}: it exports ${opens} functions open…, not ${wanted}`),
      ...opened
        .filter((file) => file.startsWith(`src/${room}/`) && !own.some((door) => door.file === file))
        .map((file) => `src/main: it opens ${room} by ${file}, which is not its door`),
    ]
  }),
]
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
