import { sql } from 'drizzle-orm'
import type { Page } from 'puppeteer-core'
import t from 'tap'
import { en } from '../../src/console/locales/en.ts'
import { browserMissing } from '../browser.ts'
import { adminPassword } from '../steward.ts'
import { consoleService, fieldOf, press, refusals, sees, signInOn, type TestConsole } from './service.ts'

const field = async (page: Page, label: string): Promise<string> => {
  const input = await fieldOf(page, label).waitHandle()
  return input.evaluate((each) => (each as HTMLInputElement).value)
}

/** A record that has a form beside its list. */
interface Case {
  make(service: TestConsole): Promise<{ address: string; remove(): Promise<unknown> }>
  label: string
}

const cases: Readonly<Record<string, Case>> = {
  'a menu': {
    label: en.fields.title,
    make: async ({ take }) => {
      const { id } = await take('addMenu', { body: { name: 'hall', title: 'Hall', path: '/hall', component: 'Hall' } })
      return { address: `/menus?menu=${id}`, remove: () => take('deleteMenus', { body: { menuIds: [id] } }) }
    },
  },
  'an API entry': {
    label: en.fields.remark,
    make: async ({ take }) => {
      const body = { method: 'GET' as const, path: '/v1/hall', category: 'own', remark: 'of a hall' }
      const { id } = await take('addApi', { body })
      return { address: `/apis?entry=${id}`, remove: () => take('deleteApis', { body: { apiIds: [id] } }) }
    },
  },
  'a device': {
    label: en.fields.location,
    make: async ({ take, db }) => {
      await db.execute(sql`update sessions set stepped_up_at = now()`)
      const { id } = await take('registerDevice', { body: { name: 'Lamp', type: 'lamp', location: 'Hall' } })
      return { address: `/security/devices?device=${id}`, remove: () => take('removeDevice', { params: { id } }) }
    },
  },
}

t.test('what was typed stays when its record was deleted meanwhile', { skip: browserMissing }, async (t) => {
  const service = await consoleService(t, { directory: 'none' })
  const { page } = await service.open('/', { expected: [refusals, /status of 404/], axe: false })
  await signInOn(page, 'admin', adminPassword)
  await sees(page, en.nav.home)
  for (const [name, { make, label }] of Object.entries(cases)) {
    const { address, remove } = await make(service)
    // Not by `goto`, which asks about what was typed before.
    await page.goto('about:blank')
    await page.goto(`${service.url}/console${address}`)
    await fieldOf(page, label).fill('was typed')
    await remove()
    await press(page, en.actions.save)
    await sees(page, en.states.deletedMeanwhile)
    t.equal(await field(page, label), 'was typed', name)
    await page.keyboard.press('Escape')
    await press(page, en.forms.leave)
    await page.waitForFunction(() => document.querySelector('[role=dialog]') === null)
  }
})
