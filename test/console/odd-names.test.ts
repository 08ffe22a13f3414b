import t from 'tap'
import { isolated, isolating } from '../../src/console/app/isolated.ts'
import { people } from '../../src/console/locales/en/people.ts'
import { en } from '../../src/console/locales/en.ts'
import { isTypedAs } from '../../src/console/ui/typed-as.ts'
import { browserMissing } from '../browser.ts'
import { adminPassword } from '../steward.ts'
import { consoleService, press, sees, signInOn } from './service.ts'

t.test('a name in a sentence turns the direction of nothing beside it', async (t) => {
  t.equal(isolated('Zoë 张 <b>'), 'Zoë 张 <b>', 'what turns nothing is as it was')
  t.equal(isolated('مرحبا'), '\u2068مرحبا\u2069')
  t.equal(isolated('\u202elive'), '\u2068live\u2069', 'a mark that forces a direction is left out')
  t.equal(isolated('\u2069\u202elive'), '\u2068live\u2069', 'so is one that would end the isolation')
  t.equal(isolated(isolated('مرحبا')), '\u2068\u2068مرحبا\u2069\u2069', 'what is isolated within it stays so')
  const texts = isolating({
    plain: 'As it is',
    of: { named: (names: readonly string[], n: number) => `${names}: ${n}` },
  })
  t.equal(texts.plain, 'As it is')
  t.equal(texts.of.named(['a', 'שלום'], 3), 'a,\u2068שלום\u2069: 3')
})

t.test('a name is typed as it is seen', async (t) => {
  t.ok(isTypedAs(' Hall ', 'Hall'))
  t.ok(isTypedAs('Research Hall', 'Research\u00a0 Hall\u200b'), 'spaces of platforms, and what has no width')
  t.ok(isTypedAs('live', '\u202elive'))
  t.notOk(isTypedAs('hall', 'Hall'), 'small letters are others')
  t.notOk(isTypedAs('', '\u200b'), 'nothing is not a name')
  t.notOk(isTypedAs('Hal', 'Hall'))
})

t.test('a question names a person whose name has such a mark', { skip: browserMissing }, async (t) => {
  const { take, open } = await consoleService(t, { directory: 'none' })
  const more = { mail: '', mobile: '', jobNumber: '', roleIds: [2], departmentId: [] }
  const { id } = await take('addUser', {
    body: { username: 'turns', nickname: '\u202elive', password: 'a password of theirs', ...more },
  })
  const { page } = await open(`/people?person=${id}&tab=sign-in`, { expected: [/status of 401/], axe: false })
  await signInOn(page, 'admin', adminPassword)
  await press(page, en.actions.delete)
  await sees(page, people.bulk.consequences.delete(1))
  const titles = await page.$$eval('[role=dialog] h2', (all) => all.map(({ textContent }) => textContent))
  t.equal(titles.at(-1), `Delete \u2068live\u2069`)
})
