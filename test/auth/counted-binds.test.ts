import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { type CountedBindsOptions, countedBinds, refusedAfter } from '../../src/auth/counted-binds.ts'

// How a bind that is refused ends, with a throttle that says what the test wants.

const ann = {
  account: 'ann',
  dnKey: 'uid=ann,ou=people,dc=example,dc=org',
  entryDn: 'uid=ann,ou=people,dc=example,dc=org',
  isService: false,
  address: '192.0.2.1',
}

const opened = (throttle: CountedBindsOptions['throttle'], isKnown: boolean) => {
  const notes: string[] = []
  const bind = countedBinds({
    throttle,
    known: { has: async () => isKnown, note: async () => {} },
    journal: { note: ({ summary }) => void notes.push(summary) },
    admits: () => true,
  })
  const refused = async () => {
    const started = performance.now()
    const isRight = await bind(ann, async () => false)
    return { isRight, milliseconds: performance.now() - started, notes }
  }
  return refused
}

/** One that makes every attempt. */
const making: CountedBindsOptions['throttle']['attempt'] = async ({ failing }, check) => {
  const result = await check()
  if (result === null) await failing?.()
  return { kind: 'made', result }
}

const wrong = { isRight: false, notes: [/wrong password$/] }

t.test('a refusal is recorded although the database does not say what strangers are told', async (t) => {
  const refused = opened(
    {
      attempt: making,
      waitAs: () => Promise.reject(new Error('the database is away')),
    },
    true,
  )
  const { milliseconds, ...rest } = await refused()
  t.match(rest, wrong, 'and told as any other')
  t.ok(milliseconds >= refusedAfter - 50, 'as late as the latest')
})

t.test('the time that it takes to find a lock does not show', async (t) => {
  const [locked, checked] = await Promise.all([
    opened(
      {
        attempt: async () => {
          await sleep(600)
          return { kind: 'locked', until: new Date() }
        },
        waitAs: async () => 'locked',
      },
      false,
    )(),
    opened(
      {
        attempt: making,
        waitAs: async () => 'locked',
      },
      true,
    )(),
  ])
  t.match(locked, { isRight: false, notes: [/locked$/] })
  t.match(checked, wrong)
  t.ok(Math.abs(locked.milliseconds - checked.milliseconds) < 300, 'a stranger and one who is known are told alike')
})
