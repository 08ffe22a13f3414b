import t from 'tap'
import { exitCodeOf, leftOutLines } from '../../src/commands/sync/report.ts'
import type { RunRecord } from '../../src/sync/run-records.ts'

const run = (kind: 'groups' | 'users', more: Partial<RunRecord> = {}): RunRecord =>
  ({ kind, state: 'done', failed: 0, heldBecause: [], problems: [], ...more }) as unknown as RunRecord

t.test('a command that was stopped before it came to the people has not done what was asked', async (t) => {
  const both = ['groups', 'users'] as const
  t.equal(exitCodeOf([run('groups'), run('users')], both), 0)
  t.same(leftOutLines([run('groups'), run('users')], both), [])
  t.equal(exitCodeOf([run('groups')], ['groups']), 0)
  t.equal(exitCodeOf([run('groups')], both), 1)
  t.same(leftOutLines([run('groups')], both), ['Not begun: people'])
  t.equal(exitCodeOf([run('groups', { state: 'held', heldBecause: ['why'] })], both), 1)
  t.equal(exitCodeOf([run('groups', { state: 'held', heldBecause: ['why'] }), run('users')], both), 3)
  t.same([exitCodeOf([], both), leftOutLines([], both)], [1, ['Not begun: departments, people']])
})
