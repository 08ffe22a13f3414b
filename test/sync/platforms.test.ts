import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import type { Fault } from '../../scripts/fakes/fault.ts'
import { evolve, generateOrganisation } from '../../scripts/fakes/organisation.ts'
import type { RunKind } from '../../src/sync/run-request.ts'
import { becomesEqual, usersAndGroups } from '../faults/entries.ts'
import { skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { steward } from '../steward.ts'
import { type Cloud, type CloudSlot, cloudSlots, startCloud } from './clouds.ts'
import { compareLooks, departments, dump, type Figures, figuresOf, people, peopleIn, rowVersions } from './records.ts'
import { differencesTo } from './taken-over.ts'

// The whole service with a platform at each of the slots A, B and C and a slapd to mirror into.

const operations = {
  exta: { groups: 'syncExtADepts', users: 'syncExtAUsers' },
  extb: { groups: 'syncExtBDepts', users: 'syncExtBUsers' },
  extc: { groups: 'syncExtCDepts', users: 'syncExtCUsers' },
} as const

const together = ({ updated, moved, ...rest }: Figures) => ({ ...rest, changed: updated + moved })

t.test('three platforms', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t)
  const clouds = await Promise.all(
    cloudSlots.map((slot, n) =>
      startCloud(t, slot, generateOrganisation({ seed: n + 1, people: 100, departments: 25, depth: 5 })),
    ),
  )
  const [dingtalk, feishu, wecom] = clouds as [Cloud, Cloud, Cloud]
  const env = { DRIFT_INTERVAL: '1h', SYNC_WAIT: '120s', ...dingtalk.env, ...feishu.env, ...wecom.env }
  const service = await steward(t, { directory: slapd, env })
  const sync = async (slot: CloudSlot, kind: RunKind) => {
    const { code, msg, data } = await service.call(operations[slot][kind], { token: service.token })
    if (code !== 0 && (code !== 502 || data === null)) throw new Error(`${slot} ${kind}: ${code} ${msg}`)
    return data
  }
  const everywhere = (kind: RunKind) => Promise.all(cloudSlots.map((slot) => sync(slot, kind)))
  const organisationsArrived = async (t: Test): Promise<void> => {
    for (const each of clouds) {
      t.strictSame(await differencesTo(service, each, each.cloud.organisation), [], each.platform.name)
    }
  }

  await t.test('arrive in SQL and in the directory, all at once', async (t) => {
    for (const report of await everywhere('groups')) {
      t.match(report, { state: 'done', total: 26, added: 26, failed: 0, problems: { length: 0 } })
    }
    const reports = await everywhere('users')
    for (const report of reports) t.match(report, { state: 'done', updated: 0, moved: 0, disabled: 0, held: 0 })
    // Two people took one name or number at the same moment: the second one has none in the next run.
    for (const { source, failed, problems } of reports) {
      if (failed === 0) continue
      t.match(problems[0], { step: 'apply', reason: /^\w+: is taken by another record by now$/ })
      t.match(await sync(source as CloudSlot, 'users'), { state: 'done', added: failed, failed: 0 })
    }
    await organisationsArrived(t)
    await becomesEqual(t, service, slapd)
  })

  await t.test('unchanged, nothing is written anywhere', async (t) => {
    const before = [await rowVersions(service.db), await dump(slapd), await slapd.operations()]
    for (const kind of ['groups', 'users'] as const) {
      for (const report of await everywhere(kind)) {
        t.match(figuresOf(report), { added: 0, updated: 0, moved: 0, disabled: 0 })
      }
    }
    t.strictSame([await rowVersions(service.db), await dump(slapd), await slapd.operations()], before)
  })

  await t.test('evolve, and what the reports count is what changed in SQL and in the directory', async (t) => {
    const sum = { added: 0, updated: 0, moved: 0, disabled: 0 }
    for (const round of [1, 2]) {
      for (const { slot, cloud } of clouds) {
        cloud.organisation = evolve(cloud.organisation, round, 60)
        const tree = await departments(service)
        t.strictSame(figuresOf(await sync(slot, 'groups')), compareLooks(tree, await departments(service)))
        await becomesEqual(t, service, slapd)

        const before = { sql: await people(service), directory: peopleIn(await dump(slapd)) }
        const report = await sync(slot, 'users')
        t.match(report, { state: 'done', failed: 0 })
        const figures = figuresOf(report)
        t.strictSame(compareLooks(before.sql, await people(service)), figures, 'in SQL')
        await becomesEqual(t, service, slapd)
        // A person in the whole organisation is not a member of an entry: the directory shows less of a move.
        t.strictSame(together(compareLooks(before.directory, peopleIn(await dump(slapd)))), together(figures))
        for (const key of ['added', 'updated', 'moved', 'disabled'] as const) sum[key] += report[key]
      }
      await organisationsArrived(t)
    }
    for (const [what, count] of Object.entries(sum)) t.ok(count > 5, `${count} ${what}`)
  })

  await t.test('a person whom the directory refuses is reported as failed, and all others arrive', async (t) => {
    const { organisation } = wecom.cloud
    const titled = (title: string) => {
      const chosen = organisation.people.filter(({ state }) => state === 'active').slice(0, 12)
      const odd = chosen[5]
      const people = organisation.people.map((person) =>
        chosen.includes(person) ? { ...person, title: person === odd ? title : 'Promoted' } : person,
      )
      wecom.cloud.organisation = { ...organisation, people }
      return odd?.id ?? ''
    }
    await slapd.refuse('title', '#')
    const odd = titled('Number #1')
    const refused = await sync('extc', 'users')
    t.match(refused, { state: 'done', updated: 11, failed: 1 })
    t.match(refused.problems[0], { sourceId: odd, step: 'apply', reason: /^the directory refused it: .*\(19\)/ })
    const parked = (await usersAndGroups(service)).users.filter(({ syncState }) => syncState !== 1)
    t.match(parked, [{ sourceUserId: odd, position: 'Number #1', syncError: /\(19\)/ }])
    t.equal(parked.length, 1)
    t.match(await sync('extc', 'users'), { updated: 0, failed: 0 }, 'the directory has its own reports')

    titled('Number 1')
    t.match(await sync('extc', 'users'), { updated: 1, failed: 0 })
    await becomesEqual(t, service, slapd)
    await slapd.accept()
  })

  await t.test('a directory that is down holds no run up for long, and follows', async (t) => {
    await slapd.stop()
    dingtalk.cloud.organisation = evolve(dingtalk.cloud.organisation, 3, 30)
    const tree = await departments(service)
    const groups = await sync('exta', 'groups')
    t.strictSame(figuresOf(groups), compareLooks(tree, await departments(service)))
    t.match(groups, {
      state: 'done',
      problems: [{ step: 'directory', reason: /not yet in it: [1-9]/, advice: /follow/ }],
    })
    await slapd.start()
    const users = await sync('exta', 'users')
    t.match(users, { state: 'done', failed: 0 })
    await becomesEqual(t, service, slapd)
    await organisationsArrived(t)
  })

  /** Everything a run could have changed. */
  const everything = async () => [await rowVersions(service.db), await dump(slapd)]
  const nothing = { added: 0, updated: 0, moved: 0, disabled: 0 }

  /** What each cloud does from its fourth answer on, for ever, and what the reports say of it. */
  const failures: [string, Record<CloudSlot, Fault>, RegExp][] = [
    [
      'refused, or without an end',
      { exta: { kind: 'error', code: 77 }, extb: { kind: 'repeat' }, extc: { kind: 'error', code: 48002 } },
      /77|over and over|48002/,
    ],
    [
      'no JSON',
      { exta: { kind: 'truncated' }, extb: { kind: 'html' }, extc: { kind: 'cut' } },
      /no answer that can be used .* also after 3 more tries/,
    ],
    [
      'lost, limited, busy',
      { exta: { kind: 'reset' }, extb: { kind: 'limited', wait: 1 }, extc: { kind: 'error', code: -1 } },
      /also after \d more tries/,
    ],
  ]
  for (const [what, faults, said] of failures) {
    await t.test(`a reading that fails changes nothing: ${what}`, async (t) => {
      const before = await everything()
      for (const { slot, cloud, platform } of clouds) {
        cloud.faults = [{ ...faults[slot], path: platform.paths.users, nth: 4, times: Number.POSITIVE_INFINITY }]
      }
      const reports = await everywhere('users')
      for (const { cloud } of clouds) cloud.faults = []
      for (const report of reports) {
        t.match(report, { state: 'failed', ...nothing, held: 0, problems: [{ step: 'reading', reason: said }] })
        t.not(report.problems[0]?.advice, '', 'there is always something to do')
      }
      t.strictSame(await everything(), before)
    })
  }

  await t.test('an answer that is empty or tells less than before is held; a token that expires is not', async (t) => {
    const before = await everything()
    const [branch] = feishu.cloud.organisation.departments
    dingtalk.cloud.faults = [{ kind: 'empty' }]
    feishu.cloud.visible = [branch?.id ?? '']
    wecom.cloud.faults = [{ kind: 'idsOnly' }]
    const less = /^The source did not return everything: /
    const reasons = {
      users: [/^The source returned no people/, less, less],
      groups: [/^The source returned no dep/, less],
    }
    for (const kind of ['users', 'groups'] as const) {
      const reports = await everywhere(kind)
      for (const [n, because] of reasons[kind].entries()) {
        t.match(reports[n], { state: 'held', ...nothing, problems: Array })
        const params = { id: reports[n]?.runId ?? 0 }
        const { data } = await service.call('getRun', { token: service.token, params })
        t.ok(data.held > 0)
        t.match(data.heldBecause[0], because)
        await service.db.execute(sql`update sessions set stepped_up_at = now()`)
        t.match(await service.call('discardRun', { token: service.token, params }), { code: 200 })
      }
      if (kind === 'groups')
        t.match(reports[2], { state: 'done', ...nothing, failed: 0 }, 'a department keeps the name it has')
    }
    for (const { cloud, platform } of clouds) cloud.faults = [{ kind: 'expire', path: platform.paths.users, nth: 3 }]
    feishu.cloud.visible = null
    for (const report of await everywhere('users')) t.match(report, { state: 'done', ...nothing, failed: 0 })
    for (const { cloud } of clouds) t.strictSame(cloud.faults, [], 'the token expired')
    t.strictSame(await everything(), before)
  })
})
