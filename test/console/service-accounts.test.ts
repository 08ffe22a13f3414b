import { sql } from 'drizzle-orm'
import { Client } from 'ldapts'
import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { browserMissing } from '../browser.ts'
import { eventually } from '../eventually.ts'
import { skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { adminPassword, type TestStewardOptions } from '../steward.ts'
import { byName, consoleService, fill, press, refusals, sees, signInOn } from './service.ts'

const openAccounts = async (
  t: Test,
  options: TestStewardOptions = {},
  size: { width?: number; height?: number } = {},
) => {
  const service = await consoleService(t, options)
  const { page } = await service.open('/service-accounts', { ...size, expected: [refusals] })
  await signInOn(page, 'admin', adminPassword)
  await sees(page, 'Create an account')
  await service.db.execute(sql`update sessions set stepped_up_at = now()`)
  const bind = async (dn: string, password: string): Promise<number> => {
    const client = new Client({ url: service.mirror.address?.url ?? '', timeout: 10_000 })
    t.teardown(() => client.unbind().catch(() => {}))
    return client.bind(dn, password).then(
      () => 0,
      ({ code }: { code: number }) => code,
    )
  }
  return { ...service, page, bind }
}

/** Waits for a notice, and until it is gone: it may lie over what is pressed next. */
const isTold = async (page: Page, text: string): Promise<void> => {
  await sees(page, text)
  // It stays as long as the mouse is on it, which is where the last button was.
  await page.mouse.move(0, 0)
  await page.waitForFunction((gone) => !document.body.innerText.includes(gone), { timeout: 20_000 }, text)
}

/** What the page shows to take along, under this name. */
const shownAs = async (page: Page, name: string): Promise<string> => {
  const element = await page.waitForSelector(`[role=region][aria-label="${name}"]`)
  return element?.evaluate((each) => each.textContent ?? '') ?? ''
}

t.test('an account is made, its password changed over, and it is deleted', { skip: browserMissing }, async (t) => {
  const { page, bind, take, mirror } = await openAccounts(t, {}, { width: 360, height: 740 })
  const dn = `cn=wiki,ou=service-accounts,${mirror.address?.baseDn}`
  await press(page, 'Create an account')
  await fill(page, 'Name', 'wiki')
  await fill(page, 'Only people that match', '(uid=a')
  await page.keyboard.press('Enter')
  await sees(page, /is not an LDAP filter: .*at character 7/)
  await fill(page, 'Only people that match', '(uid=a*)')
  await page.keyboard.press('Enter')
  await sees(page, 'The password is shown once')
  const first = await shownAs(page, 'Password')
  t.equal(await shownAs(page, 'Bind DN'), dn)
  t.equal(
    await shownAs(page, 'A search to try'),
    `ldapsearch -x -H ${mirror.address?.ldapsUrl ?? mirror.address?.url} -D '${dn}' -w '${first}' -b '${mirror.address?.baseDn}' '(uid=a*)'`,
  )
  t.equal(await bind(dn, first), 0)
  await press(page, 'Kept it: close')
  await page.waitForFunction((text) => !document.body.innerText.includes(text), {}, first)

  await page.waitForSelector('[role=row][data-index]')
  await page.locator('[role=row][data-index]').click()
  await sees(page, dn)
  await sees(page, 'The embedded directory limits the account by itself')
  await press(page, 'New password')
  const second = await shownAs(page, 'Password')
  t.not(second, first)
  t.equal(await bind(dn, first), 0)
  t.equal(await bind(dn, second), 0)
  await press(page, 'Kept it: close')
  await sees(page, 'Two passwords are valid')
  await press(page, 'End the old password')
  await isTold(page, 'The old password is not valid any more')
  t.equal(await bind(dn, first), 49)

  await press(page, 'Disable')
  await isTold(page, 'wiki is changed')
  t.equal(await bind(dn, second), 49)
  await press(page, 'Enable')
  await isTold(page, 'wiki is changed')
  await eventually(async () => (await bind(dn, second)) === 0, 'it is enabled again')

  await press(page, 'Delete the account')
  await sees(page, 'Applications cannot bind as wiki any more')
  t.equal(
    await page.$eval('[role=dialog] [type=submit].mantine-Button-root[data-disabled]', () => true).catch(() => false),
    true,
  )
  await page.keyboard.type('wiki')
  await page.keyboard.press('Enter')
  await sees(page, 'wiki is deleted')
  t.same((await take('listServiceAccounts')).accounts, [])
  t.equal(await bind(dn, second), 49)
})

t.test('the rules for OpenLDAP are shown to be pasted', { skip: browserMissing || skipWithoutSlapd }, async (t) => {
  const { page, take } = await openAccounts(t, { directory: await testSlapd(t) })
  const { id } = await take('createServiceAccount', { body: { name: 'mail', description: 'Post' } })
  await page.reload()
  await sees(page, 'Post')
  await sees(page, 'Not known')
  await page.locator('[role=row][data-index]').click()
  await press(page, 'Show the rules for OpenLDAP')
  const { ldif } = await take('getServiceAccountRules', { params: { id } })
  t.equal(await shownAs(page, 'For ldapmodify; adapt the name of the database'), ldif)
  await byName(page, 'textbox', 'Description').fill('Mail')
  await press(page, 'Save')
  await sees(page, 'mail is changed')
  t.match((await take('listServiceAccounts')).accounts, [{ description: 'Mail' }])
})

t.test('who may not see it does not find the page', { skip: browserMissing }, async (t) => {
  const service = await consoleService(t)
  const { password } = await service.person('li.na', { roleIds: [2] })
  const { page } = await service.open('/service-accounts', { expected: [refusals] })
  await signInOn(page, 'li.na', password)
  await page.waitForSelector('.frame-menu a')
  t.equal(await page.$('.frame-menu a[href$="/service-accounts"]'), null)
})
