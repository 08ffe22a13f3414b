import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import type { Fault } from '../../scripts/fakes/fault.ts'
import { generateOrganisation, type Organisation } from '../../scripts/fakes/organisation.ts'
import { SourceError } from '../../src/sources/source.ts'
import { silent } from '../database.ts'
import { eventually } from '../eventually.ts'
import { type Platform, platforms, readAll, type Snapshot, type Stage, snapshotOf, stage } from './platforms.ts'

const organisation = generateOrganisation({ seed: 4, people: 700, departments: 24 })
const [dingtalk, feishu, wecom] = platforms as [Platform, Platform, Platform]

/** The department with the most people directly in it: its list has several pages where there are pages. */
const crowded = (({ departments, people }: Organisation): string => {
  const sizes = departments.map(({ id }) => ({ id, size: people.filter((p) => p.departmentIds.includes(id)).length }))
  return sizes.reduce((max, one) => (one.size > max.size ? one : max)).id
})(organisation)

/** A department and all below it. */
const subtree = (root: string): Set<string> => {
  const found = new Set([root])
  for (const id of found) for (const child of organisation.departments) if (child.parentId === id) found.add(child.id)
  return found
}
const branch = organisation.departments.find(({ id, parentId }) => parentId === null && subtree(id).size > 3)?.id ?? ''

/** Another one with people in it. */
const other = organisation.departments.find(
  ({ id }) => id !== crowded && organisation.people.some(({ departmentIds }) => departmentIds.includes(id)),
)?.id

/** Was there a pause of so many milliseconds? The rest of a pause that all calls share is a little shorter. */
const paused = (pauses: number[], milliseconds: number): boolean =>
  pauses.some((pause) => pause <= milliseconds && pause > milliseconds - 200)

const snapshot = ({ departments, users }: Snapshot): Snapshot => ({ departments, users })

const failureOf = async (work: Promise<unknown>): Promise<SourceError> => {
  const error = await work.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  )
  if (error instanceof SourceError) return error
  throw error
}

for (const platform of platforms) {
  t.test(platform.name, async (t) => {
    const expected = snapshotOf(organisation, platform)

    t.test('a snapshot is the organisation, read with one token and without a call per person', async (t) => {
      const { source, cloud, calls } = await stage(t, platform, { organisation })
      const read = await readAll(source)
      t.same(snapshot(read), expected)
      t.same(read.gaps, [])
      t.ok(read.largest <= 1000, 'batches are small')
      t.equal(cloud.calls.filter(({ path }) => path === platform.paths.token).length, 1)
      t.ok(calls() < 150, `${calls()} calls for 700 people`)
    })

    t.test('an empty organisation is an empty snapshot', async (t) => {
      const { source } = await stage(t, platform, { organisation: { departments: [], people: [] } })
      t.same(snapshot(await readAll(source)), { departments: [], users: [] })
    })

    const passing: [string, Fault[], number[]][] = [
      ['busy', [{ kind: 'error', code: -1, times: 3 }], [1000, 2000, 4000]],
      ['answering HTTP 503', [{ kind: 'error', code: 77, status: 503 }], [1000]],
      ['resetting the connection', [{ kind: 'reset', times: 2 }], [1000, 2000]],
      ['answering half and hanging up', [{ kind: 'truncated', page: 1 }], [1000]],
      ['answering half as if it were all', [{ kind: 'cut', page: 1 }], [1000]],
      ['answering a gateway’s page', [{ kind: 'html', status: 502 }], [1000]],
      ['forgetting its tokens', [{ kind: 'expire', nth: 2, path: platform.paths.users }], []],
      ['forgetting its tokens between the pages', [{ kind: 'expire', department: crowded }], []],
      ['slow', [{ kind: 'slow', delay: 100 }], []],
      ['answering a page twice', [{ kind: 'repeat', department: crowded, path: platform.paths.users }], []],
      ['answering in another order', [{ kind: 'shuffle', seed: 7 }], []],
    ]
    for (const [what, faults, pauses] of passing.filter(([what]) => platform !== feishu || what !== 'busy'))
      t.test(`a snapshot is whole although the platform is ${what}`, async (t) => {
        const stand = await stage(t, platform, { organisation, faults })
        t.same(snapshot(await readAll(stand.source)), expected)
        t.same(stand.pauses, pauses)
        t.same(
          stand.cloud.faults.filter(({ kind }) => kind !== 'shuffle'),
          [],
          'the fault fired',
        )
      })

    const lasting: [string, Fault][] = [
      ['errors', { kind: 'error', code: 77 }],
      ['resets', { kind: 'reset' }],
      ['half answers', { kind: 'truncated' }],
      ['cut JSON', { kind: 'cut' }],
      ['pages for people', { kind: 'html' }],
      ['expired tokens', { kind: 'expire' }],
      ['limits', { kind: 'limited' }],
    ]
    for (const [what, fault] of lasting)
      t.test(`${what} for ever fail the reading, and name what could not be read`, async (t) => {
        const faults = [{ ...fault, department: crowded, path: platform.paths.users, times: Number.POSITIVE_INFINITY }]
        const { source, cloud } = await stage(t, platform, { organisation, faults })
        const error = await failureOf(readAll(source))
        t.match(error.message, `the people of department ${platform.departmentId(crowded)}`)
        const fired = cloud.calls.filter((call) => call.fault !== '').length
        t.ok(fired <= 6, `the platform was asked ${fired} times`)
      })

    // WeCom has no pages.
    if (platform !== wecom) {
      t.test('a list that never ends fails the reading', async (t) => {
        const faults: Fault[] = [{ kind: 'repeat', path: platform.paths.users, times: Number.POSITIVE_INFINITY }]
        const { source } = await stage(t, platform, { organisation, faults })
        t.match((await failureOf(readAll(source))).message, /over and over/)
      })
    }

    t.test('an answer that does not come fails the reading after the time for it', async (t) => {
      const faults: Fault[] = [{ kind: 'silent', path: platform.paths.users, times: Number.POSITIVE_INFINITY }]
      const { source } = await stage(t, platform, { organisation, faults }, { timeout: 60 })
      t.match((await failureOf(readAll(source))).message, /no answer within 0\.06 s, also after 3 more tries/)
    })

    t.test('a department that vanishes while people are read fails the reading', async (t) => {
      const faults: Fault[] = [{ kind: 'hide', departments: [crowded], path: platform.paths.users }]
      const { source, cloud } = await stage(t, platform, { organisation, faults })
      // Feishu answers alike for a deleted and a hidden department: there it can only be reported as a gap.
      if (platform === feishu) t.match((await readAll(source)).gaps, [/may not see department/])
      else t.match((await failureOf(readAll(source))).message, /60003/)
      t.ok(cloud.calls.some(({ code }) => code === 60003 || code === 40004))
    })

    t.test('a department hidden from the app is a gap, reported once', async (t) => {
      const refusals = { dingtalk: { code: 88, subCode: '60011' }, feishu: { code: 41050 }, wecom: { code: 60011 } }
      const refused = { kind: 'error', path: platform.paths.users, ...refusals[platform.name] } as const
      const faults: Fault[] = [
        { ...refused, department: crowded },
        { ...refused, department: other ?? '' },
      ]
      const { source } = await stage(t, platform, { organisation, faults })
      const { gaps, users } = await readAll(source)
      t.equal(gaps.length, 1)
      t.match(gaps[0], /departments \S+, \S+ \((60011|41050)\)/)
      t.ok(users.length < expected.users.length && users.length > 0)
    })

    t.test('departments that are hidden are named alike, in whatever order they are answered', async (t) => {
      const hidden = organisation.departments.slice(0, 8).map(({ id }) => id)
      const refusals = { dingtalk: { code: 88, subCode: '60011' }, feishu: { code: 41050 }, wecom: { code: 60011 } }
      const path = platform.paths.users
      const gapsWith = async (slow: readonly string[]): Promise<string[]> => {
        const faults = hidden.flatMap((department): Fault[] => [
          { kind: 'error', path, department, ...refusals[platform.name] },
          { kind: 'slow', path, department, delay: slow.includes(department) ? 60 : 0 },
        ])
        const { source } = await stage(t, platform, { organisation, faults })
        return (await readAll(source)).gaps
      }
      const gaps = await gapsWith(hidden.filter((_, index) => index % 2 === 0))
      t.match(gaps, [/ and 3 more /])
      t.strictSame(await gapsWith(hidden.filter((_, index) => index % 2 === 1)), gaps)
    })

    t.test('a smaller scope gives what it covers, and a gap', async (t) => {
      const { source } = await stage(t, platform, { organisation, visible: [branch] })
      const read = await readAll(source)
      const inBranch = subtree(branch)
      t.same(
        snapshot(read),
        snapshotOf(organisation, platform, (id) => inBranch.has(id)),
      )
      t.match(read.gaps.join(), /part/)
    })

    t.test('a scope that shrinks during a reading is a gap, never a complete snapshot', async (t) => {
      const faults: Fault[] = [{ kind: 'scope', visible: [branch], path: platform.paths.users, nth: 4 }]
      const { source } = await stage(t, platform, { organisation, faults })
      t.ok((await readAll(source)).gaps.length > 0)
    })

    t.test('an app that sees nothing fails the reading', async (t) => {
      const { source } = await stage(t, platform, { organisation, visible: [] })
      t.match((await failureOf(readAll(source))).advised?.text, /range|organisation/)
    })

    t.test('an abort ends a reading at once, with its reason', async (t) => {
      const reason = new Error('the operator had enough')
      const between = new AbortController()
      const first = await stage(t, platform, { organisation })
      await t.rejects(
        readAll(first.source, between.signal, () => between.abort(reason)),
        reason,
      )
      const { length } = first.cloud.calls
      // What was on its way has arrived by the end of another call.
      await (await fetch(first.cloud.url)).text()
      t.equal(first.cloud.calls.length, length + 1, 'no more calls are made')

      const silentCloud = [{ kind: 'silent', path: platform.paths.users, times: Number.POSITIVE_INFINITY }] as const
      const waiting = await stage(t, platform, { organisation, faults: [...silentCloud] })
      await t.rejects(readAll(waiting.source, abortedAtFault(waiting, 'silent', reason)), reason)

      const busy: Fault[] = [{ kind: 'reset', path: platform.paths.users, times: Number.POSITIVE_INFINITY }]
      const { sleep } = await import('../../src/concurrency/abort.ts')
      const during = new AbortController()
      const asleep: typeof sleep = (milliseconds, signal) => {
        setImmediate(() => during.abort(reason))
        return sleep(milliseconds, signal)
      }
      const pausing = await stage(t, platform, { organisation, faults: busy }, { sleep: asleep })
      const before = performance.now()
      await t.rejects(readAll(pausing.source, during.signal), reason)
      t.ok(performance.now() - before < 900, 'a pause is not waited out')

      const signingIn: Fault[] = [{ kind: 'silent', path: platform.paths.token }]
      const signing = await stage(t, platform, { organisation, faults: signingIn })
      await t.rejects(readAll(signing.source, abortedAtFault(signing, 'silent', reason)), reason)
      t.same(snapshot(await readAll(signing.source)), expected, 'the next reading is not affected')
    })

    t.test('closing a source ends its reading', async (t) => {
      const { source } = await stage(t, platform, { organisation })
      await t.rejects(
        readAll(source, undefined, () => void source.close()),
        /was closed/,
      )
    })

    t.test('a token is renewed before it ends', async (t) => {
      const { source, cloud } = await stage(t, platform, { organisation, tokenLifetime: 4 })
      await readAll(source)
      // Time is what is tested: more than half of what the token lives.
      await new Promise((resolve) => setTimeout(resolve, 2100))
      await readAll(source)
      t.ok(cloud.calls.filter(({ path }) => path === platform.paths.token).length > 1)
      t.notOk(
        cloud.calls.some(({ code }) => code !== 0),
        'no call used a token that had expired',
      )
    })

    t.test('no secret and no token is in errors, logs and diagnoses, whatever the platform says', async (t) => {
      const secrets = async (faults: Fault[], credentials?: Record<string, string>): Promise<string> => {
        const stand = await stage(t, platform, { organisation, faults })
        const source = credentials
          ? platform.open({ url: stand.cloud.url, credentials }, { log: silent, rates: [] })
          : stand.source
        const error = await failureOf(readAll(source))
        const told = [error.message, error.advised?.text, error.stack, error.cause, ...stand.logged]
        return JSON.stringify([told, await source.diagnose(new AbortController().signal)])
      }
      const { cloud } = await stage(t, platform, { organisation })
      const secret = cloud.credentials.appSecret ?? cloud.credentials.secret ?? ''
      const echo = `wrong ${secret}, access_token=t-1234567890 refused`
      const told = [
        await secrets([{ kind: 'error', code: 77, message: echo, times: Number.POSITIVE_INFINITY }]),
        await secrets([{ kind: 'reset', times: Number.POSITIVE_INFINITY }]),
        await secrets([{ kind: 'expire', times: Number.POSITIVE_INFINITY }]),
        await secrets([{ kind: 'error', code: 77, message: echo, path: platform.paths.token, times: 99 }]),
        await secrets([], { ...cloud.credentials, appKey: 'other', appId: 'other', corpId: 'other' }),
      ].join()
      t.notMatch(told, secret)
      t.notMatch(told, /t-[\w-]{8,}/)
      t.match(told, /wrong …, access_token=… refused/)
    })

    t.test('a diagnosis of a healthy source finds nothing wrong', async (t) => {
      const { source } = await stage(t, platform, { organisation })
      const { steps, roots, missingFields } = await source.diagnose(new AbortController().signal)
      t.same(
        steps.map(({ step }) => step),
        platform === wecom ? ['token', 'departments', 'users'] : ['token', 'scopes', 'departments', 'users'],
      )
      t.ok(
        steps.every(({ ok, found, advice }) => ok && found !== '' && advice === ''),
        JSON.stringify(steps),
      )
      t.same(missingFields, [])
      const top = organisation.departments.filter(({ parentId }) => parentId === null).map(({ name }) => name)
      t.same(roots.toSorted(), top.slice(0, 20).toSorted())
    })

    t.test('a diagnosis says what to do about a wrong secret, a smaller scope and a hidden field', async (t) => {
      const { cloud } = await stage(t, platform, { organisation })
      const wrong = { ...cloud.credentials, appSecret: 'wrong', secret: 'wrong' }
      const stranger = platform.open({ url: cloud.url, credentials: wrong }, { log: silent })
      const refused = await stranger.diagnose(new AbortController().signal)
      t.match(refused.steps, [{ step: 'token', ok: false, advice: /secret/ }])
      t.equal(refused.steps.length, 1)

      const scoped = await stage(t, platform, { organisation, visible: [branch] })
      const { steps, roots } = await scoped.source.diagnose(new AbortController().signal)
      t.match(steps.find(({ step }) => step === 'departments')?.advised?.text, /[Ww]iden|[Ss]et the range/)
      t.same(roots, [organisation.departments.find(({ id }) => id === branch)?.name])

      const faults: Fault[] = [{ kind: 'withhold', fields: ['mobile', 'email'] }]
      const withheld = await stage(t, platform, { organisation, faults })
      const diagnosis = await withheld.source.diagnose(new AbortController().signal)
      t.same(diagnosis.missingFields.toSorted(), ['email', 'mobile'])
      t.match(diagnosis.steps.at(-1)?.advised?.text, /mobile.*: /)
    })
  })
}

t.test('Feishu is asked again when it said, and no sooner', async (t) => {
  const faults: Fault[] = [
    { kind: 'limited', wait: 3 },
    { kind: 'limited', wait: 7, status: 400, path: feishu.paths.users, nth: 2 },
  ]
  const { source, pauses } = await stage(t, feishu, { organisation, faults })
  t.same(snapshot(await readAll(source)), snapshotOf(organisation, feishu))
  t.ok(paused(pauses, 3000) && paused(pauses, 7000))
})

t.test('a pause that Feishu asks for is not waited out when it is too long', async (t) => {
  const faults: Fault[] = [{ kind: 'limited', wait: 86_400 }]
  const { source, pauses } = await stage(t, feishu, { organisation, faults })
  t.match((await failureOf(readAll(source))).message, /99991400/)
  t.same(pauses, [])
})

t.test('Feishu’s departments are read level by level where all levels are too much', async (t) => {
  const faults: Fault[] = [
    { kind: 'error', code: 43010, path: feishu.paths.departments, department: '', nth: 2 },
    { kind: 'error', code: 43010, path: feishu.paths.departments, department: '', nth: 5 },
  ]
  const { source } = await stage(t, feishu, { organisation, faults })
  t.same(snapshot(await readAll(source)), snapshotOf(organisation, feishu))
})

t.test('WeCom’s limit of a minute is waited for; a longer one fails the reading', async (t) => {
  // Also one that the platform has no code for, as from a gateway before it.
  for (const limit of [{}, { status: 429, code: 1 }]) {
    const once = await stage(t, wecom, { organisation, faults: [{ kind: 'limited', ...limit }] })
    t.same(snapshot(await readAll(once.source)), snapshotOf(organisation, wecom))
    t.ok(paused(once.pauses, 60_000))
  }
  const faults: Fault[] = [{ kind: 'limited', times: Number.POSITIVE_INFINITY }]
  const hour = await stage(t, wecom, { organisation, faults })
  t.match((await failureOf(readAll(hour.source))).advised?.text, /in an hour/)
})

t.test('DingTalk’s block of an address is waited for', async (t) => {
  for (const fault of [{ kind: 'blocked' }, { kind: 'html' }] as const) {
    const { source, pauses } = await stage(t, dingtalk, { organisation, faults: [{ ...fault, times: 3 }] })
    t.same(snapshot(await readAll(source)), snapshotOf(organisation, dingtalk))
    t.ok([5000, 60_000, 240_000].every((pause) => paused(pauses, pause)))
  }
})

t.test('a quota of the month is not asked for twice', async (t) => {
  for (const [platform, code] of [
    [dingtalk, 90020],
    [feishu, 99991403],
  ] as const) {
    const { source, calls } = await stage(t, platform, { organisation, faults: [{ kind: 'error', code }] })
    const error = await failureOf(readAll(source))
    t.match(error.message, `${code}`)
    t.match(error.advised?.text, /month/)
    t.equal(calls(), 1)
  }
})

t.test(
  'WeCom’s ids alone are read where there is no more: people with their departments, departments without names',
  async (t) => {
    const { source } = await stage(t, wecom, { organisation, faults: [{ kind: 'idsOnly' }] })
    const read = await readAll(source)
    const { departments, users } = snapshotOf(organisation, wecom)
    const nameless = <Row>(rows: Row[]) => rows.map((row) => ({ ...row, name: undefined }))
    t.same(read.departments, nameless(departments))
    t.same(
      read.users,
      nameless(users).map((user) => ({ ...user, active: true })),
    )
    t.match(read.gaps, [/only see ids: whom WeCom has disabled/])
    const { steps, missingFields } = await source.diagnose(new AbortController().signal)
    t.match(steps, [{ step: 'token' }, { step: 'departments', advice: /only ask for ids/ }, { step: 'users' }])
    t.ok(missingFields.includes('name'))
  },
)

t.test('WeCom’s details that disappear during a reading fail it', async (t) => {
  const faults: Fault[] = [{ kind: 'idsOnly', path: wecom.paths.users, nth: 5 }]
  const { source } = await stage(t, wecom, { organisation, faults })
  t.match((await failureOf(readAll(source))).message, /48002/)
})

t.test('an address that WeCom does not trust is reported with advice', async (t) => {
  const faults: Fault[] = [{ kind: 'error', code: 60020, times: Number.POSITIVE_INFINITY }]
  const { source } = await stage(t, wecom, { organisation, faults })
  const { steps } = await source.diagnose(new AbortController().signal)
  t.match(steps.at(-1), { step: 'departments', ok: false, found: /60020/, advice: /trusted addresses/ })
})

t.test('permissions that were not granted are named', async (t) => {
  for (const [platform, permission] of [
    [dingtalk, 'qyapi_get_department_list'],
    [feishu, 'contact:contact:readonly_as_app'],
  ] as const) {
    const { source } = await stage(t, platform, { organisation, scopes: [] })
    t.match((await failureOf(readAll(source))).advised?.text, permission)
    const { steps } = await source.diagnose(new AbortController().signal)
    t.match(steps.at(-1), { ok: false })
    t.match(steps.at(-1)?.advised?.text, permission)
  }
})

t.test('no more calls a second than DingTalk allows are made', async (t) => {
  const small = generateOrganisation({ seed: 1, people: 25, departments: 25 })
  const cloud = await dingtalk.start({ organisation: small })
  const source = dingtalk.open(cloud, { log: silent })
  t.teardown(() => cloud.close())
  const start = performance.now()
  t.same(snapshot(await readAll(source)), snapshotOf(small, dingtalk))
  const full = Math.floor((cloud.calls.length - 1) / 20)
  t.ok(full >= 2)
  t.ok(performance.now() - start >= full * 1000, `${cloud.calls.length} calls`)
})

t.test('a slow platform is asked for a few departments at a time', async (t) => {
  const { source, cloud } = await stage(t, dingtalk, { organisation, latency: 40 })
  await readAll(source)
  const at = cloud.calls.map((call) => call.at)
  const max = Math.max(...at.map((start) => at.filter((other) => other >= start && other < start + 35).length))
  t.ok(max > 1 && max <= 5, `${max} at the same time`)
})

t.test('answers that break the protocol', async (t) => {
  const serve = async (t: Test, listener: RequestListener): Promise<string> => {
    const server = createServer((request, response) => {
      if (request.url?.startsWith('/cgi-bin/gettoken'))
        response.end(JSON.stringify({ errcode: 0, access_token: 't-1', expires_in: 7200 }))
      else listener(request, response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.teardown(() => {
      server.closeAllConnections()
      server.close()
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const read = async (t: Test, listener: RequestListener) => {
    const url = await serve(t, listener)
    const source = wecom.open({ url, credentials: {} }, { log: silent, rates: [], sleep: async () => {} })
    t.teardown(() => source.close())
    return failureOf(readAll(source))
  }

  t.test('an endless body is given up', async (t) => {
    let requests = 0
    const error = await read(t, (_, response) => {
      requests += 1
      const chunk = Buffer.alloc(1024 * 1024, ' ')
      const more = (): void => void response.write(chunk, (failed) => !failed && setImmediate(more))
      more()
    })
    t.match(error.message, /larger than/)
    t.equal(requests, 1)
  })

  t.test('a zipped answer is read, and given up when it grows too large', async (t) => {
    const zipped = (content: Buffer | string) => (request: IncomingMessage, response: ServerResponse) => {
      t.equal(request.headers['accept-encoding'], 'gzip')
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(content))
    }
    const departments = { errcode: 60011, errmsg: 'no privilege', department: [] }
    t.match(await read(t, zipped(JSON.stringify(departments))), { message: /60011/ })
    t.match(await read(t, zipped(Buffer.alloc(65 * 1024 * 1024, ' '))), { message: /larger than/ })
    const cut = gzipSync(JSON.stringify(departments)).subarray(0, 20)
    const error = await read(t, (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(cut))
    t.match(error, { message: /no JSON/ })
  })

  t.test('a redirect is not followed', async (t) => {
    let visitors = 0
    const elsewhere = await serve(t, (_, response) => {
      visitors += 1
      response.end('{}')
    })
    const error = await read(t, (request, response) =>
      response.writeHead(302, { location: `${elsewhere}${request.url}` }).end(),
    )
    t.match(error.message, /HTTP 302/)
    t.equal(visitors, 0)
  })

  t.test('bytes that are not UTF-8 are refused as an answer', async (t) => {
    const error = await read(t, (_, response) =>
      response.end(Buffer.from('{"errcode":0,"department":[{"id":2,"parentid":1,"name":"\xff"}]}', 'latin1')),
    )
    t.match(error.message, /no JSON/)
  })

  t.test('a success without its list is refused as an answer', async (t) => {
    const error = await read(t, (_, response) => response.end('{"errcode":0,"errmsg":"ok"}'))
    t.match(error.message, /without/)
  })

  t.test('a page that does not say whether it is the last is refused as an answer', async (t) => {
    const token = { accessToken: 't-1', expireIn: 7200, code: 0, tenant_access_token: 't-1', expire: 7200 }
    const readWith = async (platform: Platform, answers: Readonly<Record<string, object>>) => {
      const url = await serve(t, ({ url = '' }, response) => {
        const [, answer = {}] = Object.entries(answers).find(([path]) => url.includes(path)) ?? []
        response.end(JSON.stringify(answer))
      })
      const source = platform.open({ url, credentials: {} }, { log: silent, rates: [], sleep: async () => {} })
      t.teardown(() => source.close())
      return failureOf(readAll(source))
    }
    const root = { errcode: 0, result: [], auth_org_scopes: { authed_dept: [1], authed_user: [] } }
    for (const has_more of ['true', 1, null, undefined]) {
      const list = [{ userid: 'ann', name: 'Ann' }]
      const error = await readWith(dingtalk, {
        ...{ accessToken: token, 'auth/scopes': root, listsub: root },
        'user/list': { errcode: 0, result: { list, has_more, next_cursor: 100 } },
      })
      t.match(error.message, /without the next page/, `DingTalk: has_more ${has_more}`)
    }
    const known = { code: 0, data: { has_more: false, department_ids: ['0'], items: [] } }
    for (const data of [undefined, {}, { items: [{ open_id: 'ann' }], has_more: 'true', page_token: 'p' }]) {
      const error = await readWith(feishu, {
        ...{ tenant_access_token: token, '/scopes': known, '/children': known },
        find_by_department: { code: 0, data },
      })
      t.match(error.message, /without the next page/, `Feishu: ${JSON.stringify(data)}`)
    }
    const idsOnly = { errcode: 48002, errmsg: 'api forbidden' }
    for (const next_cursor of [7, true, ['p'], {}]) {
      const error = await readWith(wecom, {
        ...{ 'department/list': idsOnly, 'user/list?': idsOnly },
        simplelist: { errcode: 0, department_id: [{ id: 1, parentid: 0 }] },
        list_id: { errcode: 0, dept_user: [{ userid: 'ann', department: 1 }], next_cursor },
      })
      t.match(error.message, /without the next page/, `WeCom: next_cursor ${JSON.stringify(next_cursor)}`)
    }
  })
})

/** Aborts when a call of the stage meets this fault. */
const abortedAtFault = ({ cloud }: Stage, kind: Fault['kind'], reason: Error): AbortSignal => {
  const controller = new AbortController()
  eventually(() => cloud.calls.some(({ fault }) => fault === kind), `the fault ${kind}`).then(
    () => controller.abort(reason),
    (error: unknown) => controller.abort(error),
  )
  return controller.signal
}
