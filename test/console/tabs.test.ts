import t from 'tap'
import { en } from '../../src/console/locales/en.ts'
import { zhCN } from '../../src/console/locales/zh-CN.ts'
import { browserMissing } from '../browser.ts'
import { consoleService, press, sees } from './service.ts'

t.test('a language that is chosen in one tab is that of all', { skip: browserMissing }, async (t) => {
  const { open, url } = await consoleService(t, { directory: 'none' })
  const { page } = await open('/', { axe: false })
  await sees(page, en.signIn.submit)
  const other = await page.browserContext().newPage()
  await other.goto(`${url}/console/`)
  await sees(other, en.signIn.submit)
  await press(other, zhCN.languageName)
  await sees(other, zhCN.signIn.submit)
  await sees(page, zhCN.signIn.submit)
  t.equal(await page.evaluate(() => document.documentElement.lang), 'zh-CN')
})
