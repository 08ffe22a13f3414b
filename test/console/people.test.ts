import { sql } from 'drizzle-orm'
import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { browserMissing } from '../browser.ts'
import { adminPassword } from '../steward.ts'
import { byName, consoleService, fill, press, refusals, sees, signInOn } from './service.ts'

const skip = browserMissing

const peopleService = async (t: Test) => {
  const service = await consoleService(t)
  const { call, token, open } = service
  const addGroup = async (groupName: string, parentId = 0): Promise<number> => {
    const body = { groupName, groupType: 'cn' as const, parentId, remark: '' }
    const added = await call('addGroup', { token, body })
    if (added.code !== 0) throw new Error(`${groupName} cannot be added: ${added.msg}`)
    return added.data.id
  }
  const personOf = async (id: number) => {
    const reply = await call('getPerson', { token, params: { id } })
    if (reply.code !== 200) throw new Error(`person ${id} cannot be read`)
    return reply.data
  }
  /** Opens an address as this user. */
  const openAs = async (path: string, username = 'admin', password = adminPassword): Promise<Page> => {
    const { page } = await open(path, { expected: [refusals] })
    await signInOn(page, username, password)
    return page
  }
  return { ...service, addGroup, personOf, openAs }
}

const withControl = async (page: Page, key: 'x' | 'v'): Promise<void> => {
  await page.keyboard.down('Control')
  await page.keyboard.press(key)
  await page.keyboard.up('Control')
}

t.test('a person is added, found, and changed; a refusal loses nothing', { skip }, async (t) => {
  const { person, personOf, openAs } = await peopleService(t)
  await person('li.na')
  const page = await openAs('/people?hire=true')
  await fill(page, 'Display name', 'Wang Wei')
  await fill(page, 'User name', 'li.na')
  await press(page, 'Add')
  await sees(page, '1 field needs your attention')
  t.equal(await page.$eval('[data-name=nickname]', (input) => (input as HTMLInputElement).value), 'Wang Wei')
  await fill(page, 'User name', 'wang.wei')
  await press(page, 'Add')
  await sees(page, 'The person was added')
  const id = Number(new URL(page.url()).searchParams.get('person'))
  t.equal((await personOf(id)).name, 'Wang Wei')

  await fill(page, 'Job title', 'Cook')
  await press(page, 'Save')
  await sees(page, 'Saved')
  t.equal((await personOf(id)).position, 'Cook')
})

t.test('what another administrator saved meanwhile is shown beside what was typed', { skip }, async (t) => {
  const { call, token, person, personOf, openAs } = await peopleService(t)
  const { id } = await person('li.na')
  const page = await openAs(`/people?person=${id}`)
  await fill(page, 'Job title', 'Cook')
  const theirs = { id, position: 'Baker', postalAddress: 'Main Street', departmentId: [], roleIds: [] }
  await call('updateUser', { token, body: theirs })
  await press(page, 'Save')
  await sees(page, 'What is saved now')
  await sees(page, 'Baker')
  t.equal((await personOf(id)).position, 'Baker', 'nothing was overwritten')
  await press(page, 'Keep mine')
  await press(page, 'Save')
  await sees(page, 'Saved')
  t.match(await personOf(id), { position: 'Cook', postalAddress: 'Main Street' })
})

t.test('many people are changed at once, after who would be refused was shown', { skip }, async (t) => {
  const { person, personOf, openAs } = await peopleService(t)
  const { id } = await person('li.na')
  const page = await openAs('/people')
  await sees(page, 'li.na')
  await press(page, 'Select all loaded records', 'checkbox')
  await press(page, 'Disable')
  await sees(page, '1 person can no longer sign in anywhere')
  await sees(page, 'Refused for 1 person')
  t.equal((await personOf(id)).status, 'enabled', 'a preview changes nothing')
  await page.locator('[role=dialog] button[type=submit]').click()
  await sees(page, 'Done for 1 person, refused for 1 person')
  t.equal((await personOf(id)).status, 'disabled')
})

t.test('a department is moved by the keyboard, and moved back', { skip }, async (t) => {
  const { call, token, addGroup, openAs } = await peopleService(t)
  const north = await addGroup('North')
  await addGroup('South')
  await addGroup('Kitchen', north)
  const pathOf = async (): Promise<string[]> => {
    const found = await call('listDepartments', { token, query: { q: 'Kitchen' } })
    return found.code === 200 ? (found.data.departments[0]?.path ?? []).map(({ name }) => name) : []
  }
  const page = await openAs('/people')
  await sees(page, 'North')
  await page.focus('[role=treeitem]')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await sees(page, 'Kitchen')
  await page.keyboard.press('ArrowDown')
  await page.waitForFunction(() => document.activeElement?.textContent?.includes('Kitchen'))
  await withControl(page, 'x')
  await sees(page, 'To move “Kitchen”')
  await page.keyboard.press('ArrowDown')
  await page.waitForFunction(() => document.activeElement?.textContent?.includes('South'))
  await withControl(page, 'v')
  await sees(page, 'This moves 1 department with 0 people')
  t.same(await pathOf(), ['North', 'Kitchen'], 'not before it is confirmed')
  await press(page, 'Move')
  await sees(page, 'Kitchen is below South now')
  t.same(await pathOf(), ['South', 'Kitchen'])
  await press(page, 'Undo')
  await sees(page, 'Kitchen is back where it was')
  t.same(await pathOf(), ['North', 'Kitchen'])
})

t.test('a caller who may not change a person is told why', { skip }, async (t) => {
  const { call, token, person, openAs } = await peopleService(t)
  const role = await call('addRole', {
    token,
    body: { name: 'Help desk', keyword: 'desk', remark: '', sort: 5, status: 1 },
  })
  const apis = await call('listApis', { token, query: {} })
  if (role.code !== 0 || apis.code !== 0) return t.fail('the role cannot be made')
  const granted = apis.data.apis.filter(({ path }) => path.startsWith('/v1/operations/people')).map(({ id }) => id)
  await call('updateRoleApis', { token, body: { roleId: role.data.id, apiIds: granted } })
  const { password } = await person('helen', { roleIds: [role.data.id] })
  const page = await openAs('/people?person=1', 'helen', password)
  await sees(page, 'You cannot change this')
  t.equal(await page.$('[role=dialog] input'), null, 'there is nothing to fill in')
  await press(page, 'Roles', 'tab')
  await sees(page, 'What this person may do, and why')
  await byName(page, 'searchbox', 'Search an operation').fill('addUser')
  await page.locator('[role=dialog] [role=row][data-index="0"]').click()
  await sees(page, 'Granted by: admin')
})

t.test('however many people there are, a few rows are drawn', { skip }, async (t) => {
  const { db, openAs } = await peopleService(t)
  await db.execute(sql`
    insert into users (username, username_key, nickname)
    select 'many' || n, 'many' || n, 'Person ' || n from generate_series(1, 1000) n`)
  const page = await openAs('/people?q=many')
  await sees(page, '1,000 people')
  t.ok((await page.$$('[role=row]')).length <= 60)
  await page.locator('[role=row][data-index="0"]').click()
  await sees(page, 'Profile')
  t.ok(await byName(page, 'button', 'Close').waitHandle())
})

t.test('a record is found from any page by the keyboard alone', { skip }, async (t) => {
  const { person, openAs } = await peopleService(t)
  await person('wang.wei')
  const page = await openAs('/log')
  await sees(page, 'Operation log')
  await page.keyboard.down('Control')
  await page.keyboard.press('k')
  await page.keyboard.up('Control')
  await page.waitForSelector('[role=dialog] input:focus')
  await page.keyboard.type('wang.w')
  await page.waitForSelector('[role=dialog] [role=option]')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => location.pathname.endsWith('/people') && location.search.includes('person='))
  await sees(page, 'wang.wei')
})
