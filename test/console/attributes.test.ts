import { sql } from 'drizzle-orm'
import { Client } from 'ldapts'
import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { attributes as english } from '../../src/console/locales/en/attributes.ts'
import { en } from '../../src/console/locales/en.ts'
import { attributes as chinese } from '../../src/console/locales/zh-CN/attributes.ts'
import { browserMissing } from '../browser.ts'
import { adminPassword } from '../steward.ts'
import { byName, consoleService, fill, press, refusals, sees, signInOn, type TestConsole, typeOver } from './service.ts'

const openOffice = async (t: Test) => {
  const service = await consoleService(t)
  const { page } = await service.open('/attributes', { expected: [refusals] })
  await signInOn(page, 'admin', adminPassword)
  await sees(page, english.empty)
  await service.db.execute(sql`update sessions set stepped_up_at = now()`)
  const go = (path: string) => page.goto(`${service.url}/console${path}`)
  const declared = async () =>
    (await service.take('listAttributes')).attributes.filter(({ name }) => name === 'costCentre')
  const storedFor = async (id: number): Promise<unknown> => {
    const { attributes } = await service.take('getPersonAttributes', { params: { id } })
    return attributes.find(({ name }) => name === 'costCentre')?.values
  }
  return { ...service, page, go, declared, storedFor }
}

/** What a person finds in their entry of the directory. */
const shown = async ({ mirror }: TestConsole, username: string, password: string): Promise<unknown> => {
  const { url = '', baseDn = '' } = mirror.address ?? {}
  const dn = `uid=${username},ou=people,${baseDn}`
  const client = new Client({ url, timeout: 10_000 })
  try {
    await client.bind(dn, password)
    const { searchEntries } = await client.search(dn, { scope: 'base', attributes: ['roomNumber'] })
    return searchEntries[0]?.roomNumber
  } finally {
    await client.unbind()
  }
}

/** What the field with this label says of its value. */
const problemAt = async (page: Page, label: string, text: RegExp): Promise<void> => {
  await page.waitForFunction(
    (label, pattern) => {
      const named = [...document.querySelectorAll('label')].find((each) => each.innerText.startsWith(label))
      const described = document.getElementById(named?.htmlFor ?? '')?.getAttribute('aria-describedby') ?? ''
      return described.split(' ').some((id) => new RegExp(pattern).test(document.getElementById(id)?.innerText ?? ''))
    },
    { timeout: 20_000 },
    label,
    text.source,
  )
}

const typed = async (page: Page, label: string): Promise<string> =>
  (await byName(page, 'textbox', label).waitHandle()).evaluate((input) => (input as HTMLInputElement).value)

t.test('a cost centre is declared, filled, changed by the person, and removed', { skip: browserMissing }, async (t) => {
  const office = await openOffice(t)
  const { page, go, take, declared, storedFor } = office
  const li = await office.person('li.na', { roleIds: [2] })

  // The person was looked at before there was this attribute.
  const badge = { kind: 'user', name: 'badge', labels: { en: 'Badge', 'zh-CN': '工牌' }, type: 'text' } as const
  await take('declareAttribute', { body: badge })
  await go(`/people?person=${li.id}`)
  await sees(page, 'Badge')
  await page.$eval('.frame-menu a[href$="/attributes"]', (link) => (link as HTMLElement).click())

  // What the directory says no to stands at its field, before a second factor is asked for, and nothing typed is lost.
  await press(page, english.declare)
  await fill(page, english.english, 'Cost centre')
  await fill(page, en.fields.name, 'costCentre')
  await fill(page, en.fields.maximum, '4')
  await fill(page, en.fields.ldapAttribute, 'roomNo')
  await page.keyboard.press('Enter')
  await problemAt(page, english.chinese, /must not be empty/)
  t.equal(
    await page.evaluate(() => document.activeElement?.getAttribute('lang')),
    'zh-CN',
    'the focus is where it is wrong',
  )
  await page.keyboard.type('成本中心')
  await page.keyboard.press('Enter')
  await problemAt(page, en.fields.ldapAttribute, /has no such attribute/)
  t.same(await declared(), [])
  await typeOver(page, en.fields.ldapAttribute, 'roomnumber')
  await press(page, en.fields.own, 'combobox')
  await press(page, english.owns.edit, 'option')
  await press(page, english.submit)
  await sees(page, english.declared('Cost centre'))
  const [made] = await declared()
  t.match(made, { kind: 'user', name: 'costCentre', maximum: 4, own: 'edit', ldapAttribute: 'roomNumber' })

  // An administrator fills it for a person: what is wrong is said at the field, and what is right reaches the entry.
  await page.evaluate(() => history.go(-3))
  await fill(page, 'Cost centre', '47110')
  await page.keyboard.press('Enter')
  await problemAt(page, 'Cost centre', /at most 4 characters/)
  t.equal(await typed(page, 'Cost centre'), '47110')
  await typeOver(page, 'Cost centre', '4711')
  await page.keyboard.press('Enter')
  await sees(page, english.saved)
  t.same(await storedFor(li.id), ['4711'])
  t.equal(await shown(office, 'li.na', li.password), '4711')
  // The profile beside it is saved after that without a conflict.
  await fill(page, en.fields.position, 'Cook')
  await press(page, en.actions.save)
  await sees(page, 'Saved')
  t.match(await take('getPerson', { params: { id: li.id } }), { position: 'Cook' })

  // The person, in Chinese.
  const own = await office.open('/me', { language: 'zh-CN', expected: [refusals] })
  await own.page.waitForSelector('input[type=password]')
  await own.page.type('input[autocomplete=username]', 'li.na')
  await own.page.type('input[type=password]', li.password)
  await own.page.keyboard.press('Enter')
  await sees(own.page, chinese.title)
  t.equal(await own.page.$('.frame-menu a[href$="/attributes"]'), null, 'the page is not for them')
  await fill(own.page, '成本中心', '48150')
  await own.page.keyboard.press('Enter')
  await problemAt(own.page, '成本中心', /4/)
  await typeOver(own.page, '成本中心', '4815')
  await take('setPersonAttributes', { params: { id: li.id }, body: { values: { costCentre: ['0'] } } })
  await own.page.keyboard.press('Enter')
  // Another user changed the same value since it was read: nothing is written over unseen.
  await own.page.waitForSelector('[role=dialog] table')
  t.same(await storedFor(li.id), ['0'])
  await own.page.keyboard.press('Tab')
  await own.page.$eval('[role=dialog] [type=submit]', (button) => (button as HTMLElement).click())
  await sees(own.page, chinese.saved)
  t.same(await storedFor(li.id), ['4815'])
  t.equal(await shown(office, 'li.na', li.password), '4815')

  // It becomes one that people see alone, and is removed at last.
  await go(`/attributes?attribute=${made?.id}`)
  // What was typed and taken back is not saved over what another administrator made of it meanwhile.
  await typeOver(page, english.english, 'Cost')
  await typeOver(page, english.english, 'Cost centre')
  const labels = { en: 'Cost centre', 'zh-CN': '成本编号' }
  await take('updateAttribute', { params: { id: made?.id ?? 0 }, body: { labels } })
  await typeOver(page, en.fields.maximum, '')
  await page.keyboard.press('Backspace')
  await press(page, en.fields.own, 'combobox')
  await press(page, english.owns.see, 'option')
  await press(page, en.actions.save)
  await sees(page, english.changed('Cost centre'))
  t.match(await declared(), [{ own: 'see', maximum: null, labels }])
  await own.page.reload()
  await sees(own.page, /成本编号\s+4815/)
  t.equal(await own.page.$('[data-field=costCentre]'), null, 'it is shown, and cannot be changed')

  await press(page, english.remove)
  await sees(page, english.removeValues('Cost centre', 1))
  await sees(page, english.removeEntries('roomNumber'))
  await page.keyboard.type('costCentre')
  await page.keyboard.press('Enter')
  await sees(page, english.removed('Cost centre', 1))
  t.same(await declared(), [])
  t.same(await shown(office, 'li.na', li.password), [])
})
