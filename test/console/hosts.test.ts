import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import type { Browser, Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { openDirectory } from '../../src/ldap/directory.ts'
import { loadSecrets } from '../../src/secrets/secrets.ts'
import { browserMissing, startBrowser } from '../browser.ts'
import { silent, testDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { adminPassword, type TestStewardOptions } from '../steward.ts'
import { byName, codeOf, consoleService, fill, press, refusals, sees, signInOn, typeOver } from './service.ts'

// What hosts and applications read in the directory, and people set in the console: SSH keys, POSIX accounts and groups, and
// the places of groups.

const [first = '', second = '', , , , weak = ''] = readFileSync(
  new URL('../fixtures/ssh-keys/keys.pub', import.meta.url),
  'utf8',
).split('\n')
const withoutComment = (line: string): string => line.split(' ').slice(0, 2).join(' ')
const fingerprint = 'SHA256:1ii3z78U1EWfWsrtAKnjC0AW45E1wQ0ux8MKdYx4mFE'

/** The service, a look into its directory, and a page on which someone signs in. */
const office = async (t: Test, options: TestStewardOptions & { browser: Browser }) => {
  const service = await consoleService(t, options)
  const { address } = service.mirror
  if (address === null) throw new Error('The service has no directory')
  const bindPassword = loadSecrets(service.config.dataDir, service.config).directoryPassword
  const directory = openDirectory({ ...address, bindPassword, ca: null, startTls: false, timeout: 5000, log: silent })
  t.teardown(() => directory.close())
  const valuesOf = async (rdns: string, ...names: string[]): Promise<string[]> => {
    const entry = await directory.read(`${rdns},${address.baseDn}`, names)
    return names.flatMap((name) => entry?.attributes[name] ?? [])
  }
  const openAs = async (test: Test, path: string, username = 'admin', password = adminPassword): Promise<Page> => {
    const { page } = await service.open(path, { test, expected: [refusals] })
    await signInOn(page, username, password)
    await page.waitForSelector('#main h1')
    return page
  }
  const isThere = async (dn: string): Promise<boolean> => (await directory.read(dn, [])) !== null
  return { ...service, baseDn: address.baseDn, valuesOf, openAs, isThere }
}

const answer = (page: Page) => page.locator('[role=dialog] form button[type=submit]').click()

/** Puts a text in the place of the key, all at once. */
const paste = async (page: Page, text: string): Promise<void> => {
  await byName(page, 'textbox', 'Public key').click()
  await page.keyboard.down('Control')
  await page.keyboard.press('a')
  await page.keyboard.up('Control')
  await page.keyboard.sendCharacter(text)
}

/** What stands at a field as wrong. */
const problemAt = async (page: Page, field: 'key' | 'number'): Promise<string> => {
  const problem = await page.waitForSelector(`[data-field=${field}] .mantine-InputWrapper-error`)
  return problem?.evaluate((shown) => shown.textContent ?? '') ?? ''
}

const typedIn = (page: Page, label: string): Promise<string> =>
  byName(page, 'textbox', label)
    .map((field) => (field as HTMLInputElement | HTMLTextAreaElement).value)
    .wait()

t.test('hosts and groups in the console', { skip: browserMissing }, async (t) => {
  const browser = await startBrowser(t)
  const database = await testDatabase(t)
  const shared = { browser, database, dataDir: t.testdir() }
  const s = await office(t, { ...shared, env: { POSIX_ACCOUNTS: 'groups', POSIX_NUMBERS: '5000-5999' } })
  const { id: crew } = await s.take('addGroup', { body: { groupName: 'Crew', groupType: 'cn', parentId: 0 } })
  const { id: deck } = await s.take('addGroup', { body: { groupName: 'Deck', groupType: 'cn', parentId: crew } })
  const ann = await s.person('ann', { roleIds: [2], departmentId: [deck] })
  const keysOf = (username: string) => s.valuesOf(`uid=${username},ou=people`, 'sshPublicKey')

  await t.test('a person adds a key, is refused bad ones at the field, and removes it', async (t) => {
    const page = await s.openAs(t, '/me?tab=keys', 'ann', ann.password)
    await sees(page, 'those that the entry in the directory has from other tools are taken over')
    await press(page, 'Add a key')
    await fill(page, 'Name', 'Laptop')
    for (const [bad, why] of [
      [`command="reboot" ${first}`, /without options/],
      [weak, /too weak/],
      ['ssh-dss AAAAB3NzaC1kc3M=', /must be an ed25519, ecdsa or rsa key/],
      [first.slice(0, 60), /not a complete public key/],
    ] as const) {
      await paste(page, bad)
      await press(page, 'Add a key')
      t.match(await problemAt(page, 'key'), why)
      t.equal(await typedIn(page, 'Public key'), bad)
      t.equal(await typedIn(page, 'Name'), 'Laptop')
    }
    t.same(await keysOf('ann'), [])
    // As it is pasted from a file, with its comment and the end of its line.
    await paste(page, `${first}\n`)
    await press(page, 'Add a key')
    await sees(page, fingerprint)
    await sees(page, /ssh-ed25519, 256 bits · added/)
    t.same(await keysOf('ann'), [withoutComment(first)])

    await press(page, 'Add a key')
    await fill(page, 'Name', 'The same')
    await paste(page, first)
    await press(page, 'Add a key')
    t.match(await problemAt(page, 'key'), /already there/)
    await press(page, 'Cancel')

    await press(page, 'Remove the key Laptop')
    await sees(page, 'do not let you in with it any more')
    t.same(await keysOf('ann'), [withoutComment(first)], 'nothing is removed before it is confirmed')
    await answer(page)
    await sees(page, 'The key Laptop was removed')
    await sees(page, 'No SSH keys here')
    t.notMatch(await page.evaluate(() => document.body.innerText), /are taken over/, 'only the first key ever does')
    t.same(await keysOf('ann'), [])
  })

  await t.test('an administrator gives a person a key, a group POSIX, and the person a number', async (t) => {
    const page = await s.openAs(t, `/people?person=${ann.id}&tab=hosts`)
    await s.db.execute(sql`update sessions set stepped_up_at = now()`)
    await sees(page, 'the person is in no group that has POSIX switched on')
    await press(page, 'Add a key')
    await fill(page, 'Name', 'Desk')
    await paste(page, second)
    await press(page, 'Add a key')
    await sees(page, /ecdsa-sha2-nistp256, 256 bits/)
    t.same(await keysOf('ann'), [withoutComment(second)])

    await press(page, 'Set a number')
    await fill(page, 'Number', '12')
    await press(page, 'Set a number')
    t.match(await problemAt(page, 'number'), /500/)
    await typeOver(page, 'Number', '10412')
    await press(page, 'Set a number')
    await sees(page, /User number \(uid\)\s+10412/)
    await page.waitForFunction(() => !document.body.innerText.includes('Set a number'))
    t.same(await s.valuesOf('uid=ann,ou=people', 'uidNumber'), [], 'a number alone is no account')

    await page.goto(`${s.url}/console/groups?group=${deck}&tab=posix`)
    await sees(page, 'Switched off')
    await press(page, 'Switch on')
    await sees(page, '1 member gets a POSIX account')
    await answer(page)
    await sees(page, 'Deck is a POSIX group now')
    const account = ['uidNumber', 'homeDirectory', 'loginShell'] as const
    await eventually(async () => (await s.valuesOf('uid=ann,ou=people', 'uidNumber')).length > 0, 'the account')
    t.same(await s.valuesOf('uid=ann,ou=people', ...account), ['10412', '/home/ann', '/bin/bash'])
    const [gid = ''] = await s.valuesOf('cn=Deck,cn=Crew', 'gidNumber')
    await sees(page, new RegExp(`Group number \\(gid\\)\\s+${gid}`))
    await page.goto(`${s.url}/console/people?person=${ann.id}&tab=hosts`)
    await sees(page, /In the directory[\s\S]*\/home\/ann\s+Login shell\s+\/bin\/bash/)

    await page.goto(`${s.url}/console/groups?group=${crew}&tab=posix`)
    await press(page, 'Set a number')
    await fill(page, 'Number', '10412')
    await press(page, 'Set a number')
    t.match(await problemAt(page, 'number'), /another person or group has or had this number/)
  })
  await s.close()

  await t.test('the groups of a directory get another layout', async (t) => {
    const s = await office(t, { ...shared, env: { LDAP_GROUP_LAYOUT: 'flat' } })
    const page = await s.openAs(t, '/directory')
    const { secret } = await s.take('enrolTotp', { body: { password: adminPassword } })
    await s.take('confirmTotp', { body: { code: codeOf(secret) } })
    const places = ['cn=Crew', 'cn=Deck,cn=Crew', 'cn=Crew,ou=groups', 'cn=Deck,ou=groups']
    const there = () => Promise.all(places.map((place) => s.isThere(`${place},${s.baseDn}`)))
    await sees(page, 'Now Nested; the setting wants Flat')
    await press(page, 'Show the plan: Main directory')
    await sees(page, '2 groups would get another DN')
    await sees(page, `All places are below ${s.baseDn}`)
    await sees(page, 'cn=Deck,ou=groups')
    t.same(await there(), [true, true, false, false], 'the plan moves nothing')

    // A group that came since is not in the plan that was looked at.
    await s.take('addGroup', { body: { groupName: 'DECK', groupType: 'cn', parentId: 0 } })
    await s.db.execute(sql`update sessions set stepped_up_at = null`)
    await press(page, 'Change to Flat')
    await sees(page, '2 groups get another DN')
    await press(page, 'Move 2 groups')
    await sees(page, 'Confirm your identity')
    t.same(await there(), [true, true, false, false], 'nor does it without the second factor')
    await fill(page, 'Code', codeOf(secret, 1))
    await answer(page)
    await sees(page, 'The plan was another one by then')
    await sees(page, '3 groups would get another DN')
    await sees(page, 'groups that get a number in the name of their entry, because another group has the name: 1')
    t.same(await there(), [true, true, false, false])

    await press(page, 'Change to Flat')
    await press(page, 'Move 3 groups')
    await sees(page, '3 groups moved.')
    await sees(page, 'All groups are at their places')
    t.same(await there(), [false, false, true, true])
    t.ok(await s.isThere(`cn=DECK2,ou=groups,${s.baseDn}`))
    t.same(await s.valuesOf('cn=Deck,ou=groups', 'member'), [`uid=ann,ou=people,${s.baseDn}`])
    await press(page, 'Close')
    await sees(page, 'Flat: all below ou=groups')
    t.match((await s.take('listDirectories')).directories, [{ directory: 1, layout: 'flat', wanted: 'flat' }])
  })
})
