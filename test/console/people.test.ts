import { sql } from 'drizzle-orm'
import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { people } from '../../src/console/locales/en/people.ts'
import { en } from '../../src/console/locales/en.ts'
import { browserMissing } from '../browser.ts'
import { adminPassword } from '../steward.ts'
import { holdClock } from './held-clock.ts'
import { byName, consoleService, fill, press, refusals, sees, signInOn, typeOver } from './service.ts'

const expected = [refusals]

/** What the tests of this file share: one service, one browser, and one administrator who has signed in. */
const openOffice = async (t: Test) => {
  const service = await consoleService(t)
  const { take, open, url } = service
  const { page: admin } = await open('/', { expected })
  await signInOn(admin, 'admin', adminPassword)
  await admin.waitForSelector('#main h1')
  return {
    ...service,
    admin,
    go: (path: string) => admin.goto(`${url}/console${path}`),
    addGroup: async (groupName: string, parentId = 0): Promise<number> => {
      const body = { groupName, groupType: 'cn' as const, parentId, remark: '' }
      return (await take('addGroup', { body })).id
    },
    personOf: (id: number) => take('getPerson', { params: { id } }),
  }
}

type Office = Awaited<ReturnType<typeof openOffice>>

const withControl = async (page: Page, key: 'k' | 'x' | 'X' | 'v' | 'z'): Promise<void> => {
  await page.keyboard.down('Control')
  await page.keyboard.press(key)
  await page.keyboard.up('Control')
}

/** Goes down a tree to the node with this name. */
const goDownTo = async (page: Page, name: string): Promise<void> => {
  const isThere = () => page.evaluate((wanted) => document.activeElement?.textContent?.includes(wanted) === true, name)
  while (!(await isThere())) {
    const before = await page.evaluateHandle(() => document.activeElement)
    await page.keyboard.press('ArrowDown')
    await page.waitForFunction((from) => document.activeElement !== from, {}, before)
  }
}

/** Presses Tab until such an element has the focus. */
const tabTo = async (page: Page, selector: string): Promise<void> => {
  for (let count = 0; count < 60; count++) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${selector}`)
}

const addAndChange = async (t: Test, { admin, go, person, personOf }: Office): Promise<void> => {
  await person('name.taken')
  await go('/people?hire=true')
  await fill(admin, en.fields.nickname, 'Wang Wei')
  await fill(admin, en.fields.username, 'name.taken')
  await press(admin, people.hire.action)
  await sees(admin, en.failures.fieldsAtFault(1))
  t.equal(await admin.$eval('[data-name=nickname]', (input) => (input as HTMLInputElement).value), 'Wang Wei')
  await fill(admin, en.fields.username, 'wang.wei')
  await press(admin, people.hire.action)
  await sees(admin, people.hire.done)
  const id = Number(new URL(admin.url()).searchParams.get('person'))
  t.equal((await personOf(id)).name, 'Wang Wei')

  await fill(admin, en.fields.position, 'Cook')
  await press(admin, en.actions.save)
  await sees(admin, people.person.saved)
  t.equal((await personOf(id)).position, 'Cook')
}

const changedMeanwhile = async (t: Test, { admin, go, person, personOf, take }: Office): Promise<void> => {
  const { id } = await person('two.change.it')
  await go(`/people?person=${id}`)
  await fill(admin, en.fields.position, 'Cook')
  const theirs = { id, position: 'Baker', postalAddress: 'Main Street', departmentId: [], roleIds: [] }
  await take('updateUser', { body: theirs })
  await press(admin, en.actions.save)
  await sees(admin, people.person.theirs)
  await sees(admin, 'Baker')
  t.equal((await personOf(id)).position, 'Baker', 'nothing was overwritten')
  await press(admin, people.person.keepMine)
  await press(admin, en.actions.save)
  await sees(admin, people.person.saved)
  t.match(await personOf(id), { position: 'Cook', postalAddress: 'Main Street' })
}

const manyAtOnce = async (t: Test, { admin, go, person, personOf }: Office): Promise<void> => {
  // Found together with the administrator, whom no one may disable.
  const { id } = await person('admin.trainee')
  await go('/people?q=admin')
  await sees(admin, 'admin.trainee')
  await sees(admin, people.total(2))
  await press(admin, en.table.selectAll, 'checkbox')
  await press(admin, people.bulk.menu.disable)
  await sees(admin, people.bulk.consequences.disable(1))
  await sees(admin, people.bulk.refused(1))
  t.equal((await personOf(id)).status, 'enabled', 'a preview changes nothing')
  await admin.locator('[role=dialog] button[type=submit]').click()
  await sees(admin, people.bulk.report(1, 1))
  await admin.waitForFunction(() => document.activeElement?.matches('[role=dialog] [data-autofocus]'), {
    timeout: 5000,
  })
  t.pass('the focus goes to what comes in place of the button that was pressed')
  t.equal((await personOf(id)).status, 'disabled')
}

const passwordsOfMany = async (t: Test, { admin, go, person, call, db }: Office): Promise<void> => {
  const forgetful = await person('forgetful.one')
  const unreachable = await person('forgetful.two')
  await db.execute(sql`update users set mail = 'one@example.org' where id = ${forgetful.id}`)
  await db.execute(sql`update sessions set stepped_up_at = now()`)
  const choose = async (action: 'resetPassword' | 'showPassword'): Promise<void> => {
    await go('/people?q=forgetful')
    await sees(admin, people.total(2))
    await press(admin, en.table.selectAll, 'checkbox')
    await press(admin, en.actions.more)
    await press(admin, people.bulk.menu[action], 'menuitem')
  }
  await choose('resetPassword')
  await sees(admin, people.bulk.consequences.resetPassword(1))
  await sees(admin, /forgetful\.two\s+This user has no mail address\./)
  t.equal((await call('getMe', { token: forgetful.token })).code, 200, 'a preview changes nothing')
  await admin.locator('[role=dialog] button[type=submit]').click()
  await sees(admin, people.bulk.report(1, 1))
  t.equal((await call('getMe', { token: forgetful.token })).code, 401)

  await choose('showPassword')
  await sees(admin, people.bulk.consequences.showPassword(2))
  await admin.locator('[role=dialog] button[type=submit]').click()
  await sees(admin, people.reset.once)
  const shown = await admin.$$eval('[role=dialog] .results li', (each) =>
    each.map(({ innerText }) => innerText.trim().split(/\s+/).at(-1) ?? ''),
  )
  t.equal(new Set(shown).size, 2)
  const password = shown[1] ?? ''
  const body = { username: 'forgetful.two', password, newPassword: 'another-password-9' }
  t.equal((await call('login', { body })).code, 0, 'it is the one that was set')
  t.equal((await call('getMe', { token: unreachable.token })).code, 401)
  // As on plain http.
  await admin.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }))
  await press(admin, en.actions.copy)
  await sees(admin, en.actions.copied)
  await admin.evaluate(() => Reflect.deleteProperty(navigator, 'clipboard'))
  await admin.keyboard.press('Escape')
  t.ok(await admin.$('[role=dialog] .results'), 'what is shown once is not closed by chance')
  await press(admin, people.reset.noted)
}

const moveDepartment = async (t: Test, { admin, go, addGroup, take }: Office): Promise<void> => {
  const north = await addGroup('North')
  await addGroup('South')
  await addGroup('Kitchen', north)
  const path = async (): Promise<string[]> => {
    const { departments } = await take('listDepartments', { query: { q: 'Kitchen' } })
    return (departments[0]?.path ?? []).map(({ name }) => name)
  }
  await go('/log')
  await sees(admin, en.nav.log)
  // From another page, and by no other means than the keys.
  await withControl(admin, 'k')
  await admin.waitForSelector('[role=dialog] input:focus')
  await admin.keyboard.type(en.nav.people)
  await admin.waitForSelector('[role=dialog] [role=option]')
  await admin.keyboard.press('ArrowDown')
  await admin.keyboard.press('Enter')
  await sees(admin, 'North')
  await tabTo(admin, '[role=treeitem]')
  await sees(admin, people.tree.keys)
  await goDownTo(admin, 'North')
  await admin.keyboard.press('ArrowRight')
  await sees(admin, 'Kitchen')
  await goDownTo(admin, 'Kitchen')
  // As with Caps Lock.
  await withControl(admin, 'X')
  await sees(admin, people.tree.cut('Kitchen'))
  await goDownTo(admin, 'South')
  await withControl(admin, 'v')
  await sees(admin, people.move.effect(1, 0))
  t.same(await path(), ['North', 'Kitchen'], 'not before it is confirmed')
  t.equal(
    await admin.evaluate(() => document.activeElement?.textContent),
    en.actions.cancel,
    'Enter alone moves nothing',
  )
  await admin.keyboard.press('Tab')
  await admin.keyboard.press('Enter')
  await sees(admin, people.move.done('Kitchen', 'South'))
  t.same(await path(), ['South', 'Kitchen'])
  await withControl(admin, 'z')
  await sees(admin, people.move.undone('Kitchen'))
  t.same(await path(), ['North', 'Kitchen'])
}

const leavesDepartment = async (t: Test, { admin, go, addGroup }: Office): Promise<void> => {
  await go(`/people?department=${await addGroup('Attic')}`)
  await sees(admin, people.move.open)
  await byName(admin, 'button', people.tree.all).click()
  await admin.waitForFunction(() => !location.search.includes('department'))
  await sees(admin, 'Administrator')
  t.equal(await admin.$('.department-head'), null, 'nothing of the department stays')
}

const focusReturns = async (t: Test, { admin, go, addGroup }: Office): Promise<void> => {
  await go(`/people?department=${await addGroup('Hall')}`)
  const button = await byName(admin, 'button', people.move.open).waitHandle()
  for (const time of ['first', 'second']) {
    await button.focus()
    await admin.keyboard.press('Enter')
    await admin.waitForSelector('[role=dialog] input[data-autofocus]:focus')
    await admin.keyboard.press('Escape')
    await admin.keyboard.press('Escape')
    await admin.waitForFunction(() => document.querySelector('[role=dialog]') === null)
    await admin.waitForFunction((from) => document.activeElement === from, { timeout: 5000 }, button)
    t.pass(`the ${time} time`)
  }
}

const toldWhyNot = async (t: Test, { open, person, take }: Office): Promise<void> => {
  const role = await take('addRole', {
    body: { name: 'Help desk', keyword: 'desk', remark: '', sort: 5, status: 1 },
  })
  const { apis } = await take('listApis')
  const granted = apis.filter(({ path }) => path.startsWith('/v1/operations/people')).map(({ id }) => id)
  await take('updateRoleApis', { body: { roleId: role.id, apiIds: granted } })
  const { password } = await person('helen', { roleIds: [role.id] })
  const { page } = await open('/people?person=1', { test: t, expected })
  await signInOn(page, 'helen', password)
  await sees(page, people.person.fixed)
  t.equal(await page.$('[role=dialog] input'), null, 'there is nothing to fill in')
  await press(page, people.person.roles, 'tab')
  await sees(page, people.why.title)
  await byName(page, 'searchbox', people.why.search).fill('addUser')
  await page.locator('[role=dialog] [role=row][data-index="0"]').click()
  await sees(page, people.why.grantedBy('admin'))
}

const foundByKeyboard = async (_t: Test, { admin, go, person }: Office): Promise<void> => {
  await person('quick.to.find')
  await go('/log')
  await sees(admin, en.nav.log)
  await withControl(admin, 'k')
  await admin.waitForSelector('[role=dialog] input:focus')
  await admin.keyboard.type('quick.t')
  await admin.waitForSelector('[role=dialog] [role=option]')
  await admin.keyboard.press('ArrowDown')
  await admin.keyboard.press('Enter')
  await admin.waitForFunction(() => location.pathname.endsWith('/people') && location.search.includes('person='))
  await sees(admin, 'quick.to.find')
}

const membersOnPhone = async (t: Test, { admin, go, addGroup, person, take }: Office): Promise<void> => {
  const groupId = await addGroup('crew')
  const { id } = await person('has.left')
  await take('addGroupUsers', { body: { groupId, userIds: [id] } })
  await take('changeUserStatus', { body: { id, status: 2 } })
  await admin.setViewport({ width: 360, height: 740 })
  await go(`/groups?group=${groupId}&tab=members`)
  await admin.waitForSelector('[role=dialog] [role=row][data-index="0"]')
  const inSight = await admin.$$eval('[role=dialog] [role=row][data-index="0"] > *', (cells) =>
    cells.filter((cell) => cell.getBoundingClientRect().right <= innerWidth).map(({ textContent }) => textContent),
  )
  t.ok(inSight.includes(en.status.disabled), 'that a member is disabled is seen without scrolling')
  await admin.setViewport({ width: 1280, height: 800 })
}

const fewRows = async (t: Test, { admin, go, db }: Office): Promise<void> => {
  await db.execute(sql`
    insert into users (username, username_key, nickname)
    select 'many' || n, 'many' || n, 'Person ' || n from generate_series(1, 1000) n`)
  await go('/people?q=many')
  await sees(admin, people.total(1000))
  t.ok((await admin.$$('[role=row]')).length <= 60)
  await admin.locator('[role=row][data-index="0"]').click()
  await sees(admin, people.person.profile)
  t.ok(await byName(admin, 'button', en.actions.close).waitHandle())
}

/** Scrolls a list to its end, until this row is there. */
const scrollTo = async (page: Page, index: number): Promise<void> => {
  while ((await page.$(`.row-table [data-index="${index}"]`)) === null) {
    await page.$eval('.row-table', (table) => table.scrollTo(0, table.scrollHeight))
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Waits until a row has this text. */
const hasRow = (page: Page, text: string) =>
  page.waitForFunction(
    (wanted) =>
      [...document.querySelectorAll('.row-table [role=row]')].some((row) => row.textContent?.includes(wanted)),
    { polling: 50 },
    text,
  )

const readInSight = async (t: Test, { admin, go, db }: Office): Promise<void> => {
  const asked: string[] = []
  admin.on('request', (request) => void asked.push(request.url()))
  const pagesRead = (): number => asked.filter((url) => /\/people\?/.test(url)).length
  await go('/people?q=many')
  await admin.waitForSelector('.row-table [data-index="0"]')
  await scrollTo(admin, 999)
  t.ok(pagesRead() >= 10, 'the list has many pages')
  await admin.locator('.row-table [data-index="995"]').click()
  await sees(admin, people.person.profile)
  await typeOver(admin, en.fields.nickname, 'Changed below')
  await db.execute(sql`update users set nickname = 'Changed above' where username = 'many1'`)
  asked.length = 0
  await press(admin, en.actions.save)
  await hasRow(admin, 'Changed below')
  t.ok(pagesRead() <= 3, 'after a change the pages in sight are read again, not all that were scrolled through')
  await admin.keyboard.press('Escape')
  await admin.waitForFunction(() => document.querySelector('[role=dialog]') === null)
  await admin.$eval('.row-table', (table) => table.scrollTo(0, 0))
  await hasRow(admin, 'Changed above')
}

const holdersInSight = async (t: Test, { db, open, url }: Office): Promise<void> => {
  await db.execute(sql`
    insert into roles (name, keyword, sort) select 'Role ' || n, 'role' || n, 500 from generate_series(1, 300) n`)
  const { page } = await open('/', { expected })
  await signInOn(page, 'admin', adminPassword)
  await page.waitForSelector('#main h1')
  const asked: string[] = []
  page.on('request', (request) => void (request.url().includes('/holders') && asked.push(request.url())))
  // However long the scrolling takes, no role has rested in sight before the test lets time pass.
  const clock = await holdClock(page, 200)
  /** Lets time pass until all roles in sight are counted. */
  const rest = async (): Promise<void> => {
    const counted = () => {
      const text = document.querySelector('.row-table [data-index]')?.parentElement?.textContent
      return text !== undefined && !text.includes('…')
    }
    while (!(await page.evaluate(counted))) {
      await clock.pass(200)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  await page.goto(`${url}/console/roles`)
  await rest()
  asked.length = 0
  for (let top = 1500; top < 10_000; top += 1500) {
    await page.$eval('.row-table', (table, place) => table.scrollTo(0, place), top)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
  }
  t.equal(await page.$('.row-table [data-index="5"]'), null, 'the first are out of sight')
  t.strictSame(asked, [], 'roles that are scrolled past are not asked for')
  await rest()
  const drawn = await page.$$eval('.row-table [data-index]', (rows) => rows.length)
  t.ok(asked.length > 0 && asked.length <= drawn, `${asked.length} are asked for, ${drawn} are in sight`)
}

t.test('people and departments', { skip: browserMissing }, async (t) => {
  const office = await openOffice(t)
  const tests: [name: string, test: (t: Test, office: Office) => Promise<void>][] = [
    ['a person is added, found, and changed; a refusal loses nothing', addAndChange],
    ['what another administrator saved meanwhile is shown beside what was typed', changedMeanwhile],
    ['many people are changed at once, after who would be refused was shown', manyAtOnce],
    ['the passwords of many are reset by mail, or shown once', passwordsOfMany],
    ['a department is moved by the keyboard, and moved back', moveDepartment],
    ['the head of a department goes with it', leavesDepartment],
    ['the focus goes back to the button when a dialog is closed', focusReturns],
    ['a caller who may not change a person is told why', toldWhyNot],
    ['a record is found from any page by the keyboard alone', foundByKeyboard],
    ['who of a group is disabled is seen on a phone', membersOnPhone],
    ['however many people there are, a few rows are drawn', fewRows],
    ['of a list that was scrolled through, what is in sight is read again', readInSight],
    ['holders are counted of the roles in sight', holdersInSight],
  ]
  for (const [name, test] of tests) await t.test(name, (t) => test(t, office))
})
