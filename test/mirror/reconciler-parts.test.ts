import { mock } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { DirectoryError } from '../../src/ldap/directory-error.ts'
import { statements } from '../../src/ldap/statements.ts'
import { openAvailability, pauseAfter } from '../../src/mirror/availability.ts'
import { openComparison, openDriftReport } from '../../src/mirror/comparison/comparison.ts'
import { emptyRun, type Running } from '../../src/mirror/comparison/directory-run.ts'
import type { Recorded } from '../../src/mirror/ledger/record-in-one-trip.ts'
import { workLoop } from '../../src/mirror/loop.ts'
import type { Outcome } from '../../src/mirror/plan/outcome.ts'
import { openSleeper } from '../../src/mirror/sleeper.ts'
import type { RecordKind } from '../../src/mirror/touch.ts'
import { settler } from '../../src/mirror/writing/settle.ts'
import { type Logger, withDetails } from '../../src/runtime/log.ts'
import { quiet } from './quiet.ts'

const away = new DirectoryError('unavailable', 'connection refused')

const memory = (): { log: Logger; told: string[] } => {
  const told: string[] = []
  const note = (...args: unknown[]): void => void told.push(String(args.at(-1)))
  return { log: { ...quiet, info: note, warn: note, error: note } as Logger, told }
}

t.test('the pauses between attempts double from a quarter of a second to ten seconds', (t) => {
  t.strictSame([0, 1, 2, 3, 6, 7, 50].map(pauseAfter), [0, 250, 500, 1000, 8000, 10_000, 10_000])
  t.end()
})

t.test('a connection is greeted once, and anew where it was lost', async (t) => {
  let time = 1_000_000
  const greetings: number[] = []
  let answer: () => Promise<void> = async () => {}
  const availability = openAvailability({
    greet: () => answer(),
    greeted: (failures) => greetings.push(failures),
    now: () => time,
  })
  await Promise.all([availability.ready(), availability.ready()])
  await availability.ready()
  t.strictSame(greetings, [0], 'all callers wait for the same greeting')

  t.equal(availability.connected(), true)
  await availability.ready()
  t.strictSame(greetings, [0, 0], 'a new connection is greeted')

  t.equal(availability.lost(away.stated), true)
  t.equal(availability.pause(), 250)
  t.equal(availability.reason()?.text, 'connection refused')
  t.equal(availability.lost(statements.no_answer({ milliseconds: 5 })), false, 'only the first loss is news')
  t.equal(availability.pause(), 500)
  t.equal(availability.reason()?.code, 'ldap.no_answer')
  time += 300
  t.equal(availability.pause(), 200)
  time += 300
  t.equal(availability.pause(), 0)

  answer = async () => {
    throw away
  }
  await t.rejects(availability.ready(), away)
  t.strictSame(greetings, [0, 0], 'one that fails is not one')
  answer = async () =>
    void t.equal(availability.connected(), false, 'the connection that a greeting makes is greeted by it')
  await availability.ready()
  t.strictSame(greetings, [0, 0, 2])
  t.equal(availability.pause(), 0)
  await availability.ready()
  t.strictSame(greetings, [0, 0, 2])
  t.equal(availability.lost(away.stated), true, 'after a greeting a loss is news again')
  t.equal(availability.pause(), 250, 'and the pauses begin anew')
})

t.test('a clock that is set back prolongs no pause', async (t) => {
  let shown = Date.now()
  mock.method(Date, 'now', () => shown)
  t.teardown(() => mock.restoreAll())
  const availability = openAvailability({ greet: async () => {}, greeted: () => {} })
  availability.lost(new DirectoryError('unavailable', 'away').stated)
  shown -= 3_600_000
  t.ok(availability.pause() <= 250)
  t.ok(availability.pause() > 0, 'and ends none')
})

t.test('a directory that refuses the greeting is out of reach', async (t) => {
  const availability = openAvailability({
    greet: async () => {
      throw new DirectoryError('refused', 'no such base', { code: 32 })
    },
    greeted: () => t.fail('it was not greeted'),
  })
  await t.rejects(availability.ready(), { kind: 'unavailable', message: 'no such base', answered: false })
})

t.test('drift is told when something was repaired, and otherwise when it is not what was told last', (t) => {
  const reportOf = openDriftReport()
  const problem = { sourceId: '', name: 'cn=x', step: 'compare', reason: 'r', advice: 'a' } as const
  const run = (values: Partial<Running>): Running => ({ ...emptyRun(), ...values })
  t.equal(reportOf('user', run({ total: 5, unchanged: 5 })), null, 'nothing is nothing')
  const strangers = run({ skipped: 1, problems: [problem] })
  t.match(reportOf('user', strangers), { kind: 'user', skipped: 1, problems: [problem] })
  t.equal(reportOf('user', strangers), null, 'the same again')
  t.match(reportOf('group', strangers), { kind: 'group' }, 'of each kind')
  t.equal(
    reportOf('user', run({ unchanged: 9, skipped: 1, problems: [problem] })),
    null,
    'how many are equal is no news',
  )
  t.match(
    reportOf('user', run({ skipped: 1, problems: [{ ...problem, name: 'cn=y' }] })),
    { skipped: 1 },
    'another one',
  )
  t.match(reportOf('user', run({ added: 1 })), { added: 1 })
  t.match(reportOf('user', run({ added: 1 })), { added: 1 }, 'a repair is told each time')
  const many = Array.from({ length: 9 }, () => problem)
  t.strictSame(reportOf('user', run({ failed: 9, problems: many }))?.problems, many.slice(0, 5))
  t.end()
})

t.test('a comparison is wanted until it was made, and once more where something had been moved', async (t) => {
  const compared: RecordKind[] = []
  let during: () => void = () => {}
  let woken = 0
  const { log, told } = memory()
  const comparison = openComparison({
    compare: async (run, kind) => {
      compared.push(kind)
      if (kind === 'group') during()
      run.updated = kind === 'user' ? 1 : 0
    },
    compareServices: async () => {},
    wake: () => woken++,
    log,
  })
  t.equal(comparison.isWanted(), false)
  comparison.want()
  t.strictSame([comparison.isWanted(), woken], [true, 1])
  await comparison.compareEverything()
  t.strictSame(compared, ['user', 'group'])
  t.strictSame(told, ['the directory had drifted'])
  t.equal(comparison.isWanted(), false)

  during = comparison.want
  await comparison.compareEverything()
  t.equal(comparison.isWanted(), false, 'what it found missing itself is there again')
  during = comparison.foundMoved
  await comparison.compareEverything()
  t.equal(comparison.isWanted(), true)
  during = () => {}
  await comparison.compareEverything()
  t.equal(comparison.isWanted(), false)
  comparison.want()
  comparison.giveUp()
  t.equal(comparison.isWanted(), false)
})

t.test('a sleep ends when it is woken', async (t) => {
  const sleeper = openSleeper()
  sleeper.wake()
  let awake = false
  const sleeping = sleeper.sleep(600_000).then(() => {
    awake = true
  })
  await setImmediate()
  t.equal(awake, false, 'not by one that came before it')
  sleeper.wake()
  await sleeping
  t.equal(awake, true)
})

t.test('the loop', async (t) => {
  interface World {
    due: boolean[]
    wanted: boolean
    busy: boolean
    pause: number
    failing: unknown
    unlistable: unknown
  }
  /** Runs the loop until it has slept so often; `world` may change at each sleep. */
  const run = async (
    sleeps: number,
    start: Partial<World>,
    atSleep: (world: World, index: number) => void = () => {},
  ) => {
    const world: World = { due: [], wanted: false, busy: false, pause: 0, failing: null, unlistable: null, ...start }
    const done: string[] = []
    const { log, told } = memory()
    let slept = 0
    await workLoop({
      directory: {
        read: async () => {
          done.push('watch')
          return null
        },
      },
      batches: {
        giveBackUnreleased: async () => {},
        resting: () => false,
        isAnyDue: async () => true,
        everythingDue: async (kind) => {
          done.push(kind)
          if (world.failing !== null) throw world.failing
          return world.due.shift() ?? false
        },
      },
      availability: { ready: async () => void done.push('ready'), pause: () => world.pause },
      askAgain: async () => false,
      comparison: {
        want: () => {
          world.wanted = true
        },
        isWanted: () => world.wanted,
        giveUp: () => {
          world.wanted = false
        },
        compareEverything: async () => {
          done.push('compare')
          if (world.unlistable !== null) throw world.unlistable
          world.wanted = false
        },
      },
      sleeper: {
        sleep: async (milliseconds) => {
          done.push(`sleep ${milliseconds}`)
          atSleep(world, slept++)
        },
      },
      stopped: () => slept >= sleeps,
      yields: () => world.busy,
      lost: async ({ message }) => {
        done.push(`lost ${message}`)
        world.pause = 250
      },
      log,
    })
    return { done, told }
  }

  t.test('looks at people first, and sleeps when nothing is due', async (t) => {
    const { done } = await run(2, { due: [true] })
    t.strictSame(done.slice(0, 6), ['ready', 'user', 'ready', 'user', 'group', 'watch'])
    t.strictSame(done.slice(6), ['sleep 1000', 'ready', 'user', 'group', 'sleep 1000'], 'and watches now and then only')
  })

  t.test('compares everything once nothing else is to be done', async (t) => {
    const { done } = await run(1, { due: [true, false, true], wanted: true })
    t.strictSame(
      done.filter((one) => one !== 'ready' && one !== 'watch'),
      ['user', 'user', 'group', 'user', 'group', 'compare', 'user', 'group', 'sleep 1000'],
    )
  })

  t.test('leaves the work to a run', async (t) => {
    const { done } = await run(2, { busy: true, wanted: true })
    t.strictSame(done, ['sleep 1000', 'sleep 1000'])
  })

  t.test('pauses while the directory is out of availability, also when it is woken early', async (t) => {
    const { done } = await run(3, { failing: away }, (world, index) => {
      world.failing = null
      if (index === 1) world.pause = 0
    })
    t.strictSame(done.slice(0, 5), ['ready', 'user', 'lost connection refused', 'sleep 250', 'sleep 250'])
    t.strictSame(done.slice(5, 7), ['ready', 'user'])
  })

  t.test('goes on with what is due where the directory cannot be listed', async (t) => {
    const unlistable = new DirectoryError('refused', 'page size', { code: 11 })
    const { done, told } = await run(1, { unlistable, wanted: true })
    t.strictSame(
      done.filter((one) => one !== 'ready' && one !== 'watch'),
      ['user', 'group', 'compare', 'user', 'group', 'sleep 1000'],
    )
    t.match(told, [/cannot be compared/])
  })

  t.test('survives an error of its own', async (t) => {
    const { done, told } = await run(2, { failing: new TypeError('oops') }, (world) => {
      world.failing = null
    })
    t.strictSame(
      done.filter((one) => one !== 'ready' && one !== 'watch'),
      ['user', 'sleep 1000', 'user', 'group', 'sleep 1000'],
    )
    t.strictSame(told, ['the reconciler failed and tries again'])
  })
})

t.test('a request that waits for its records', async (t) => {
  const touched = [{ kind: 'user', id: 7, version: 2 }] as const
  const outcome = (values: Partial<Outcome>): Outcome => ({
    ...{
      id: 7,
      version: 2,
      result: 'in_sync',
      from: null,
      fromTarget: null,
      dn: 'uid=a',
      entryCsn: null,
      entryUuid: null,
    },
    ...{ forgetKept: false, unseen: false, error: null, delay: 0, name: 'a', action: 'added', ...values },
  })
  interface World {
    outcomes: Outcome[]
    recorded: Recorded[]
    behind: { behind: number; stuck: number }
    fails: unknown
    stopped: boolean
    paused: boolean
  }
  const settle = async (start: Partial<World>, timeout?: number) => {
    const world: World = {
      ...{
        outcomes: [],
        recorded: [],
        behind: { behind: 0, stuck: 0 },
        fails: null,
        stopped: false,
        paused: false,
        ...start,
      },
    }
    const done: string[] = []
    const { log, told } = memory()
    const { settle } = settler({
      timeout: 2000,
      batches: {
        step: async (kind, _, took) => {
          done.push(kind)
          if (world.fails !== null) throw world.fails
          const outcomes = world.outcomes.splice(0)
          const [recorded] = world.recorded.splice(0, 1)
          if (recorded !== undefined) took?.(outcomes, recorded)
          return outcomes
        },
        reserve: (records) => {
          done.push(`reserve ${records.length}`)
          return { add: (more) => void done.push(`reserve ${more.length}`), end: () => void done.push('end') }
        },
        claimInTransaction: () => t.fail('nothing is claimed') as never,
        write: () => t.fail('nothing is claimed') as never,
      },
      ledger: {
        behind: async () => {
          done.push('behind')
          return world.behind
        },
        groupsOnTheirWay: async () => {
          done.push('on their way')
          return [9]
        },
      },
      stopped: () => world.stopped,
      paused: () => world.paused,
      wake: () => void done.push('wake'),
      explain: async () => void done.push('explain'),
      explainSilence: async () => void done.push('silence'),
      lost: async ({ message }) => void done.push(`lost ${message}`),
      track: (work) => work,
      log,
    })
    const settled = await settle(touched, timeout)
    return { settled, done, told }
  }

  t.test('writes them itself, and the groups that name them', async (t) => {
    const { settled, done } = await settle({ outcomes: [outcome({})] })
    t.equal(settled, true)
    t.strictSame(
      done,
      ['reserve 1', 'user', 'on their way', 'reserve 1', 'group', 'behind', 'end'],
      'the loop leaves them',
    )
  })

  t.test('asks the ledger for nothing that the outcomes have told', async (t) => {
    const there = {
      kind: 'user' as const,
      reached: new Map([[7, 2]]),
      equal: new Set([7]),
      groupsDue: [{ id: 9, people: [7] }],
    }
    const lists = { kind: 'group' as const, reached: new Map([[9, 5]]), equal: new Set([9]), groupsDue: [] }
    const all = await settle({ outcomes: [outcome({})], recorded: [there, lists] })
    t.strictSame(all, { settled: true, done: ['reserve 1', 'user', 'reserve 1', 'group', 'end'], told: [] })
    const asking = ['reserve 1', 'user', 'reserve 1', 'group', 'behind', 'end']
    const changed = { ...lists, equal: new Set<number>() }
    t.match(await settle({ outcomes: [outcome({})], recorded: [there, changed] }), { done: asking }, 'since changed')
    const early = { ...there, reached: new Map([[7, 1]]) }
    const before = ['reserve 1', 'user', 'on their way', 'reserve 1', 'group', 'behind', 'end']
    t.match(await settle({ outcomes: [outcome({})], recorded: [early, lists] }), { done: before }, 'an earlier version')
  })

  t.test('does not wait where the service stops or the directory is out of reach', async (t) => {
    t.strictSame(await settle({ stopped: true }), { settled: false, done: [], told: [] })
    t.strictSame(await settle({ paused: true }), { settled: false, done: ['wake', 'explain'], told: [] })
    const lost = await settle({ fails: away })
    t.strictSame(lost, {
      settled: false,
      done: ['reserve 1', 'user', 'end', 'wake', 'lost connection refused'],
      told: [],
    })
  })

  t.test('does not wait for what was refused or is parked', async (t) => {
    const refused = [outcome({ result: 'retry', action: 'failed', refusedByServer: 'read-only' })]
    const behind = { behind: 1, stuck: 0 }
    t.match(await settle({ outcomes: refused, behind }, 60_000), {
      settled: false,
      done: ['reserve 1', 'user', 'on their way', 'reserve 1', 'group', 'behind', 'end', 'wake', 'silence'],
    })
    const stuck = { behind: 1, stuck: 1 }
    t.match(await settle({ behind: stuck }, 60_000), {
      settled: false,
      done: ['reserve 1', 'user', 'on their way', 'reserve 1', 'group', 'behind', 'end', 'wake', 'silence'],
    })
  })

  t.test('gives up at the end of its time', async (t) => {
    const { settled, done } = await settle({ behind: { behind: 1, stuck: 0 } }, 400)
    t.equal(settled, false)
    t.equal(done.at(-1), 'silence')
    t.ok(done.filter((one) => one === 'user').length > 1, 'it has asked more than once')
  })

  t.test('tells of an error of its own, and goes on', async (t) => {
    const { settled, told } = await settle({ fails: new TypeError('oops') })
    t.equal(settled, false)
    t.match(told, [/they follow/])
  })
})

t.test('details are added to every line, by loggers that need their this', (t) => {
  const told: unknown[] = []
  class Needy {
    told = told
    write(...line: unknown[]): void {
      this.told.push(line)
    }
  }
  Object.assign(
    Needy.prototype,
    Object.fromEntries(['debug', 'info', 'warn', 'error'].map((name) => [name, Needy.prototype.write])),
  )
  const log = withDetails(new Needy() as unknown as Logger, { directory: 2 })
  log.warn('away')
  log.error({ code: 51 }, 'busy')
  t.strictSame(told, [
    [{ directory: 2 }, 'away'],
    [{ code: 51, directory: 2 }, 'busy'],
  ])
  t.end()
})
