/**
 * Holds docs/architecture.md and the sources against the floors of .dependency-cruiser.js: the picture has the rooms in
 * their order, the table has a row for each, and each room has one file that begins by saying what the room is and what
 * it never does.
 *
 *     tsx scripts/check-rooms.ts
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const read = (file: string): string => readFileSync(file, 'utf8')

const [, list = ''] = /const floors = \[([^\]]*)\]/.exec(read('.dependency-cruiser.js')) ?? []
const floors = [...list.matchAll(/'([^']+)'/g)].map(([, room]) => String(room))

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

const files = execFileSync('git', ['ls-files', '--', 'src'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file.endsWith('.ts'))
const introductions = files.flatMap((file) => {
  const [, room] = /^\/\/ The room ([\w-]+)\.\n\/\/ .+\n\/\/ .+\n\n/.exec(read(file)) ?? []
  return room === undefined ? [] : [{ room, file }]
})

const problems = [
  ...(drawn.join() === floors.join()
    ? []
    : [`docs/architecture.md: the picture has ${drawn}, the floors are ${floors}`]),
  ...floors.flatMap((room) => {
    const found = introductions.filter((introduction) => introduction.room === room)
    const own = found.filter(({ file }) => file.startsWith(`src/${room}/`) || file.startsWith(`src/${room}.`))
    return [
      ...(described.includes(room) ? [] : [`docs/architecture.md: the table has no row for ${room}`]),
      ...(found.length === 1 && own.length === 1
        ? []
        : [`src/${room}: ${found.length} of its files say in three lines what the room is and what it never does`]),
    ]
  }),
]
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
