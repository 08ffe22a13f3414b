import { sql } from 'drizzle-orm'
import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { openDirectory } from '../../src/ldap/directory.ts'
import { axeFindings } from '../axe.ts'
import { browserMissing } from '../browser.ts'
import { silent, testDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { gatedGroups } from '../mirror/gated-groups.ts'
import { skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { adminPassword, steward } from '../steward.ts'
import { injectFaults } from './fault-injection.ts'
import { byName, consoleService, press, refusals, sees, signInOn } from './service.ts'

const skip = browserMissing || skipWithoutSlapd

/** The service on a directory with entries from before: those of Ann and Bo, whose records wait, and one of no record. */
const orphanService = async (t: Test) => {
  const slapd = await testSlapd(t)
  const service = await consoleService(t, { directory: slapd })
  const directory = openDirectory({ ...slapd, startTls: false, ca: null, timeout: 5000, log: silent })
  t.teardown(() => directory.close())
  const { mirror, take } = service
  const dnOf = (uid: string): string => `uid=${uid},ou=people,${slapd.baseDn}`
  // This makes the units that hold the entries.
  await mirror.reconciler.synchronize('user', 'pending')
  const add = (uid: string) => {
    const attributes = { objectClass: ['inetOrgPerson'], uid: [uid], cn: ['Before'], sn: ['Before'] }
    return directory.write({ kind: 'add', dn: dnOf(uid), attributes })
  }
  for (const uid of ['ann', 'bo', 'printer']) await add(uid)
  const record = (username: string) => ({
    ...{ username, nickname: username, mail: '', mobile: '', jobNumber: '', roleIds: [], departmentId: [] },
    password: `${username} has a password`,
  })
  for (const username of ['ann', 'bo']) await take('addUser', { body: record(username) })
  const cnOf = async (uid: string) => (await directory.read(dnOf(uid), ['cn']))?.attributes.cn
  const openAs = async (path: string, username = 'admin', password = adminPassword): Promise<Page> => {
    const { page } = await service.open(path, { expected: [refusals] })
    await signInOn(page, username, password)
    await page.waitForSelector('#main h1, #main .mantine-Center-root')
    return page
  }
  return { ...service, directory, dnOf, cnOf, openAs }
}

const confirmed = (page: Page) => page.locator('[role=dialog] button[type=submit]').click()

/** Waits until the list shows no such entry. */
const loses = (page: Page, dn: string) =>
  page.waitForFunction(
    (gone) => [...document.querySelectorAll('[role=row][data-index]')].every((row) => !row.textContent?.includes(gone)),
    {},
    dn,
  )

t.test('orphan entries are adopted, ignored and reported again', { skip }, async (t) => {
  const { take, dnOf, cnOf, openAs } = await orphanService(t)
  const page = await openAs('/directory')
  await sees(page, dnOf('printer'))
  await sees(page, 'No person or group has its name and place')
  t.ok(await page.$('[role=row] a[href*="/people?person="]'), 'the record that it can be adopted for is a link')

  await byName(page, 'checkbox', `Select ${dnOf('ann')}`).click()
  await press(page, 'Adopt')
  await sees(page, 'The entry becomes the entry of its record and is made equal to it at once')
  t.strictSame(await cnOf('ann'), ['Before'], 'nothing is done before it is confirmed')
  await confirmed(page)
  await sees(page, '1 entry adopted')
  await loses(page, dnOf('ann'))
  t.strictSame(await cnOf('ann'), ['ann'])
  const { users } = await take('listUsers', { query: { syncState: 2 } })
  t.strictSame(
    users.map(({ username }) => username),
    ['bo'],
    'the record of the adopted entry is in step',
  )

  await byName(page, 'checkbox', `Select ${dnOf('printer')}`).click()
  await press(page, 'Ignore')
  // The button is gone with the entry before all that is asked again has answered; what it has to say is still said.
  let answer = (): void => {}
  const later = new Promise<void>((resolve) => {
    answer = resolve
  })
  const injector = await injectFaults(page)
  const hold = (): void =>
    void injector.meanwhile('getOverview', () => {
      hold()
      return later
    })
  hold()
  await confirmed(page)
  await loses(page, dnOf('printer'))
  answer()
  await sees(page, '1 entry ignored')
  await byName(page, 'combobox', 'State').click()
  await press(page, 'Ignored', 'option')
  await byName(page, 'checkbox', `Select ${dnOf('printer')}`).click()
  t.match(page.url(), /state=ignored/)
  await press(page, 'Report again')
  await confirmed(page)
  await sees(page, 'No entry is ignored')
  const { orphans } = await take('listOrphans', {})
  t.strictSame(
    orphans.map(({ dn }) => dn),
    [dnOf('bo'), dnOf('printer')],
  )
  t.strictSame(await cnOf('printer'), ['Before'])
})

t.test('all entries that match a filter are adopted by their preview', { skip }, async (t) => {
  const { directory, dnOf, cnOf, openAs } = await orphanService(t)
  const page = await openAs('/directory?kind=user')
  await press(page, 'Adopt all that match…')
  await sees(page, '2 entries become the entries of their records')
  // Another entry in its place is not what the preview showed.
  await directory.write({ kind: 'delete', dn: dnOf('bo') })
  await press(page, 'Adopt 2 entries')
  await sees(page, 'preview')
  t.strictSame(await cnOf('ann'), ['Before'], 'an outdated preview adopts nothing')
  await press(page, 'Adopt 1 entry')
  await sees(page, '1 entry adopted')
  t.strictSame(await cnOf('ann'), ['ann'])
})

t.test('people are compared with their entries now', { skip }, async (t) => {
  const { person, take, directory, dnOf, cnOf, openAs } = await orphanService(t)
  await person('cook')
  await eventually(async () => (await cnOf('cook'))?.[0] === 'cook', 'the entry of the cook')
  await directory.write({
    kind: 'modify',
    dn: dnOf('cook'),
    changes: [{ operation: 'replace', attribute: 'cn', values: ['Other'] }],
  })
  const page = await openAs('/directory')
  await sees(page, 'Not compared by a user yet')
  const elsewhere = await openAs('/directory')
  await sees(elsewhere, 'Not compared by a user yet')
  await press(page, 'Compare now: People')
  await sees(page, /4 records compared: 1 repaired, 2 failed/)
  await sees(elsewhere, /4 compared, 1 repaired, 2 failed/)
  await sees(page, /4 compared, 1 repaired, 2 failed/)
  t.strictSame(await cnOf('cook'), ['cook'])
  t.match(await take('listRuns', { query: { source: 'sql', kind: 'users' } }), { runs: [{ total: 4 }] })
  await press(page, 'Run 1', 'link')
  await sees(page, 'Directory comparison')
})

t.test('a user without the grants does not find the page', { skip }, async (t) => {
  const { person, openAs } = await orphanService(t)
  const { password } = await person('li.na', { roleIds: [2] })
  const page = await openAs('/', 'li.na', password)
  await page.waitForSelector('.frame-menu a')
  t.equal(await page.$('.frame-menu a[href$="/directory"]'), null)
  const administrator = await openAs('/')
  t.ok(await administrator.waitForSelector('.frame-menu a[href$="/directory"]'))
})

t.test('groups are compared with their entries now', { skip }, async (t) => {
  const { take, directory, openAs } = await orphanService(t)
  const { id } = await take('addGroup', {
    body: { groupName: 'Sales', groupType: 'cn', parentId: 0, remark: 'as it is' },
  })
  const dn = async (): Promise<string> =>
    (await take('listGroups', {})).groups.find((group) => group.id === id)?.groupDn ?? ''
  const remark = async () => (await directory.read(await dn(), ['description']))?.attributes.description
  await eventually(async () => (await remark())?.[0] === 'as it is', 'the entry of the group')
  const changes = [{ operation: 'replace' as const, attribute: 'description', values: ['Other'] }]
  await directory.write({ kind: 'modify', dn: await dn(), changes })
  const page = await openAs('/directory')
  await press(page, 'Compare now: Groups')
  await sees(page, /1 repaired, 0 failed/)
  t.strictSame(await remark(), ['as it is'])
  t.match(await take('listRuns', { query: { source: 'sql', kind: 'groups' } }), {
    runs: [{ state: 'done', updated: 1 }],
  })
})

t.test('a comparison is seen to move in every browser, also after a reload', { skip }, async (t) => {
  const service = await gatedGroups(t, (options) => consoleService(t, options))
  const openAs = async () => {
    const { page } = await service.open('/directory', { expected: [refusals] })
    await signInOn(page, 'admin', adminPassword)
    await sees(page, 'Not compared by a user yet')
    return page
  }
  const [page, elsewhere] = [await openAs(), await openAs()]
  const shows = (where: Page, done: number) =>
    where.waitForFunction(
      (share) => {
        const bar = document.querySelector('[role=status] [role=progressbar]')
        return bar !== null && Math.round(Number(bar.getAttribute('aria-valuenow'))) === share
      },
      { timeout: 60_000 },
      Math.round((done / 150) * 100),
    )
  const letPass = async (count: number): Promise<void> => {
    await eventually(() => service.gate.waiting() > 0, 'changes that wait')
    service.gate.letPass(count)
  }
  service.gate.letPass(75)
  await press(page, 'Compare now: Groups')
  for (const each of [page, elsewhere]) await shows(each, 50)
  await sees(elsewhere, 'Comparing · 50 / 150')
  await elsewhere.reload()
  await shows(elsewhere, 50)
  await letPass(50)
  for (const each of [page, elsewhere]) await shows(each, 100)
  await letPass(Number.POSITIVE_INFINITY)
  for (const each of [page, elsewhere]) await sees(each, /150 compared, 1\d\d repaired, 0 failed/)
})

t.test('what a comparison would do is shown record by record, and nothing is done', { skip }, async (t) => {
  const { person, take, directory, dnOf, cnOf, openAs } = await orphanService(t)
  await person('cook')
  await eventually(async () => (await cnOf('cook'))?.[0] === 'cook', 'the entry of the cook')
  const changes = [{ operation: 'replace' as const, attribute: 'cn', values: ['Other'] }]
  await directory.write({ kind: 'modify', dn: dnOf('cook'), changes })
  const page = await openAs('/people')
  await press(page, 'Compare: dry run: People')
  await sees(page, 'A dry run: these figures are what a run would do. Nothing was changed.')
  await sees(page, /cn:\s*Other → cook/)
  t.strictSame(await cnOf('cook'), ['Other'])
  const { runs } = await take('listRuns', { query: { source: 'sql' } })
  t.match(runs, [{ dryRun: true, state: 'planned', total: 4, updated: 1, failed: 2 }])
  await press(page, 'Update 1')
  t.match(new URL(page.url()).search, /action=update/)
  await page.locator('[role=row][data-index="0"]').click()
  await sees(page, 'Open the person')
  t.notMatch(await page.evaluate(() => document.body.innerText), /argon2/i, 'no hash is shown')
  await page.goto(`${new URL(page.url()).origin}/console/directory`)
  await sees(page, /4 compared, 1 would be repaired, 2 would fail/)
  await press(page, 'Dry run: Groups')
  await sees(page, 'Every entry is as its record says')
  await page.goto(`${new URL(page.url()).origin}/console/groups`)
  await byName(page, 'button', 'Compare: dry run: Groups').wait()
})

/** In both languages and themes, wide and narrow: what is shown can be used, and nothing is wider than the page. */
const fitsEverywhere = async (t: Test, page: Page, texts: Record<'zh-CN' | 'en', string>): Promise<void> => {
  for (const [language, shown] of Object.entries(texts)) {
    await page.evaluate((language) => localStorage.setItem('steward.language', language), language)
    await page.reload()
    await sees(page, shown)
    for (const width of [360, 1280]) {
      await page.setViewport({ width, height: 900 })
      for (const theme of ['dark', 'light'] as const) {
        await page.emulateMediaFeatures([
          { name: 'prefers-color-scheme', value: theme },
          { name: 'prefers-reduced-motion', value: 'reduce' },
        ])
        await page.waitForFunction(
          (wanted) => document.documentElement.dataset.mantineColorScheme === wanted,
          {},
          theme,
        )
        t.strictSame(await axeFindings(page), [], `${language}, ${width} px, ${theme}: axe`)
      }
      const wider = () =>
        page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      t.equal(await wider(), 0, `${language}: ${width} px wide`)
      // The columns of one directory are below those of another.
      const edges = await page.$$eval('.directory-line > :nth-child(2)', (all) =>
        all.map((each) => each.getBoundingClientRect().left),
      )
      t.equal(new Set(edges).size, 1, `${language}, ${width} px: one column`)
    }
  }
}

t.test('what a further directory gets, and what it lacks and why, is shown', { skip }, async (t) => {
  const [first, second] = [await testSlapd(t), await testSlapd(t)]
  const database = await testDatabase(t)
  const before = await steward(t, { directory: first, database })
  const groupOf = async (groupName: string, parentId = 0): Promise<number> =>
    (await before.take('addGroup', { body: { groupName, groupType: 'cn', parentId } })).id
  const sales = await groupOf('Sales')
  const team = await groupOf('Team', sales)
  await before.close()
  const env = {
    LDAP_2_URL: second.url,
    LDAP_2_BASE_DN: second.baseDn,
    LDAP_2_BIND_DN: second.bindDn,
    LDAP_2_BIND_PASSWORD: second.bindPassword,
    LDAP_2_GROUPS: `${sales} 4711`,
  }
  const { open, person, take, url } = await consoleService(t, { directory: first, database, env })
  const { id } = await person('ann', { departmentId: [team] })
  const further = async () => (await take('listDirectories')).directories[1]
  await eventually(async () => (await further())?.waiting === 0, 'all entries')
  const { page } = await open('/directory', { expected: [refusals] })
  await signInOn(page, 'admin', adminPassword)
  await sees(page, /Directory 2\s+dc=example,dc=org/)
  await sees(
    page,
    /Gets 2 groups and the 1 person in them[\s\S]*LDAP_2_GROUPS[\s\S]*Sales[\s\S]*no group has the id 4711/,
  )
  await sees(page, 'the dry run are about the main directory')
  t.notMatch(await page.evaluate(() => document.body.innerText), 'Show the records')
  await fitsEverywhere(t, page, { 'zh-CN': '没有 ID 为 4711 的分组', en: 'no group has the id 4711' })

  await second.refuse('title', '#')
  const body = { id, departmentId: [team], roleIds: [], position: '#1' }
  await take('updateUser', { body })
  await eventually(async () => (await further())?.refused === 1, 'a refusal')
  await page.reload()
  await press(page, 'Show the records: Directory 2')
  await sees(page, /ann · Person · Refused[\s\S]*modify breaks constraint on title/)
  t.match(page.url(), /pending=2/)
  await page.evaluate(() => localStorage.setItem('steward.language', 'zh-CN'))
  await page.reload()
  await sees(page, /ann · 用户 · 被拒绝[\s\S]*目录拒绝/)
  await page.goto(`${url}/console/directory`)
  await sees(page, /包含 2 个分组及其中的 1 名用户[\s\S]*没有 ID 为 4711 的分组/)
  await page.evaluate(() => localStorage.setItem('steward.language', 'en'))
  await page.goto(`${url}/console/directory?pending=2`)
  await sees(page, 'ann · Person · Refused')
  await page.locator(`.problems a[href*="person=${id}"]`).click()
  await sees(page, 'User name')
  await second.accept()
  await take('retryPerson', { params: { id } })
  await eventually(async () => (await further())?.refused === 0, 'the entry')
  await page.goto(`${url}/console/directory?pending=2`)
  await sees(page, 'All entries are up to date')
})

t.test('whose password a further directory has not got is shown, with what to do', { skip }, async (t) => {
  const second = await testSlapd(t)
  const env = {
    ...{ LDAP_2_URL: second.url, LDAP_2_BASE_DN: second.baseDn, LDAP_2_BIND_DN: second.bindDn },
    ...{ LDAP_2_BIND_PASSWORD: second.bindPassword, LDAP_2_PASSWORD_SCHEME: 'ssha512' },
  }
  const { open, person, signIn, db, take, mirror, url } = await consoleService(t, { env })
  const ann = await person('ann')
  const further = async () => (await take('listDirectories')).directories[1]
  await eventually(async () => (await further())?.waiting === 0, 'all entries')
  await db.execute(sql`delete from scheme_hashes where user_id = ${ann.id}`)
  await mirror.reconciler.synchronize('user', [ann.id])
  await eventually(async () => (await further())?.incomplete === 1, 'the hash is gone')
  const { page } = await open('/directory', { expected: [refusals] })
  await signInOn(page, 'admin', adminPassword)
  await fitsEverywhere(t, page, {
    'zh-CN': '1 个条目缺少内容，例如密码',
    en: '1 entry lacks something, such as a password',
  })
  await press(page, 'Show the records: Directory 2')
  await sees(page, /All entries are up to date[\s\S]*Up to date, but something is lacking/)
  await sees(page, /ann · Person · Incomplete[\s\S]*no \{SSHA512\} hash of it yet. It gets one at the next sign-in/)
  await fitsEverywhere(t, page, { 'zh-CN': '已同步，但缺少内容', en: 'Up to date, but something is lacking' })
  await page.evaluate(() => localStorage.setItem('steward.language', 'zh-CN'))
  await page.goto(`${url}/console/directory?pending=2`)
  await sees(page, /已同步，但缺少内容[\s\S]*ann · 用户 · 不完整[\s\S]*尚无该密码的 \{SSHA512\} 哈希。下次在此登录/)
  await signIn('ann', ann.password)
  await eventually(async () => (await further())?.incomplete === 0, 'the sign-in gives one')
  await page.reload()
  await sees(page, '所有条目均已同步')
  t.notMatch(await page.evaluate(() => document.body.innerText), '缺少内容')
})

t.test('all entries that match a filter are ignored by their preview', { skip }, async (t) => {
  const { take, cnOf, dnOf, openAs } = await orphanService(t)
  const page = await openAs('/directory?text=printer')
  await press(page, 'Ignore all that match…')
  await sees(page, dnOf('printer'))
  await press(page, 'Ignore 1 entry')
  await sees(page, '1 entry ignored')
  const { orphans } = await take('listOrphans', {})
  t.strictSame(
    orphans.map(({ dn }) => dn),
    [dnOf('ann'), dnOf('bo')],
    'those that do not match stay reported',
  )
  t.strictSame(await cnOf('printer'), ['Before'])
})

t.test(
  'a record that the directory refused is tried again from the report, and found from the person',
  { skip },
  async (t) => {
    const { take, directory, dnOf, cnOf, openAs } = await orphanService(t)
    // While the reconciler tries them, a comparison leaves them to it.
    await eventually(async () => (await take('listDirectories')).directories[0]?.refused === 2, 'two refusals')
    const { runId } = await take('compareDirectory', { body: { kind: 'users' } })
    const { users } = await take('listUsers', { query: { username: 'ann' } })
    const page = await openAs(`/people?person=${users[0]?.id}&tab=directory`)
    await press(page, 'Look at the orphan entry', 'link')
    await sees(page, dnOf('ann'))
    t.match(page.url(), /\/directory\?text=ann/)
    await page.goto(`${new URL(page.url()).origin}/console/runs/${runId}?tab=problems`)
    await sees(page, dnOf('printer'))
    const english = page.url()
    await page.evaluate(() => localStorage.setItem('steward.language', 'zh-CN'))
    for (const [path, text] of [
      [`runs/${runId}?tab=problems`, `条目 ${dnOf('ann')} 不属于 Steward`],
      [`people?person=${users[0]?.id}&tab=directory`, `条目 ${dnOf('ann')} 不属于 Steward`],
      ['directory', '没有名称和位置相符的用户或分组'],
    ]) {
      await page.goto(`${new URL(english).origin}/console/${path}`)
      await sees(page, text ?? '')
      const told = await page.evaluate(() => document.querySelector('#main')?.textContent)
      t.notMatch(told, /is not Steward's|no person or group/, `${path} says it in Chinese alone`)
    }
    await page.evaluate(() => localStorage.setItem('steward.language', 'en'))
    await page.goto(english)
    await sees(page, dnOf('printer'))
    await directory.write({ kind: 'delete', dn: dnOf('ann') })
    // The two refusals are in no order.
    await page.$$eval('.problems li', (all) => {
      const refused = all.find((each) => /^ann\b/.test(each.innerText.trim()))
      refused?.querySelector('button')?.click()
    })
    await sees(page, 'It is in the directory now')
    t.strictSame(await cnOf('ann'), ['ann'])
    t.strictSame(await cnOf('bo'), ['Before'], 'only the record that was asked for is written')
  },
)
