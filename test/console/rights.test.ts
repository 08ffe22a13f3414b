import t, { type Test } from 'tap'
import { calls, type OperationId } from '../../src/console/generated/calls.ts'
import { en } from '../../src/console/locales/en.ts'
import { browserMissing } from '../browser.ts'
import { byName, consoleService, press, refusals, sees, signInOn, type TestConsole, typeOver } from './service.ts'

/** Takes this operation from the role that `holderOf` made for this person. */
const takeFrom = async ({ take }: TestConsole, name: string, operation: OperationId): Promise<void> => {
  const { roles } = await take('listRoles')
  const roleId = roles.find(({ keyword }) => keyword === name)?.id ?? 0
  const { method, url } = calls[operation]
  const granted = await take('getRoleApis', { query: { roleId } })
  const left = granted.filter((each) => each.method !== method || `/api${each.path}` !== url)
  await take('updateRoleApis', { body: { roleId, apiIds: left.map(({ id }) => id) } })
}

const whileReading = async (t: Test, service: TestConsole): Promise<void> => {
  const { password } = await service.holderOf('reader', ['listPeople'])
  const { page } = await service.open('/people', { test: t, expected: [refusals] })
  await signInOn(page, 'reader', password)
  await sees(page, 'Administrator')
  await takeFrom(service, 'reader', 'listPeople')
  await page.locator('.people-list input[type=search]').fill('adm')
  await sees(page, en.states.forbidden)
  t.notMatch(await page.evaluate(() => document.body.innerText), /Administrator/, 'nothing of the list is left')
  t.equal(await page.$('nav a[href$="/people"]'), null, 'nor is the way to it')
}

const whileWriting = async (t: Test, service: TestConsole): Promise<void> => {
  const { password } = await service.holderOf('writer', ['listPeople', 'getPerson', 'updateUser'])
  const { id } = await service.person('is.written.of')
  const { page } = await service.open(`/people?person=${id}`, { test: t, expected: [refusals] })
  await signInOn(page, 'writer', password)
  await byName(page, 'textbox', en.fields.nickname).wait()
  await typeOver(page, en.fields.nickname, 'As typed')
  await takeFrom(service, 'writer', 'updateUser')
  await press(page, en.actions.save)
  await sees(page, /None of your roles grants this operation\./)
  t.equal(await page.$eval('[data-name=nickname]', (input) => (input as HTMLInputElement).value), 'As typed')
}

t.test('what a role no longer grants is not shown any more', { skip: browserMissing }, async (t) => {
  const service = await consoleService(t)
  await t.test('to who reads a list', (t) => whileReading(t, service))
  await t.test('and what was typed into a form stays', (t) => whileWriting(t, service))
})
