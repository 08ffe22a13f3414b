import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { calls, type OperationId } from '../../src/console/generated/calls.ts'
import { browserMissing } from '../browser.ts'
import { mailed } from '../mail/mailed.ts'
import { sampleOf } from '../nightly.ts'
import { adminPassword } from '../steward.ts'
import { failedCall, faults, type Injector, injectFaults } from './fault-injection.ts'
import {
  byName,
  codeOf,
  consoleService,
  fill,
  press,
  sees,
  shownSecret,
  signInOn,
  type TestConsole,
  typeOver,
} from './service.ts'

/** A form, and how it is filled in and sent. */
interface FormCase {
  operation: OperationId
  /** Opens the form and fills it in. */
  fill(): Promise<unknown>
  /** The name of the button that sends it. */
  submit: string
  /** What the page says when it is done. */
  done: string | RegExp
  /** The button asks first, and is pressed in that question once more. */
  asks?: true
  /** It shows something once, which is left by this button. */
  kept?: string
  /** Which calls of the operation are meant, where the form also asks for a preview. */
  isMeant?(body: unknown): boolean
}

/** Done by a button alone: nothing was typed that could be lost. */
const buttons: readonly OperationId[] = [
  'addGroupUsers',
  'adoptOrphans',
  'checkSecurity',
  'closeConsoleSession',
  'compareDirectory',
  'changeGroupLayout',
  'confirmRun',
  'createBackup',
  'cleanOperationLogs',
  'deleteApis',
  'deleteBackup',
  'deleteFieldRelations',
  'deleteGroups',
  'deleteMenus',
  'deleteOperationLogs',
  'deleteRoles',
  'disableSecondFactor',
  'discardRun',
  'endOwnSession',
  'endOldServicePassword',
  'endUserSession',
  'handleAlert',
  'handleAlerts',
  'heedOrphans',
  'ignoreOrphans',
  'removeAttribute',
  'removeDevice',
  'removeGroupUsers',
  'removeMySshKey',
  'removePersonSshKey',
  'removeServiceAccount',
  'renewRecoveryCodes',
  'resetSecondFactor',
  'resetUserPassword',
  'resetUserPasswords',
  'restoreBackup',
  'retryDepartment',
  'retryPerson',
  'rotateServicePassword',
  'sendSignInCode',
  'sendStepUpCode',
  'setDeviceStatus',
  'setMealStatus',
  'startDryRun',
  'unlockUser',
  'verifyLog',
]

/** Every operation that the console's code calls to change something. */
const changesInCode = (): OperationId[] => {
  const isOperation = (id: string): id is OperationId => id in calls
  const files = readdirSync('src/console', { recursive: true, encoding: 'utf8' })
  const named = files
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('generated'))
    .flatMap((file) => [
      ...readFileSync(join('src/console', file), 'utf8').matchAll(/\b(?:useChange|call)\(\s*'(\w+)'/g),
    ])
    .map(([, id]) => String(id))
  return [...new Set(named)].filter(isOperation).filter((id) => calls[id].method !== 'GET')
}

const openPages = async (t: Test, service: TestConsole) => {
  const { open, url, db } = service
  const signedIn = async (username: string, password: string) => {
    const { page } = await open('/', { expected: [failedCall] })
    await signInOn(page, username, password)
    await page.waitForSelector('#main h1')
    // What needs a second factor has one.
    await db.execute(sql`update sessions set stepped_up_at = now()`)
    return { page, injector: await injectFaults(page) }
  }
  const signedOut = async () => {
    const { page } = await open('/', { expected: [failedCall] })
    return { page, injector: await injectFaults(page) }
  }
  const go = async (page: Page, path: string): Promise<void> => {
    await page.goto('about:blank')
    await page.goto(`${url}/console${path}`)
  }
  return { signedIn, signedOut, go, t }
}

const [sshKey = ''] = readFileSync(new URL('../fixtures/ssh-keys/keys.pub', import.meta.url), 'utf8').split('\n')

/** At once, as people do: puppeteer's own way does not reach the page with a text of this length. */
const pasteKey = async (page: Page): Promise<void> => {
  await byName(page, 'textbox', 'Public key').click()
  await page.keyboard.sendCharacter(sshKey)
}

/** All that was entered: in the form of the button, or beside it where there is no form. */
const enteredIn = (page: Page, submit: string): Promise<unknown[]> =>
  page.evaluate((name) => {
    const button = [...document.querySelectorAll('button')].findLast(({ innerText }) => innerText.trim() === name)
    const form = button?.closest('form, aside, section')
    return [...(form?.querySelectorAll('input, textarea, .mantine-Pill-label, .changes') ?? [])].map((each) =>
      each instanceof HTMLInputElement && each.type === 'checkbox'
        ? each.checked
        : each instanceof HTMLInputElement || each instanceof HTMLTextAreaElement
          ? each.value
          : each.textContent,
    )
  }, submit)

const send = async (page: Page, submit: string): Promise<void> => {
  // The form on top is the last one, and its button is free again once the answer is here.
  const button = await page.waitForFunction(
    (name) =>
      [...document.querySelectorAll('button')].findLast(
        ({ innerText, disabled, dataset }) => innerText.trim() === name && !disabled && dataset.loading === undefined,
      ),
    {},
    submit,
  )
  await button.asElement()?.evaluate((each) => (each as HTMLButtonElement).click())
}

const tryForm = async (t: Test, page: Page, injector: Injector, form: FormCase): Promise<void> => {
  await form.fill()
  const typed = await enteredIn(page, form.submit)
  t.ok(typed.length > 0, 'something is entered')
  const submit = async (): Promise<void> => {
    await send(page, form.submit)
    if (form.asks) await page.locator('[role=dialog] form:not(:has(input, textarea)) button[type=submit]').click()
  }
  const every = faults.map(({ name }) => name)
  const names = sampleOf(t, `failures of ${form.operation}`, every, 2)
  for (const fault of faults.filter(({ name }) => names.includes(name))) {
    const next = injector.failNext(form.operation, fault, form.isMeant?.bind(form))
    await submit()
    await sees(page, fault.says)
    t.ok(next.came, `${fault.name}: the call failed`)
    t.ok(await page.$('[role=alert]'), `${fault.name}: it is announced`)
    t.strictSame(await enteredIn(page, form.submit), typed, `${fault.name}: what was entered is there`)
  }
  await submit()
  await sees(page, form.done)
  if (form.kept !== undefined) await press(page, form.kept)
}

t.test('whatever fails, a form keeps what was typed and can be sent again', { skip: browserMissing }, async (t) => {
  const service = await consoleService(t, { env: { POSIX_ACCOUNTS: 'groups' } })
  const { take, person, db } = service
  const { signedIn, signedOut, go } = await openPages(t, service)
  const group = async (groupName: string, parentId = 0): Promise<number> =>
    (await take('addGroup', { body: { groupName, groupType: 'cn', parentId, remark: '' } })).id
  const tried = new Set<OperationId>()
  const run = async (t: Test, { page, injector }: { page: Page; injector: Injector }, forms: FormCase[]) => {
    for (const form of forms) {
      tried.add(form.operation)
      await t.test(form.operation, (t) => tryForm(t, page, injector, form))
    }
  }

  await t.test('of an administrator', async (t) => {
    const admin = await signedIn('admin', adminPassword)
    const { page } = admin
    const { id: cook } = await person('cook')
    const { id: leaver } = await person('leaver')
    const kitchen = await group('Kitchen', await group('North'))
    const role = await take('addRole', { body: { name: 'Desk', keyword: 'desk', remark: '', sort: 5, status: 1 } })
    const tick = async (tab: string) => {
      await go(page, `/roles/${role.id}?tab=${tab}`)
      await page.waitForSelector('.editor [role=treeitem]')
      await page.focus('.editor [role=treeitem]')
      await page.keyboard.press('Space')
      await sees(page, 'Added: ')
    }
    const isNoPreview = (body: unknown) => (body as { dryRun?: boolean }).dryRun !== true
    await run(t, admin, [
      {
        operation: 'addUser',
        fill: async () => {
          await go(page, '/people?hire=true')
          await fill(page, 'Display name', 'Wang Wei')
          await fill(page, 'User name', 'wang.wei')
        },
        submit: 'Add',
        done: 'The person was added',
      },
      {
        operation: 'updateUser',
        fill: async () => {
          await go(page, `/people?person=${cook}`)
          await fill(page, 'Job title', 'Cook')
        },
        submit: 'Save',
        done: 'Saved',
      },
      {
        operation: 'changePeople',
        fill: async () => {
          await go(page, `/people?person=${leaver}&tab=sign-in`)
          await press(page, 'Delete')
          await fill(page, 'Type “leaver” to confirm', 'leaver')
        },
        submit: 'Delete',
        done: 'leaver was deleted',
        isMeant: isNoPreview,
      },
      {
        operation: 'moveDepartment',
        fill: async () => {
          await go(page, `/people?department=${kitchen}`)
          await press(page, 'Move to…')
          // The picker has the focus, and its list is open.
          await page.waitForSelector('[role=listbox]')
          await press(page, 'To the top', 'switch')
          await sees(page, 'This moves 1 department')
        },
        submit: 'Move',
        done: 'Kitchen is at the top now',
        isMeant: isNoPreview,
      },
      {
        operation: 'addGroup',
        fill: async () => {
          await go(page, '/groups?new=0')
          await fill(page, 'Name', 'Bakery')
        },
        submit: 'Save',
        done: 'Bakery was created',
      },
      {
        operation: 'updateGroup',
        fill: async () => {
          await go(page, `/groups?group=${kitchen}`)
          await fill(page, 'Description', 'Cooks for all')
        },
        submit: 'Save',
        done: 'Kitchen was saved',
      },
      {
        operation: 'declareAttribute',
        fill: async () => {
          await db.execute(sql`update sessions set stepped_up_at = now()`)
          await go(page, '/attributes?new=true')
          await fill(page, 'Label in English', 'Cost centre')
          await fill(page, 'Label in Chinese', '成本中心')
          await fill(page, 'Name', 'costCentre')
        },
        submit: 'Declare',
        done: 'Cost centre is declared',
      },
      {
        operation: 'updateAttribute',
        fill: async () => {
          const { attributes } = await take('listAttributes')
          await go(page, `/attributes?attribute=${attributes[0]?.id}`)
          await fill(page, 'Label in English', 'Cost center')
        },
        submit: 'Save',
        done: 'Cost center is changed',
      },
      {
        operation: 'setPersonAttributes',
        fill: async () => {
          await go(page, `/people?person=${cook}`)
          await fill(page, 'Cost center', '4711')
        },
        submit: 'Save the attributes',
        done: 'The attributes are saved',
      },
      {
        operation: 'setDepartmentAttributes',
        fill: async () => {
          await take('declareAttribute', {
            body: { kind: 'group', name: 'floor', labels: { en: 'Floor', 'zh-CN': '楼层' }, type: 'text' },
          } as never)
          await go(page, `/groups?group=${kitchen}`)
          await fill(page, 'Floor', 'second')
        },
        submit: 'Save the attributes',
        done: 'The attributes are saved',
      },
      {
        operation: 'addPersonSshKey',
        fill: async () => {
          await go(page, `/people?person=${cook}&tab=hosts`)
          await press(page, 'Add a key')
          await fill(page, 'Name', 'Desk')
          await pasteKey(page)
        },
        submit: 'Add a key',
        done: 'The key Desk was added',
      },
      {
        operation: 'setPersonPosix',
        fill: async () => {
          await go(page, `/people?person=${cook}&tab=hosts`)
          await press(page, 'Set a number')
          await fill(page, 'Number', '10412')
        },
        submit: 'Set a number',
        done: 'The number was set',
      },
      {
        operation: 'setDepartmentPosix',
        fill: async () => {
          await go(page, `/groups?group=${kitchen}&tab=posix`)
          await press(page, 'Set a number')
          await fill(page, 'Number', '10413')
        },
        submit: 'Set a number',
        done: 'The number was set',
      },
      {
        operation: 'createServiceAccount',
        fill: async () => {
          await go(page, '/service-accounts?new=true')
          await fill(page, 'Name', 'wiki')
        },
        submit: 'Create an account',
        done: 'The password is shown once',
        kept: 'Kept it: close',
      },
      {
        operation: 'updateServiceAccount',
        fill: async () => {
          const { accounts } = await take('listServiceAccounts')
          await go(page, `/service-accounts?account=${accounts[0]?.id}`)
          await fill(page, 'Description', 'The wiki of the editors')
        },
        submit: 'Save',
        done: 'wiki is changed',
      },
      {
        operation: 'addRole',
        fill: async () => {
          await go(page, '/roles?new=1')
          await fill(page, 'Name', 'Auditor')
          await fill(page, 'Keyword', 'auditor')
          await fill(page, 'Rank', '6')
        },
        submit: 'Save',
        done: 'Auditor was created',
      },
      {
        operation: 'updateRole',
        fill: async () => {
          await go(page, `/roles/${role.id}`)
          await fill(page, 'Description', 'Helps')
        },
        submit: 'Save',
        done: 'Desk was saved',
      },
      { operation: 'updateRoleApis', fill: () => tick('operations'), submit: 'Save changes', done: 'Saved' },
      { operation: 'updateRoleMenus', fill: () => tick('menus'), submit: 'Save changes', done: 'Saved' },
      {
        operation: 'addMenu',
        fill: async () => {
          await go(page, '/menus?new=0')
          await fill(page, 'Title', 'Orders')
          await fill(page, 'Name', 'Orders')
          await fill(page, 'Path', '/orders')
          await fill(page, 'Component', '/orders/index')
        },
        submit: 'Save',
        done: 'Orders was created',
      },
      {
        operation: 'updateMenu',
        // The menu that was just made is open.
        fill: () => fill(page, 'Path', '/all-orders'),
        submit: 'Save',
        done: 'Orders was saved',
      },
      {
        operation: 'addApi',
        fill: async () => {
          await go(page, '/apis?new=1')
          await fill(page, 'Path', '/orders')
          // The list behind it is filtered by one of this name.
          await byName(page, 'textbox', 'Category').fill('orders')
        },
        submit: 'Save',
        done: 'The entry was created',
      },
      {
        operation: 'updateApi',
        fill: () => byName(page, 'textbox', 'Category').fill('all orders'),
        submit: 'Save',
        done: 'The entry was saved',
      },
      {
        operation: 'registerDevice',
        fill: async () => {
          await go(page, '/security/devices?new=true')
          await fill(page, 'Name', 'Door')
          await fill(page, 'Kind', 'sensor')
        },
        submit: 'Save',
        done: 'Door is registered',
        kept: 'Kept it: close',
      },
      {
        operation: 'updateDevice',
        fill: async () => {
          const [device] = await db.execute<{ id: string }>(sql`select id from devices`)
          await go(page, `/security/devices?device=${device?.id}`)
          await fill(page, 'Location', 'Entrance')
        },
        submit: 'Save',
        done: 'Door is changed.',
      },
      {
        operation: 'callForHelp',
        fill: async () => {
          await go(page, '/security?call=true')
          await fill(page, 'What it is', 'Fire')
          await fill(page, 'What happened', 'in the kitchen')
        },
        submit: 'Call for help now',
        asks: true,
        done: 'The alert is raised.',
      },
      {
        operation: 'updateFieldRelation',
        fill: async () => {
          await db.execute(sql`update sessions set stepped_up_at = now()`)
          await go(page, '/sources/exta')
          await typeOver(page, 'Display name', '"N" ?? name')
        },
        submit: 'Save',
        done: 'The field relation is saved',
      },
      {
        operation: 'addFieldRelation',
        fill: async () => {
          const relations = await take('listFieldRelations')
          const ids = relations.filter(({ flag }) => flag === 'exta_user').map(({ id }) => id)
          await db.execute(sql`update sessions set stepped_up_at = now()`)
          await take('deleteFieldRelations', { body: { fieldRelationIds: ids } })
          await go(page, '/sources/exta')
          await byName(page, 'combobox', 'Add a field').click()
          await press(page, 'User name', 'option')
          await typeOver(page, 'User name', 'userid')
        },
        submit: 'Save',
        done: 'The field relation is saved',
      },
    ])
  })

  await t.test('of a user, for their own account', async (t) => {
    const { password, id } = await person('li.na', { roleIds: [2] })
    const user = await signedIn('li.na', password)
    const { page } = user
    const recoveryCodes: string[] = []
    await run(t, user, [
      {
        operation: 'savePlan',
        fill: async () => {
          await go(page, '/diet?tab=plan')
          await press(page, 'Add a meal')
          await fill(page, 'Name of the meal', 'Breakfast')
          await fill(page, 'Food 1 of Breakfast', 'egg')
          await fill(page, 'Amount of egg', '2 pieces')
          // Until the food is found in the catalogue, its own figures are asked for.
          await sees(page, '143 kcal')
        },
        submit: 'Save',
        done: 'Saved',
      },
      {
        operation: 'updateMeal',
        fill: async () => {
          await go(page, '/diet')
          await press(page, 'Adjust Breakfast')
          await fill(page, 'Name of the meal', 'Late breakfast')
        },
        submit: 'Save',
        done: 'Late breakfast',
      },
      {
        operation: 'updateMe',
        fill: async () => {
          await go(page, '/me')
          await fill(page, 'Name', 'Li Na')
        },
        submit: 'Save',
        done: 'Saved',
      },
      {
        operation: 'setMyAttributes',
        fill: async () => {
          await take('declareAttribute', {
            body: { kind: 'user', name: 'nick', labels: { en: 'Nick', 'zh-CN': '昵称' }, type: 'text', own: 'edit' },
          } as never)
          await go(page, '/me')
          await fill(page, 'Nick', 'Nana')
        },
        submit: 'Save the attributes',
        done: 'The attributes are saved',
      },
      {
        operation: 'addMySshKey',
        fill: async () => {
          await go(page, '/me?tab=keys')
          await press(page, 'Add a key')
          await fill(page, 'Name', 'Laptop')
          await pasteKey(page)
        },
        submit: 'Add a key',
        done: 'The key Laptop was added',
      },
      {
        operation: 'sendMailProof',
        fill: async () => {
          await go(page, '/me')
          await fill(page, 'New address', 'li.na@example.org')
        },
        submit: 'Mail a code to it',
        done: 'A code was sent to',
      },
      {
        operation: 'confirmMail',
        fill: async () => {
          await fill(page, 'Code from the mail', await mailed(service, 'li.na@example.org', /code is (\d{6})\./))
        },
        submit: 'Change the address',
        done: 'The address was changed',
      },
      {
        operation: 'enrolTotp',
        fill: async () => {
          await go(page, '/me?tab=secondFactor')
          await press(page, 'Set up an app')
          await fill(page, 'Current password', password)
        },
        submit: 'Next',
        done: 'Or enter this key in the app',
      },
      {
        operation: 'confirmTotp',
        fill: async () => {
          await fill(page, 'Code of the app', codeOf(await shownSecret(page)))
        },
        submit: 'Confirm',
        done: 'Keep your recovery codes',
      },
      {
        operation: 'stepUp',
        fill: async () => {
          recoveryCodes.push(
            ...(await page.$$eval('[role=dialog] code', (all) => all.map((each) => each.textContent ?? ''))),
          )
          await byName(page, 'checkbox', 'I have stored them in a safe place').click()
          await press(page, 'Go on')
          await sees(page, 'An authenticator app is set up')
          await db.execute(sql`update sessions set stepped_up_at = null where user_id = ${id}`)
          await press(page, 'New recovery codes')
          await page.locator('[role=dialog] button[type=submit]').click()
          await sees(page, 'Confirm your identity')
          await fill(page, 'Code', recoveryCodes[0] ?? '')
        },
        submit: 'Confirm',
        done: 'Keep your recovery codes',
      },
      {
        operation: 'changeOwnPassword',
        fill: async () => {
          await byName(page, 'checkbox', 'I have stored them in a safe place').click()
          await press(page, 'Go on')
          await go(page, '/me?tab=password')
          await fill(page, 'Current password', password)
          await fill(page, 'New password', 'a river of my own 7')
        },
        submit: 'Change the password',
        done: 'The password was changed',
      },
    ])
  })

  await t.test('of the sign-in', async (t) => {
    const visitor = await signedOut()
    const { page } = visitor
    const { id, password } = await person('new.here', { roleIds: [2] })
    await db.execute(sql`update users set mail = 'new.here@example.org' where id = ${id}`)
    await db.execute(sql`update sessions set stepped_up_at = now()`)
    const reset = (way: 'shown' | 'link') => take('resetUserPassword', { params: { id }, body: { way } } as never)
    const linkToken = async (): Promise<string> => {
      await reset('link')
      return mailed(service, 'new.here@example.org', /\/console\/password#([\w-]{43})/)
    }
    await run(t, visitor, [
      {
        operation: 'sendCode',
        fill: async () => {
          await go(page, '/forgot')
          await fill(page, 'Mail address', 'new.here@example.org')
        },
        submit: 'Mail me a code',
        done: 'a code was sent to',
      },
      {
        operation: 'changePasswordByCode',
        fill: async () => {
          await fill(page, 'Code', await mailed(service, 'new.here@example.org', /code is (\d{6})\./))
          await fill(page, 'New password', `${password} again`)
        },
        submit: 'Set the password',
        done: 'The password was set',
      },
      {
        operation: 'setPasswordByLink',
        fill: async () => {
          await go(page, `/password#${await linkToken()}`)
          await fill(page, 'New password', `${password} once more`)
          await fill(page, 'Repeat the new password', `${password} once more`)
        },
        submit: 'Set the password',
        done: 'The password was set',
      },
      {
        operation: 'openConsoleSession',
        fill: async () => {
          const { password: shown } = (await reset('shown')) as { password: string }
          await go(page, '/')
          await fill(page, 'User name', 'new.here')
          await fill(page, 'Password', shown)
        },
        submit: 'Sign in',
        done: 'Choose a new password',
      },
      {
        operation: 'openConsoleSession',
        fill: async () => {
          await fill(page, 'New password', 'a river of my own 7')
          await fill(page, 'Repeat the new password', 'a river of my own 7')
        },
        submit: 'Set the password and sign in',
        done: 'Home',
      },
    ])
  })

  await t.test('no form of the console is left out', async (t) => {
    const known = new Set([...tried, ...buttons])
    t.same(
      changesInCode().filter((id) => !known.has(id)),
      [],
    )
    const called = new Set(changesInCode())
    t.same(
      [...buttons].filter((id) => !called.has(id) || tried.has(id)),
      [],
    )
  })
})
