import { sql } from 'drizzle-orm'
import { Client, InvalidCredentialsError } from 'ldapts'
import type { ElementHandle, Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import type { OperationId } from '../../src/console/generated/calls.ts'
import { browserMissing } from '../browser.ts'
import { eventually } from '../eventually.ts'
import { adminPassword } from '../steward.ts'
import { codeOf, consoleService, fill, press, refusals, sees, signInOn, type TestConsole } from './service.ts'

/** What the tests of this file share: one service, one browser, and one administrator who has signed in. */
const openOffice = async (t: Test) => {
  const service = await consoleService(t, { env: { TRUST_PROXY: 'on' } })
  const { open, url, db } = service
  const openAs = async (
    t: Test,
    path: string,
    username: string,
    password: string,
    expected: readonly RegExp[] = [],
  ) => {
    const { page } = await open(path, { expected })
    await signInOn(page, username, password)
    await page.waitForSelector('#main h1')
    t.teardown(() => page.close())
    return page
  }
  const admin = await (async () => {
    const { page } = await open('/', { expected: [refusals] })
    await signInOn(page, 'admin', adminPassword)
    await page.waitForSelector('#main h1')
    return page
  })()
  return {
    ...service,
    openAs,
    admin,
    go: (path: string) => admin.goto(`${url}/console${path}`),
    stepUp: () => db.execute(sql`update sessions set stepped_up_at = now()`),
  }
}

type Office = Awaited<ReturnType<typeof openOffice>>

const places = (page: Page): Promise<string[]> =>
  page.$$eval('nav a', (links) => links.map(({ textContent }) => textContent ?? ''))

/** Whether the directory takes the password of a person. */
const binds = async ({ mirror }: TestConsole, dn: string, password: string): Promise<boolean> => {
  const client = new Client({ url: mirror.address?.url ?? '', timeout: 10_000 })
  try {
    await client.bind(dn, password)
    return true
  } catch (error) {
    if (error instanceof InvalidCredentialsError) return false
    throw error
  } finally {
    await client.unbind()
  }
}

/** Says yes in a dialog, by the name of its button; a drawer below it may have a form of its own. */
const confirm = async (page: Page, name: string): Promise<void> => {
  const button = await page.waitForFunction(
    (wanted) =>
      [...document.querySelectorAll<HTMLButtonElement>('[role=dialog] button[type=submit]:not([disabled])')].find(
        ({ innerText }) => innerText.trim() === wanted,
      ),
    {},
    name,
  )
  // With the mouse: what covers the dialog would get it.
  await (button.asElement() as ElementHandle<HTMLButtonElement>).click()
}

const hireAndLeave = async (t: Test, office: Office): Promise<void> => {
  const { admin, go, take, call } = office
  const password = 'a river of their own 7'
  await go('/people?hire=true')
  await fill(admin, 'Display name', 'Wang Wei')
  await fill(admin, 'User name', 'wang.wei')
  await fill(admin, 'Password', password)
  await press(admin, 'Add')
  await sees(admin, 'The person was added')
  const id = Number(new URL(admin.url()).searchParams.get('person'))
  const dnOf = async () => (await take('getPerson', { params: { id } })).entry.dn
  const dn = await eventually(dnOf, 'an entry of the new person')
  t.ok(await eventually(() => binds(office, dn, password), 'a bind'), 'applications sign the person in')

  await go(`/people?person=${id}&tab=sign-in`)
  await press(admin, 'Disable')
  await sees(admin, '1 person can no longer sign in anywhere')
  await confirm(admin, 'Disable')
  await sees(admin, 'Done for 1 person')
  t.notOk(await binds(office, dn, password), 'the directory refuses the leaver at once')
  t.not((await call('login', { body: { username: 'wang.wei', password } })).code, 0)
}

const helpDesk = async (t: Test, { holderOf, openAs, person, url }: Office): Promise<void> => {
  const { id } = await person('asks.for.help')
  const granted: OperationId[] = ['listPeople', 'getPerson', 'listUserSessions', 'endUserSession', 'unlockUser']
  const { password } = await holderOf('helen', granted)
  // A call that is refused would be an error on its console, which fails the test.
  const page = await openAs(t, '/people', 'helen', password)
  await sees(page, 'asks.for.help')
  t.same(await places(page), ['Home', 'People'])
  t.equal(await page.$('#main button ::-p-text(Add a person)'), null)
  t.equal(await page.$('#main [role=row] input'), null, 'nothing can be selected for nothing')
  for (const tab of ['', 'groups', 'roles', 'sign-in', 'directory']) {
    await page.goto(`${url}/console/people?person=${id}${tab === '' ? '' : `&tab=${tab}`}`)
    await page.waitForSelector('[role=dialog] [role=tabpanel]')
    const unexplained = await page.$$eval('[role=dialog] button:disabled', (buttons) =>
      buttons.filter(({ title }) => title === '').map(({ innerText }) => innerText),
    )
    t.same(unexplained, [], `${tab}: a button that cannot be pressed says why`)
  }
  for (const path of ['/groups', '/roles', '/menus', '/apis', '/log']) {
    await page.goto(`${url}/console${path}`)
    await sees(page, 'Your roles do not grant this page')
    await sees(page, /a role that grants “[A-Z][^”]+”/)
  }
}

const auditor = async (t: Test, { holderOf, openAs }: Office): Promise<void> => {
  const { password } = await holderOf('audrey', ['listLogEntries', 'getLogEntry', 'getLogChain'])
  const page = await openAs(t, '/log', 'audrey', password)
  await page.setViewport({ width: 360, height: 740 })
  await page.waitForSelector('#main .two-lines')
  const cut = await page.$$eval('#main .two-lines > *', (texts) =>
    texts.filter((each) => each.scrollHeight > each.clientHeight + 1).map(({ textContent }) => textContent),
  )
  t.same(cut, [], 'a phone shows what was done in whole words')
  await page.setViewport({ width: 1280, height: 800 })
  await page.locator('#main [role=row][data-index="0"]').click()
  await sees(page, 'In the chain')
  t.same(await places(page), ['Home', 'Operation log'])
  t.same(await page.$$eval('.page-head button', (buttons) => buttons.length), 0, 'nothing to export with')
}

const plainUser = async (t: Test, { person, openAs }: Office): Promise<void> => {
  const { password } = await person('plain')
  const page = await openAs(t, '/', 'plain', password)
  t.same(await places(page), ['Home'])
  await press(page, 'My account: plain')
  await press(page, 'My account', 'menuitem')
  await page.waitForFunction(() => location.pathname.endsWith('/me'))
  for (const tab of await page.$$('[role=tab]')) {
    await tab.click()
    await page.waitForSelector('[role=tabpanel] > *')
  }
}

const lockedOut = async (t: Test, office: Office): Promise<void> => {
  const { admin, go, person, call, signIn } = office
  const { id, password } = await person('forgetful')
  const guess = (n: number) =>
    call('login', {
      body: { username: 'forgetful', password: `guess ${n}` },
      headers: { 'x-forwarded-for': '10.1.1.1' },
    })
  let code = 0
  for (let n = 0; n < 20 && code !== 429; n++) code = (await guess(n)).code
  t.equal(code, 429)
  await go(`/people?person=${id}&tab=sign-in`)
  await sees(admin, 'Locked after too many failed sign-ins')
  await press(admin, 'Unlock')
  await sees(admin, 'The account was unlocked')
  await sees(admin, 'Not locked')
  t.ok(await signIn('forgetful', password))
}

const lostFactor = async (t: Test, office: Office): Promise<void> => {
  const { admin, go, person, call, signIn, stepUp } = office
  const { id, password, token } = await person('loses.phone', { roleIds: [2] })
  const enrolled = await call('enrolTotp', { token, body: { password } })
  await call('confirmTotp', { token, body: { code: codeOf(enrolled.data.secret) } })
  await t.rejects(signIn('loses.phone', password), 'a code is asked for')
  await stepUp()
  await go(`/people?person=${id}&tab=sign-in`)
  await press(admin, 'Remove the app')
  await sees(admin, 'Make sure that the request really comes from this person')
  await confirm(admin, 'Remove the app')
  await sees(admin, 'The authenticator app was removed')
  t.ok(await signIn('loses.phone', password))
}

const endSession = async (t: Test, office: Office): Promise<void> => {
  const { admin, go, person, call } = office
  const { id, token } = await person('left.open', { roleIds: [2] })
  t.match(await call('getMe', { token }), { code: 200 })
  await go(`/people?person=${id}&tab=sign-in`)
  await press(admin, 'End')
  await sees(admin, 'The session has ended')
  await sees(admin, 'No open sessions')
  t.match(await call('getMe', { token }), { code: 401 })
}

const twoAdministrators = async (t: Test, office: Office): Promise<void> => {
  const { admin, go, take } = office
  const role = { name: 'Kitchen', keyword: 'kitchen', remark: '', sort: 7, status: 1 }
  const { id } = await take('addRole', { body: role })
  const theirs = (remark: string) => take('updateRole', { body: { id, ...role, remark } })
  const remark = async () => (await take('listRoles')).roles.find((each) => each.id === id)?.remark

  await go(`/roles/${id}`)
  await fill(admin, 'Description', 'Mine')
  await theirs('Theirs')
  await press(admin, 'Save')
  await sees(admin, 'Another user changed this record in the meantime')
  await sees(admin, /Theirs\s+Mine/)
  await press(admin, 'Cancel')
  await sees(admin, 'Not saved')
  t.equal(await remark(), 'Theirs')
  t.equal(await admin.$eval('[data-field=remark] textarea', (input) => (input as HTMLTextAreaElement).value), 'Mine')
  await press(admin, 'Save')
  await press(admin, 'Save mine')
  await sees(admin, 'Kitchen was saved')
  t.equal(await remark(), 'Mine')

  const menus = async () => (await take('getRoleMenus', { query: { roleId: id } })).map((menu) => menu.id)
  const all = (await take('getMenuTree')).map((menu) => menu.id)
  const [first = 0, last = 0] = [all.at(0), all.at(-1)]
  for (const [choice, outcome] of [
    ['Keep theirs, discard mine', [last]],
    ['Overwrite theirs with mine', undefined],
  ] as const) {
    await take('updateRoleMenus', { body: { roleId: id, menuIds: [] } })
    await go(`/roles/${id}?tab=menus`)
    await (await admin.waitForSelector('.editor [role=treeitem]'))?.focus()
    await admin.keyboard.press('Space')
    await sees(admin, 'Added: ')
    await take('updateRoleMenus', { body: { roleId: id, menuIds: [last] } })
    await press(admin, 'Save changes')
    await sees(admin, 'Another user changed this record in the meantime')
    t.same(await menus(), [last], 'nothing is written over unseen')
    await press(admin, choice)
    await admin.waitForFunction(() => !document.body.innerText.includes('Another user changed this record'))
    if (outcome === undefined) {
      await press(admin, 'Save changes')
      await sees(admin, 'Saved')
      t.ok((await menus()).includes(first))
      t.notOk((await menus()).includes(last))
    } else {
      t.same(await menus(), outcome)
      await sees(admin, 'No changes yet')
    }
  }
}

const deleteGroup = async (t: Test, office: Office): Promise<void> => {
  const { admin, go, take, person } = office
  const body = { groupName: 'Project', groupType: 'cn', parentId: 0, remark: '' }
  const { id } = await take('addGroup', { body })
  const member = await person('member', { departmentId: [id] })
  await go(`/groups?group=${id}`)
  await press(admin, 'Delete the group')
  await sees(admin, '1 person is removed from it')
  t.ok(await admin.$('[role=dialog] button[type=submit][disabled]'), 'its name is typed first')
  await fill(admin, 'Type “Project” to confirm', 'Project')
  await confirm(admin, 'Delete the group')
  await sees(admin, 'Project was deleted')
  t.same((await take('getPerson', { params: { id: member.id } })).groups, [])
}

/** The lines of a card of the home page, by its title, and where its title leads. */
const cardOf = (page: Page, title: string) =>
  page.evaluate((title) => {
    const card = [...document.querySelectorAll<HTMLElement>('#main .mantine-Paper-root')].find(
      ({ innerText }) => innerText.split('\n')[0] === title,
    )
    return {
      lines:
        card?.innerText
          .split('\n')
          .slice(1)
          .filter((line) => line !== '') ?? [],
      href: card?.querySelector('a')?.getAttribute('href')?.replace('/console', ''),
    }
  }, title)

/** The rows of a list of the home page: the text and the link of each. */
const linesOf = (page: Page, label: string) =>
  page.$$eval(`[aria-label="${label}"] .body [role=row]`, (rows) =>
    rows.map((row) => ({
      text: (row as HTMLElement).innerText.replaceAll('\n', ' '),
      href: row.querySelector('a')?.getAttribute('href')?.replace('/console', '') ?? '',
    })),
  )

/** What the home page is to show, without the service: as the tables have it. */
const countedBySql = async ({ db }: Office) => {
  const [row] = await db.execute<Record<string, string>>(sql`
    select (select count(*) from users where status = 1) as people,
      (select count(*) from users where status <> 1) as disabled,
      (select count(*) from groups where source <> '') as departments,
      (select count(*) from groups where source = '') as groups,
      (select count(*) from alerts where handled_at is null) as alerts,
      (select count(*) from alerts where handled_at is null and level = 'danger') as danger,
      (select count(*) from runs where state = 'held') as held,
      (select score from security_checks order by id desc limit 1) as score,
      (select max(id) from runs where source = 'exta' and kind = 'users') as held_run,
      (select count(*) from directory_entries where version <> synced_version) as behind`)
  return row ?? {}
}

const homeFigures = async (t: Test, office: Office): Promise<void> => {
  const { admin, go, take, db, person } = office
  const body = { groupName: 'Sales', groupType: 'cn' as const, parentId: 0, remark: '' }
  const { id: groupId } = await take('addGroup', { body })
  const { id } = await person('home.figure')
  await take('addGroupUsers', { body: { groupId, userIds: [id] } })
  const role = await take('addRole', { body: { name: 'Cooks', keyword: 'cooks', remark: '', sort: 8, status: 1 } })
  await take('addGroup', { body: { ...body, groupName: 'Choir' } })
  await take('createBackup', { body: { type: 'manual' } })
  await db.execute(sql`update groups set source = 'exta', source_dept_id = '7' where id = ${groupId}`)
  await db.execute(sql`
    insert into runs (source, kind, state, creator, added, disabled, finished_at) values
      ('exta', 'groups', 'done', 'schedule', 4, 0, now()), ('exta', 'users', 'held', 'schedule', 3, 12, now())`)
  await db.execute(sql`
    insert into alerts (cause, title, description, level, rule, handled_at) values
      ('home 1', 'A backup failed', '', 'danger', 'backupFailed', null), ('home 2', 'Old', '', 'danger', '', now())`)
  await take('checkSecurity')
  await eventually(async () => (await countedBySql(office)).behind === '0', 'the directory has everything')
  const { now } = (await db.execute<{ now: string }>(sql`select now()::text as now`))[0] ?? { now: '' }
  await eventually(async () => Date.parse((await take('getOverview')).at) > Date.parse(now), 'figures of now')

  await go('/')
  await sees(admin, 'What happened lately')
  const is = await countedBySql(office)
  const cards: [title: string, href: string, ...lines: (string | RegExp)[]][] = [
    ['People', '/people', is.people ?? '', `and ${is.disabled} disabled ${is.disabled === '1' ? 'person' : 'people'}`],
    ['Departments', '/groups', '1', `and ${is.groups} other ${is.groups === '1' ? 'group' : 'groups'}`],
    ['Directory', '/directory', 'Equal to the records'],
    ['Open alerts', '/security/alerts', is.alerts ?? '', `${is.danger} alert of danger`],
    ['Runs', '/runs?state=held', `${is.held} run waits for a confirmation`],
    ['Last backup', '/backups', 'Verified'],
    ['Security score', '/security', is.score ?? ''],
  ]
  for (const [title, href, ...lines] of cards) {
    t.match(await cardOf(admin, title), { href, lines }, title)
  }
  t.match(await linesOf(admin, 'Last runs'), [
    { text: /^ExtA Departments Done/, href: '' },
    { text: /^ExtA People Held/, href: '' },
  ])
  t.match((await linesOf(admin, 'Recent sign-ins'))[0]?.href, /^\/people\?person=\d+$/)
  const happened = await linesOf(admin, 'What happened lately')
  const lines: [text: string, href: string, then: string][] = [
    ['A backup failed', '/security/alerts?alert=', 'A backup failed'],
    ['ExtA · People: Held · Added 3 · Disabled 12 Schedule', `/runs/${is.held_run}`, `Run ${is.held_run}`],
    ['A backup was made admin', '/backups?backup=', 'Verified'],
    ['Add a role: Cooks admin', `/roles/${role.id}`, 'Cooks'],
    ['Add users to a group: Sales admin', `/groups?group=${groupId}`, 'Sales'],
    ['Add a user: home.figure admin', `/people?person=${id}`, 'home.figure'],
    ['Add a group: Sales admin', `/groups?group=${groupId}`, 'Sales'],
  ]
  for (const [text, href] of lines) {
    const line = happened.find((row) => row.text.startsWith(text))
    t.ok(line?.href.startsWith(href), `${text}: ${line?.href}`)
  }
  const back = async (): Promise<void> => {
    await admin.evaluate(() => history.back())
    await sees(admin, 'What happened lately')
  }
  for (const [, href] of cards) {
    await admin.locator(`#main .mantine-Paper-root a[href="/console${href}"]`).click()
    await admin.waitForFunction((wanted) => location.pathname + location.search === `/console${wanted}`, {}, href)
    await admin.waitForSelector('#main h1')
    await back()
  }
  for (const [text, , then] of lines) {
    const href = happened.find((row) => row.text.startsWith(text))?.href ?? ''
    await admin.locator(`[aria-label="What happened lately"] a[href="/console${href}"]`).click()
    await sees(admin, then)
    const heading = await admin.waitForSelector(href.includes('?') ? '[role=dialog] h2' : '#main h1')
    t.ok(heading, href)
    await back()
  }
  await admin.locator('[aria-label="Last runs"] [role=row][data-index="1"]').click()
  await sees(admin, `Run ${is.held_run}`)
}

t.test('jobs of an office', { skip: browserMissing }, async (t) => {
  const office = await openOffice(t)
  const jobs: [name: string, job: (t: Test, office: Office) => Promise<void>][] = [
    ['a person is hired, and leaves: the directory follows at once', hireAndLeave],
    ['a help desk sees what it may, and is told why of the rest', helpDesk],
    ['an auditor reads the log and nothing else', auditor],
    ['a user without roles has their own account', plainUser],
    ['an account that is really locked is unlocked', lockedOut],
    ['the second factor of another is removed, who then signs in without', lostFactor],
    ['a session of another is ended', endSession],
    ['two administrators change one role: both changes are shown, and either may stay', twoAdministrators],
    ['a group with members is deleted, and its people stay', deleteGroup],
    ['the home page shows real figures, and each leads to what it is about', homeFigures],
  ]
  for (const [name, job] of jobs) await t.test(name, (t) => job(t, office))
})
