import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import type { OperationId } from '../../src/console/generated/calls.ts'
import { people } from '../../src/console/locales/en/people.ts'
import { permissions } from '../../src/console/locales/en/permissions.ts'
import { en } from '../../src/console/locales/en.ts'
import { browserMissing } from '../browser.ts'
import { adminPassword } from '../steward.ts'
import { type Injector, injectFaults } from './fault-injection.ts'
import { consoleService, fill, press, refusals, sees, signInOn, type TestConsole } from './service.ts'

interface Office extends TestConsole {
  admin: Page
  injector: Injector
  go(path: string): Promise<unknown>
}

/** A record with a form, that two administrators change. */
interface Conflict {
  /** By which the console saves. */
  operation: OperationId
  path: string
  /** The label of the field that both change. */
  label: string
  /** Another administrator sets this field. */
  theirs(value: string): Promise<unknown>
  stored(): Promise<string>
}

/** The three moments at which another administrator can save: before the console reads, after it, and while it asks. */
const conflict = async (t: Test, { admin, injector, go }: Office, each: Conflict): Promise<void> => {
  const { operation, path, label, theirs, stored } = each
  const isAsked = () => sees(admin, permissions.conflict.saveMine)
  await go(path)
  await fill(admin, label, 'Mine')
  const first = injector.meanwhile(operation, () => theirs('First'))
  await press(admin, en.actions.save)
  await isAsked()
  t.ok(first.came, 'it was read before, and its version sent with it')
  await sees(admin, /First\s+Mine/)
  t.equal(await stored(), 'First', 'nothing is written over unseen')

  await theirs('Second')
  await press(admin, permissions.conflict.saveMine)
  await sees(admin, /Second\s+Mine/)
  t.equal(await stored(), 'Second', 'what was changed while it was asked is shown too')
  await press(admin, en.actions.cancel)
  await sees(admin, 'Not saved')
  t.ok(
    await admin.$$eval('input, textarea', (inputs) =>
      inputs.some((input) => (input as HTMLInputElement).value === 'Mine'),
    ),
    'what was typed is kept',
  )
  await press(admin, en.actions.save)
  await isAsked()
  await press(admin, permissions.conflict.saveMine)
  await admin.waitForFunction((text) => !document.body.innerText.includes(text), {}, permissions.conflict.saveMine)
  await admin.waitForSelector('.notices [role=status]')
  t.equal(await stored(), 'Mine')
}

const group = async (t: Test, office: Office): Promise<void> => {
  const { take } = office
  const { id } = await take('addGroup', { body: { groupName: 'Rowers', groupType: 'cn', parentId: 0, remark: '' } })
  await conflict(t, office, {
    operation: 'updateGroup',
    path: `/groups?group=${id}`,
    label: en.fields.remark,
    theirs: (remark) => take('updateGroup', { body: { id, groupName: 'Rowers', remark } }),
    stored: async () => (await take('listGroups')).groups.find((one) => one.id === id)?.remark ?? '',
  })
}

const role = async (t: Test, office: Office): Promise<void> => {
  const { take } = office
  const body = { name: 'Kitchen', keyword: 'kitchen', remark: '', sort: 7, status: 1 }
  const { id } = await take('addRole', { body })
  await conflict(t, office, {
    operation: 'updateRole',
    path: `/roles/${id}`,
    label: en.fields.remark,
    theirs: (remark) => take('updateRole', { body: { id, ...body, remark } }),
    stored: async () => (await take('listRoles')).roles.find((one) => one.id === id)?.remark ?? '',
  })
}

const menu = async (t: Test, office: Office): Promise<void> => {
  const { take } = office
  const body = { name: 'Boats', title: 'Boats', path: '/boats', component: 'Layout' }
  const { id } = await take('addMenu', { body })
  await conflict(t, office, {
    operation: 'updateMenu',
    path: `/menus?menu=${id}`,
    label: en.fields.title,
    theirs: (title) => take('updateMenu', { body: { id, ...body, title } }),
    stored: async () => (await take('getMenuTree')).find((one) => one.id === id)?.title ?? '',
  })
}

const entry = async (t: Test, office: Office): Promise<void> => {
  const { take } = office
  const body = { category: 'boats', method: 'GET', path: '/boats', remark: '' }
  const { id } = await take('addApi', { body })
  await conflict(t, office, {
    operation: 'updateApi',
    path: `/apis?entry=${id}`,
    label: en.fields.remark,
    theirs: (remark) => take('updateApi', { body: { id, ...body, remark } }),
    stored: async () => (await take('listApis')).apis.find((one) => one.id === id)?.remark ?? '',
  })
}

const person = async (t: Test, office: Office): Promise<void> => {
  const { take, admin, injector, go } = office
  const { id } = await office.person('two.change.it')
  const stored = async () => (await take('getPerson', { params: { id } })).position
  await go(`/people?person=${id}`)
  await fill(admin, en.fields.position, 'Mine')
  const theirs = { id, position: 'Theirs', postalAddress: 'Main Street', departmentId: [], roleIds: [] }
  const came = injector.meanwhile('updateUser', () => take('updateUser', { body: theirs }))
  await press(admin, en.actions.save)
  await sees(admin, /Mine\s+Theirs/)
  t.ok(came.came)
  t.equal(await stored(), 'Theirs', 'nothing is written over unseen')
  await press(admin, people.person.keepMine)
  await press(admin, en.actions.save)
  await sees(admin, people.person.saved)
  t.equal(await stored(), 'Mine')
  t.equal((await take('getPerson', { params: { id } })).postalAddress, 'Main Street')
}

const grants = async (t: Test, office: Office): Promise<void> => {
  const { take, admin, injector, go } = office
  const { id } = await take('addRole', { body: { name: 'Hall', keyword: 'hall', remark: '', sort: 7, status: 1 } })
  const menus = async () => (await take('getRoleMenus', { query: { roleId: id } })).map((each) => each.id)
  const last = (await take('getMenuTree')).at(-1)?.id ?? 0
  await go(`/roles/${id}?tab=menus`)
  await (await admin.waitForSelector('.editor [role=treeitem]'))?.focus()
  await admin.keyboard.press('Space')
  await sees(admin, 'Added: ')
  const came = injector.meanwhile('updateRoleMenus', () =>
    take('updateRoleMenus', { body: { roleId: id, menuIds: [last] } }),
  )
  await press(admin, 'Save changes')
  await sees(admin, permissions.conflict.title)
  t.ok(came.came)
  t.same(await menus(), [last], 'nothing is written over unseen')
  await press(admin, permissions.conflict.both)
  await press(admin, 'Save changes')
  await sees(admin, permissions.changes.saved)
  const now = await menus()
  t.ok(now.includes(last) && now.length > 1, 'both changes stand')
}

t.test('two administrators change one record at the same time', { skip: browserMissing }, async (t) => {
  const service = await consoleService(t, { directory: 'none' })
  const { page: admin } = await service.open('/', { expected: [refusals] })
  await signInOn(admin, 'admin', adminPassword)
  await admin.waitForSelector('#main h1')
  const injector = await injectFaults(admin)
  const office = { ...service, admin, injector, go: (path: string) => admin.goto(`${service.url}/console${path}`) }
  const tests = { group, role, menu, entry, person, grants }
  for (const [name, test] of Object.entries(tests)) await t.test(name, (t) => test(t, office))
})
