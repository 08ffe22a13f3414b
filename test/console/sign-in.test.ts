import { sql } from 'drizzle-orm'
import t from 'tap'
import { browserMissing } from '../browser.ts'
import { adminPassword } from '../steward.ts'
import { byName, codeOf, consoleService, fill, press, refusals, sees, shownSecret, signInOn } from './service.ts'

const skip = browserMissing

t.test('a person signs in, and lands where the link led', { skip }, async (t) => {
  const { open } = await consoleService(t)
  const { page } = await open('/me?tab=password', { expected: [refusals] })
  await signInOn(page, 'admin', 'not the password')
  await sees(page, 'wrong')
  t.equal(
    await page.$eval('input[autocomplete=username]', (input) => (input as HTMLInputElement).value),
    'admin',
    'the name stays',
  )
  await fill(page, 'Password', adminPassword)
  await press(page, 'Sign in')
  await sees(page, 'Change the password')
  t.match(page.url(), /\/console\/me\?tab=password$/)
  const cookies = await page.browserContext().cookies()
  t.match(cookies, [{ httpOnly: true, sameSite: 'Strict' }])
  t.equal(await page.evaluate(() => document.cookie), '', 'no script sees the session')
  t.notMatch(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage })), /eyJ/, 'nor a token')

  await press(page, 'My account: Administrator')
  await press(page, 'Sign out', 'menuitem')
  await sees(page, 'Forgotten your password')
  t.same(await page.browserContext().cookies(), [])
})

t.test('a second factor: set up, asked for, lost', { skip }, async (t) => {
  const { open, person, call } = await consoleService(t)
  const { id, password } = await person('li.na', { roleIds: [2] })
  const { page } = await open('/me?tab=secondFactor', { expected: [refusals] })
  await signInOn(page, 'li.na', password)
  await press(page, 'Set up an app')
  await fill(page, 'Current password', password)
  await press(page, 'Next')
  const secret = await shownSecret(page)
  await fill(page, 'Code of the app', codeOf(secret, -1))
  await press(page, 'Confirm')
  await sees(page, 'Keep your recovery codes')
  const recoveryCode = await page.evaluate(
    () => [...document.querySelectorAll('[role=dialog] code')].map((each) => each.textContent ?? '').at(0) ?? '',
  )
  await byName(page, 'checkbox', 'I have stored them in a safe place').click()
  await press(page, 'Go on')
  await sees(page, 'An authenticator app is set up')

  const again = await open('/', { expected: [refusals] })
  await signInOn(again.page, 'li.na', password)
  await sees(again.page, 'Enter the code of your authenticator app')
  await fill(again.page, 'Code', '000000')
  await press(again.page, 'Go on')
  await sees(again.page, /wrong|valid/)
  await fill(again.page, 'Code', codeOf(secret))
  await press(again.page, 'Go on')
  await sees(again.page, 'Home')

  const lost = await open('/', { expected: [refusals] })
  await signInOn(lost.page, 'li.na', password)
  await sees(lost.page, 'Enter the code')
  await fill(lost.page, 'Code', recoveryCode)
  await press(lost.page, 'Go on')
  await sees(lost.page, 'Home')
  t.match(await call('getUserInfo', { token: 'none' }), { code: 401 })
  t.ok(id > 0)
})

t.test('who must have a second factor sets it up before anything else', { skip }, async (t) => {
  const { open, url } = await consoleService(t, { env: { SECOND_FACTOR: 'administrators' } })
  const { page } = await open('/people', { expected: [refusals] })
  await signInOn(page, 'admin', adminPassword)
  await sees(page, 'Your organisation requires a second factor')
  const { status } = await page.evaluate(async (address) => {
    const response = await fetch(`${address}/api/role/list`)
    const answer = (await response.json()) as { code: number }
    return { status: answer.code }
  }, url)
  t.equal(status, 403, 'the session opens nothing else')
  await fill(page, 'Current password', adminPassword)
  await press(page, 'Next')
  await fill(page, 'Code of the app', codeOf(await shownSecret(page)))
  await press(page, 'Confirm')
  await byName(page, 'checkbox', 'I have stored them in a safe place').click()
  await press(page, 'Go on')
  await sees(page, 'People')
  t.match(page.url(), /\/console\/people/)
})

t.test('a password that an administrator set is changed at the sign-in', { skip }, async (t) => {
  const { open, person, call, token, db } = await consoleService(t)
  const { id } = await person('new.here', { roleIds: [2] })
  await db.execute(sql`update sessions set stepped_up_at = now()`)
  const { code, data } = await call('resetUserPassword', { token, params: { id }, body: { way: 'shown' } } as never)
  t.equal(code, 200)
  const { page } = await open('/', { expected: [refusals] })
  await signInOn(page, 'new.here', String((data as { password: string }).password))
  await sees(page, 'Choose a new password')
  await fill(page, 'New password', 'a river of my own 7')
  await fill(page, 'Repeat the new password', 'a river of my own 8')
  await press(page, 'Set the password and sign in')
  await sees(page, 'The passwords are not the same')
  await fill(page, 'Repeat the new password', 'a river of my own 7')
  await press(page, 'Set the password and sign in')
  await sees(page, 'Home')
})

t.test('an account that is locked says until when', { skip }, async (t) => {
  const { open, person } = await consoleService(t)
  await person('forgetful', { roleIds: [2] })
  const { page } = await open('/', { expected: [refusals] })
  await fill(page, 'User name, mail address or mobile number', 'forgetful')
  const lock = /Too many failed attempts. Try again in \d+ (seconds|minutes)/
  for (let attempt = 0; attempt < 12; attempt++) {
    await fill(page, 'Password', `guess ${attempt}`)
    const answered = page.waitForResponse((response) => response.url().endsWith('/console/session'))
    await press(page, 'Sign in')
    if ((await answered).status() === 429) break
  }
  await sees(page, lock)
})

t.test('a session that ends elsewhere leaves what was typed', { skip }, async (t) => {
  const { open, person, call } = await consoleService(t)
  const { password, token } = await person('typing', { roleIds: [2] })
  const { page } = await open('/me', { expected: [refusals] })
  await signInOn(page, 'typing', password)
  await sees(page, 'Profile')
  await fill(page, 'Name', 'A long new name')
  const sessions = await call('listOwnSessions', { token })
  for (const { id, current } of (sessions as unknown as { data: { id: string; current: boolean }[] }).data) {
    if (!current) await call('endOwnSession', { token, params: { sessionId: id } } as never)
  }
  await press(page, 'Save')
  await sees(page, 'Your session has ended')
  await fill(page, 'Password', password)
  await press(page, 'Sign in')
  await page.waitForFunction(() => !document.body.innerText.includes('Your session has ended'))
  t.equal(await page.$eval('[data-field=name] input', (input) => (input as HTMLInputElement).value), 'A long new name')
  await press(page, 'Save')
  await sees(page, 'Saved')
})

t.test('two tabs: a sign-in in one is one in both, and so is a sign-out', { skip }, async (t) => {
  const { open, url } = await consoleService(t)
  const { page } = await open('/', { expected: [refusals] })
  const second = await page.browserContext().newPage()
  await second.goto(`${url}/console/me`)
  await sees(second, 'Forgotten your password')
  // A tab in the background draws nothing, so it cannot be pressed.
  await page.bringToFront()
  await signInOn(page, 'admin', adminPassword)
  await sees(page, 'Home')
  await sees(second, 'What I may do')
})
