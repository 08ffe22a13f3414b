/** Fails where a document of this repository links to a file or a heading that is not there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const folders = ['.', 'docs', 'docs/sources', 'docs/applications']

const documents = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => normalize(join(folder, file))),
)

/** The lines of a document that are not code. */
const proseOf = (document: string): string[] => {
  let code = false
  return readFileSync(document, 'utf8')
    .split('\n')
    .filter((line) => {
      if (line.startsWith('```')) code = !code
      return !code && !line.startsWith('```')
    })
}

/** What a heading is linked to by, as forges make it. */
const anchorOf = (heading: string): string =>
  heading
    .replace(/^#+ /, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- ]/gu, '')
    .replaceAll(' ', '-')

const anchors = (document: string): string[] =>
  proseOf(document)
    .filter((line) => /^#{1,6} /.test(line))
    .map(anchorOf)

const broken = documents.flatMap((document) =>
  [
    ...proseOf(document)
      .join('\n')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].flatMap(([, link = '']) => {
    if (/^[a-z]+:/.test(link)) return []
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? document : normalize(join(dirname(document), path))
    if (!existsSync(target)) return [`${document}: ${link}: there is no ${target}`]
    if (anchor === undefined || anchors(target).includes(anchor)) return []
    return [`${document}: ${link}: ${target} has no such heading`]
  }),
)

for (const line of broken) console.error(line)
if (broken.length > 0) process.exitCode = 1
