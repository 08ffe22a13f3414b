import t from 'tap'
import { zhCN } from '../../src/console/locales/zh-CN.ts'
import { browserMissing } from '../browser.ts'
import { consoleService } from './service.ts'

t.test('what a screen reader says of a button is in the language of the page', { skip: browserMissing }, async (t) => {
  const { open } = await consoleService(t, { directory: 'none' })
  const { page } = await open('/', { language: 'zh-CN', axe: false })
  await page.waitForSelector('input[type=password]')
  const labels = await page.$$eval('button[aria-label]', (all) => all.map(({ ariaLabel }) => ariaLabel ?? ''))
  t.ok(labels.includes(zhCN.actions.showPassword))
  t.same(
    labels.filter((label) => /[a-z]{3}/i.test(label)),
    [],
  )
})
