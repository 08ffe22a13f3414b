import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { common as en } from '../../src/console/locales/en/common.ts'
import { zhCN } from '../../src/console/locales/zh-CN.ts'

const script = readFileSync('scripts/pictures.ts', 'utf8')
const places = [...script.matchAll(/^ {2}\['([\w-]+)', [`'](\/[^`']*)[`']\],$/gm)].map(([, name = '']) => name)

for (const [language, file, { nav }] of [
  ['en', 'docs/tour.md', en],
  ['zh-CN', 'docs/tour.zh-CN.md', zhCN],
] as const) {
  t.test(`the tour in ${language} shows every picture that the script takes, under the page's own name`, async (t) => {
    t.ok(places.length >= 19)
    t.same(readdirSync(`docs/pictures/${language}`).sort(), places.map((name) => `${name}.webp`).sort())
    const sections = [
      ...readFileSync(file, 'utf8').matchAll(/^## (.+)$[^#]*?^!\[(.+)\]\(pictures\/([\w-]+)\/([\w-]+)\.webp\)$/gm),
    ]
    t.same(sections.map(([, , , , name]) => name).sort(), [...places].sort())
    const names: Readonly<Record<string, string>> = nav
    for (const [, title, alternative, folder, name = ''] of sections) {
      t.same([alternative, folder], [title, language], name)
      if (name in names) t.equal(title, names[name])
    }
  })
}
