import { sql } from 'drizzle-orm'
import { Client } from 'ldapts'
import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { attributes as english } from '../../src/console/locales/en/attributes.ts'
import { permissions } from '../../src/console/locales/en/permissions.ts'
import { en } from '../../src/console/locales/en.ts'
import { attributes as chinese } from '../../src/console/locales/zh-CN/attributes.ts'
import { zhCN } from '../../src/console/locales/zh-CN.ts'
import { browserMissing } from '../browser.ts'
import { eventually } from '../eventually.ts'
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

const inputOf = (page: Page, field: string) => page.locator(`[data-field=${field}] input:not([type=hidden])`)

/** Adds a value of several: what is typed, until Enter. */
const addValue = async (page: Page, field: string, text: string): Promise<void> => {
  await inputOf(page, field).click()
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

/** The values of several that a field shows. */
const tagsOf = (page: Page, field: string): Promise<string[]> =>
  page.$$eval(`[data-field=${field}] .mantine-Pill-label`, (tags) => tags.map((tag) => tag.textContent ?? ''))

const choose = async (page: Page, label: string, option: string): Promise<void> => {
  await press(page, label, 'combobox')
  await press(page, option, 'option')
}

t.test('values of a group: numbers, dates, yes or no, and several', { skip: browserMissing }, async (t) => {
  const { page, go, take } = await openOffice(t)
  const declared = [
    { name: 'seats', labels: { en: 'Seats', 'zh-CN': '座位' }, type: 'integer', minimum: 1, maximum: 500 },
    { name: 'openedOn', labels: { en: 'Opened on', 'zh-CN': '启用日期' }, type: 'date' },
    { name: 'isPublic', labels: { en: 'Public', 'zh-CN': '公开' }, type: 'boolean' },
    { name: 'domains', labels: { en: 'Domains', 'zh-CN': '域名' }, type: 'text', multiple: true, maximum: 12 },
    { name: 'closedOn', labels: { en: 'Closed on', 'zh-CN': '停用日期' }, type: 'date', multiple: true },
  ] as const
  for (const each of declared) await take('declareAttribute', { body: { kind: 'group', ...each } })
  const { id } = await take('addGroup', { body: { groupName: 'Hall', groupType: 'cn', parentId: 0 } })
  const stored = async () =>
    Object.fromEntries(
      (await take('getDepartmentAttributes', { params: { id } })).attributes.map(({ name, values }) => [name, values]),
    )
  const none = { seats: [], openedOn: [], isPublic: [], domains: [], closedOn: [] }
  const save = () => press(page, english.save)
  await go(`/groups?group=${id}`)

  // What is wrong stands at its field, and nothing that was typed is lost.
  await fill(page, 'Seats', 'many')
  // Month, day and year, as a person types them.
  await page.focus('[data-field=openedOn] input')
  await page.keyboard.type('02292024')
  await choose(page, 'Public', en.status.yes)
  await addValue(page, 'domains', 'a.example, b')
  await addValue(page, 'domains', 'c.example')
  await addValue(page, 'closedOn', '2025-02-29')
  await save()
  await problemAt(page, 'Seats', /whole number/)
  await problemAt(page, 'Closed on', /must be a date/)
  t.same(await stored(), none)
  t.same(await tagsOf(page, 'domains'), ['a.example, b', 'c.example'], 'a value may have a comma')
  t.same(await tagsOf(page, 'closedOn'), ['2025-02-29'])
  await typeOver(page, 'Seats', '501')
  await inputOf(page, 'closedOn').click()
  await page.keyboard.press('Backspace')
  await addValue(page, 'closedOn', '2024-12-24')
  await addValue(page, 'closedOn', '2024-12-31')
  await save()
  await problemAt(page, 'Seats', /at most 500/)
  await typeOver(page, 'Seats', '120')
  await save()
  await sees(page, english.saved)
  t.same(await stored(), {
    seats: ['120'],
    openedOn: ['2024-02-29'],
    isPublic: ['true'],
    domains: ['a.example, b', 'c.example'],
    closedOn: ['2024-12-24', '2024-12-31'],
  })

  // Two administrators change the same value: the dialog has the words of the form.
  await choose(page, 'Public', english.none)
  const theirs = { values: { isPublic: ['false'] } }
  await take('setDepartmentAttributes', { params: { id }, body: theirs })
  await save()
  await page.waitForSelector('[role=dialog] table')
  const rows = await page.$$eval('[role=dialog] table tbody tr', (all) => all.map((row) => row.innerText.split('\t')))
  t.same(rows, [['Public', en.status.no, permissions.conflict.empty]])
  await press(page, permissions.conflict.saveMine)
  await eventually(async () => (await stored()).isPublic?.length === 0, 'no value')

  // All can be emptied again.
  await page.reload()
  await typeOver(page, 'Seats', '')
  await page.keyboard.press('Backspace')
  await page.focus('[data-field=openedOn] input')
  for (const _ of ['month', 'day', 'year']) {
    await page.keyboard.press('Backspace')
    await page.keyboard.press('ArrowRight')
  }
  for (const field of ['domains', 'closedOn']) {
    await inputOf(page, field).click()
    for (const _ of await tagsOf(page, field)) await page.keyboard.press('Backspace')
  }
  await save()
  await eventually(async () => Object.values(await stored()).every((values) => values.length === 0), 'no values at all')
})

t.test(
  'several values of a person are shown in words to who may not change them',
  { skip: browserMissing },
  async (t) => {
    const { page, go, take, open, person } = await openOffice(t)
    const body = { kind: 'user', labels: { en: 'Consents', 'zh-CN': '同意' }, type: 'boolean', multiple: true } as const
    await take('declareAttribute', { body: { ...body, name: 'consents', own: 'see' } })
    const { id, password } = await person('li.na', { roleIds: [2] })
    await go(`/people?person=${id}`)
    await addValue(page, 'consents', 'perhaps')
    await press(page, english.save)
    await problemAt(page, 'Consents', /true or false/)
    await inputOf(page, 'consents').click()
    await page.keyboard.press('Backspace')
    for (const value of ['true', 'false']) await addValue(page, 'consents', value)
    await press(page, english.save)
    await sees(page, english.saved)
    const own = await open('/me', { language: 'zh-CN', expected: [refusals] })
    await own.page.waitForSelector('input[type=password]')
    await own.page.type('input[autocomplete=username]', 'li.na')
    await own.page.type('input[type=password]', password)
    await own.page.keyboard.press('Enter')
    await sees(own.page, new RegExp(`同意\\s+${zhCN.listed([zhCN.status.yes, zhCN.status.no])}`))
  },
)

/** The names in the rows of the list, in its order. */
const rowsOf = (page: Page): Promise<string[]> =>
  page.$$eval('[role=row][data-index]', (rows) =>
    rows.map((row) => (row as HTMLElement).innerText.replace(/\s+/g, ' ')),
  )

const listBecomes = (page: Page, wanted: RegExp[]): Promise<unknown> =>
  eventually(
    async () => {
      const rows = await rowsOf(page)
      return rows.length === wanted.length && wanted.every((each, index) => each.test(rows[index] ?? ''))
    },
    `the list shows ${wanted.join(' and ')}`,
  )

t.test(
  'lists of people and groups show declared attributes, and are filtered by them',
  { skip: browserMissing },
  async (t) => {
    const { page, go, take, person, open } = await openOffice(t)
    for (const body of [
      { kind: 'user', name: 'costCentre', labels: { en: 'Cost centre', 'zh-CN': '成本中心' }, type: 'text' },
      { kind: 'user', name: 'keyHolder', labels: { en: 'Key holder', 'zh-CN': '持有钥匙' }, type: 'boolean' },
      { kind: 'group', name: 'domains', labels: { en: 'Domains', 'zh-CN': '域名' }, type: 'text', multiple: true },
    ] as const) {
      await take('declareAttribute', { body })
    }
    const [ann, bob] = [await person('ann'), await person('bob')]
    await take('setPersonAttributes', {
      params: { id: ann.id },
      body: { values: { costCentre: ['1.50'], keyHolder: ['true'] } },
    })
    await take('setPersonAttributes', { params: { id: bob.id }, body: { values: { costCentre: ['1.5'] } } })

    await go('/people')
    await press(page, en.actions.columns)
    await press(page, 'Cost centre', 'checkbox')
    await press(page, 'Key holder', 'checkbox')
    await page.keyboard.press('Escape')
    await listBecomes(page, [/admin/, new RegExp(`ann.* 1\\.50.* ${en.status.yes}`), /bob.* 1\.5/])
    await choose(page, english.filter, 'Cost centre')
    await listBecomes(page, [/ann/, /bob/])
    await fill(page, english.filterValue('Cost centre'), '1.50')
    await listBecomes(page, [/ann/])
    // The address has it all, and the browser the columns.
    await page.reload()
    await listBecomes(page, [new RegExp(`ann.* 1\\.50.* ${en.status.yes}`)])
    await choose(page, english.filter, 'Key holder')
    await choose(page, english.filterValue('Key holder'), en.status.no)
    await sees(page, en.states.emptyFiltered)
    await choose(page, english.filterValue('Key holder'), en.status.yes)
    await listBecomes(page, [/ann/])

    // Another browser has neither the attribute that was chosen nor that it was removed.
    const [{ id = 0 } = {}] = (await take('listAttributes')).attributes.filter(({ name }) => name === 'keyHolder')
    await take('removeAttribute', { params: { id } })
    await page.reload()
    await sees(page, /no such attribute/)
    await press(page, en.actions.clearFilters)
    await listBecomes(page, [/admin/, /ann.* 1\.50/, /bob.* 1\.5/])

    const hall = await take('addGroup', { body: { groupName: 'Hall', groupType: 'cn', parentId: 0 } })
    const house = await take('addGroup', { body: { groupName: 'House', groupType: 'ou', parentId: 0 } })
    await take('addGroup', { body: { groupName: 'Cellar', groupType: 'cn', parentId: house.id } })
    await take('setDepartmentAttributes', {
      params: { id: hall.id },
      body: { values: { domains: ['a.test', 'b.test'] } },
    })
    await go('/groups')
    await press(page, en.actions.columns)
    await press(page, 'Domains', 'checkbox')
    await page.keyboard.press('Escape')
    await listBecomes(page, [/Hall.* a\.test, b\.test/, /House/])
    await choose(page, english.filter, 'Domains')
    await fill(page, english.filterValue('Domains'), 'B.TEST')
    await listBecomes(page, [/Hall.* a\.test, b\.test/])

    const chineseOne = await open('/people?having=costCentre', { language: 'zh-CN', expected: [refusals] })
    await chineseOne.page.waitForSelector('input[type=password]')
    await chineseOne.page.type('input[autocomplete=username]', 'admin')
    await chineseOne.page.type('input[type=password]', adminPassword)
    await chineseOne.page.keyboard.press('Enter')
    await listBecomes(chineseOne.page, [/ann/, /bob/])
    t.ok(await byName(chineseOne.page, 'textbox', chinese.filterValue('成本中心')).waitHandle())
  },
)
