import { sql } from 'drizzle-orm'
import t from 'tap'
import type { ContractDocument, Operation } from '../../src/contract/document.ts'
import { documents, type Operations } from '../../src/generated/documents.ts'
import type { CallInput } from '../contract/call.ts'
import { type Json, smallestInput, unknownId } from '../contract/inputs.ts'
import { steward, type TestSteward } from '../steward.ts'

/**
 * Walks all operations with the ids of what belongs to another person. An ordinary person reads and changes nothing of it; no one,
 * whatever their role, is told what is of its owner alone (the diet), a secret of the settings, or what proves who a person is.
 */

const env = {
  JWT_SECRET: 'canary-jwt-secret-0123456789abcdef',
  JWT_SECRET_PREVIOUS: 'canary-previous-secret-0123456789abcdef',
  BACKUP_KEY: 'canary-backup-key-0123456789abcdef',
  LOG_KEY: 'canary-log-key-0123456789abcdef0123',
  TRUST_PROXY: 'on',
}
const date = '2026-06-10'
/** Between two requests some time goes by: what a minute allows is not what is tested here. */
let instant = Date.parse(`${date}T08:00:00Z`)
const pause = 13_000

const operations = documents.flatMap((document: ContractDocument): readonly Operation[] => document.operations)
const isStream = ({ id }: Operation): boolean => ['watchProgress', 'watchNotices'].includes(id)

/** What belongs to a person, with words that are nowhere else. */
const victim = async (s: TestSteward, roleId: number) => {
  const person = await s.person('quentina', { roleIds: [roleId], password: 'canary password of quentina' })
  const { id, token } = person
  const name = 'canary stew'
  const body = {
    ...{ date, preferences: ['canary preference'], allergies: ['canary allergy'] },
    meals: [{ time: '19:00', name, description: 'canary remark', ingredients: [{ name: 'rice', amount: '100 g' }] }],
  }
  const plan = await s.call('savePlan', { token, body })
  if (plan.code !== 200) throw new Error(plan.msg)
  // It is kept for the next who asks.
  await s.call('listTodaysMeals', { token })
  await s.call('getNutritionReport', { token, query: { startDate: date, endDate: date } } as CallInput)
  await s.call('enrolTotp', { token, body: { password: person.password } })
  await s.db.execute(sql`update sessions set stepped_up_at = now()`)
  const device = await s.take('registerDevice', { body: { name: 'Door', type: 'door' } })
  const service = await s.take('createServiceAccount', { body: { name: 'canaryapp' } })
  const [ids] = await s.db.execute<{ meal: string; plan: string; session: string }>(sql`
    select m.id as meal, p.id as plan, (select id from sessions where user_id = ${id}) as session
    from meals m join meal_plans p on p.id = m.plan_id`)
  return {
    numbers: [...new Set([id, Number(ids?.meal), Number(ids?.plan), Number(device.id)])],
    id,
    session: ids?.session ?? '',
    shownOnce: [device.token, service.password],
  }
}

/** What is in the database of secrets, whole. */
const secretsOf = async ({ db }: TestSteward): Promise<string[]> => {
  const columns = await db.execute<{ table: string; column: string }>(sql`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and data_type in ('text', 'character varying')
      and column_name ~ '(hash|secret|password|sealed|token_id)' and column_name !~ '^(plan_hash|previous_hash)$'
      and table_name not like 'operation_log%'`)
  const found: string[] = []
  for (const { table, column } of columns) {
    const rows = await db.execute<{ value: string | null }>(
      sql`select ${sql.identifier(column)} as value from ${sql.identifier(table)}`,
    )
    for (const { value } of rows) if (value !== null && value.length >= 16) found.push(value)
  }
  return found
}

/** The value with each unknown id replaced. */
const pointed = (value: Json | undefined, id: number, session: string): unknown =>
  value === undefined
    ? undefined
    : JSON.parse(
        JSON.stringify(value)
          .replaceAll(String(unknownId), String(id))
          .replaceAll('7b1f8f5e-3c43-4c0f-9a53-0b2c4a1d9e10', session)
          .replaceAll('2026-01-31', date),
      )

const owned = [
  'users',
  'user_roles',
  'sessions',
  'meals',
  'meal_plans',
  'devices',
  'second_factors',
  'roles',
  'role_apis',
]
const own = async ({ db }: TestSteward, except: number): Promise<Record<string, string>> => {
  const found: Record<string, string> = {}
  for (const table of owned) {
    const [row] = await db.execute<{ digest: string }>(sql`
      select coalesce(string_agg(md5(r::text), ',' order by md5(r::text)), '') as digest from ${sql.identifier(table)} r
      where coalesce(to_jsonb(r)->>'user_id', case when ${table} = 'users' then to_jsonb(r)->>'id' end, '') <> ${String(except)}`)
    found[table] = row?.digest ?? ''
  }
  return found
}

t.test('with the ids of another person', async (t) => {
  const s = await steward(t, { directory: 'none', env, now: () => instant })
  const [role] = await s.db.execute<{ id: string }>(sql`select id from roles where keyword = 'user'`)
  const owner = await victim(s, Number(role?.id))
  const secrets = [
    ...Object.values(env).filter((text) => text.startsWith('canary')),
    ...owner.shownOnce,
    ...(await secretsOf(s)),
  ]
  const ofOthers = /canary (stew|remark|preference|allergy|password)/
  let callers = 0
  const walk = async (list: readonly Operation[], token: string | undefined, leaks: RegExp) => {
    const told: string[] = []
    let granted = 0
    for (const operation of list)
      for (const number of owner.numbers) {
        callers += 1
        instant += pause
        const { params, query, body } = pointed(
          smallestInput(operation) as unknown as Json,
          number,
          owner.session,
        ) as CallInput
        const headers = { 'x-forwarded-for': `10.2.${callers >> 8}.${callers & 255}` }
        const input = { params, query, ...(body !== undefined && { body }), token, headers } as CallInput
        const reply = await s.call(operation.id as keyof Operations, input)
        if (reply.code < 300) granted += 1
        const text = `${reply.body}${JSON.stringify(reply.headers)}`
        if (leaks.test(text)) told.push(`${operation.id}: of another person`)
        if (secrets.some((secret) => text.includes(secret))) told.push(`${operation.id}: a secret`)
      }
    return { told: [...new Set(told)], granted }
  }
  const changing = ['logout', 'closeConsoleSession']
  const walked = operations.filter((operation) => !isStream(operation) && !changing.includes(operation.id))

  const mallory = await s.person('mallory', { roleIds: [Number(role?.id)] })
  const before = await own(s, mallory.id)
  const asMallory = await walk(walked, mallory.token, /canary |quentina/)
  t.same(asMallory.told, [], 'an ordinary person is told nothing')
  t.ok(asMallory.granted > 10, `${asMallory.granted} of their requests succeed`)
  t.same(await own(s, mallory.id), before, 'and changes nothing of others')

  const reading = walked.filter(({ method }) => method === 'GET')
  const asAdministrator = await walk(reading, s.token, ofOthers)
  t.same(asAdministrator.told, [], 'an administrator neither reads the diet of others, nor secrets')
  t.ok(asAdministrator.granted > 50, `${asAdministrator.granted} of their requests succeed`)
  const anonymous = await walk(walked, undefined, /canary |quentina/)
  t.same(anonymous.told, [], 'nor is a caller without a token')
  const logged = s.logs.filter((line) => ofOthers.test(line) || secrets.some((secret) => line.includes(secret)))
  t.same(logged, [], 'nothing of it is logged')
})
