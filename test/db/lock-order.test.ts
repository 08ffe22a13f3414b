import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SQL, sql } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import t from 'tap'
import { openStepUpCodes } from '../../src/auth/second-factor/step-up-codes.ts'
import { openBackups } from '../../src/backups/open-backups.ts'
import type { Db } from '../../src/db/client.ts'
import { openTasks } from '../../src/jobs/tasks.ts'
import { adoptPlaces } from '../../src/mirror/ledger/places.ts'
import { loadSecrets } from '../../src/secrets/secrets.ts'
import { postgresMissing, silent, testServerDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { steward } from '../steward.ts'
import { engine } from '../sync/engine-service.ts'
import { department, departments, person } from '../sync/small-organisation.ts'

// Whatever changes people locks users, then roles, groups and directory entries, each once and in the order of ids, and
// sessions before their codes: so two changes wait for each other and are not given up. Each test holds what comes first
// and looks whether a change that waits for it has what comes later.

/** Begins another transaction, outside of the caller's. */
const beginHolding = async (db: Db, statement: SQL) => {
  let end: (last: SQL) => void = () => {}
  const last = new Promise<SQL>((resolve) => {
    end = resolve
  })
  let held: () => void = () => {}
  const holding = new Promise<void>((resolve) => {
    held = resolve
  })
  const over = db.transaction(async (tx) => {
    await tx.execute(statement)
    held()
    return [...(await tx.execute(await last))]
  })
  await Promise.race([holding, over])
  return {
    /**
     * @param minWait milliseconds that the change waits at least, unless it gives up before
     * @returns the rows of a last statement, once a change waits for this transaction
     */
    async end(statement: SQL, minWait = 0): Promise<Record<string, unknown>[]> {
      let waited = false
      const isDue = async (): Promise<boolean> => {
        const [row] = await db.execute<{ waits: number | null }>(sql`
          select (max(extract(epoch from clock_timestamp() - query_start)) * 1000)::float8 as waits
          from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
        const waits = row?.waits ?? null
        const isEnough = waits === null ? waited : waits >= minWait
        waited ||= waits !== null
        return isEnough
      }
      try {
        await eventually(isDue, 'a change waits for what is held')
      } catch (error) {
        end(sql`select`)
        await over
        throw error
      }
      end(statement)
      return over
    },
  }
}

/** Milliseconds after which a server that waits for a lock has looked whether others wait for it, which it does once. */
const lookedForDeadlocks = 1200

const idOf = async (db: Db, statement: SQL): Promise<number> => {
  const [row] = await db.execute<{ id: string }>(statement)
  return Number(row?.id)
}

t.test('on a PostgreSQL server', { skip: postgresMissing }, async (t) => {
  const database = await testServerDatabase(t)
  const { db } = database

  t.test('operations', async (t) => {
    const s = await steward(t, { directory: 'none', database })
    const [low, high] = [
      await idOf(db, sql`insert into roles (name, keyword, sort) values ('low', 'low', 500) returning id`),
      await idOf(db, sql`insert into roles (name, keyword, sort) values ('high', 'high', 501) returning id`),
    ]
    const { id, token, password } = await s.person('ann', { roleIds: [high] })
    await db.execute(sql`update users set mail = 'ann@example.org' where id = ${id}`)
    await db.execute(sql`insert into role_apis select ${high}::bigint, id from api_entries on conflict do nothing`)
    const session = async () =>
      String((await s.call('listOwnSessions', { token })).data.find(({ current }) => current)?.id)

    t.test('the roles that a user has and those they get are locked in one go', async (t) => {
      const deletion = await beginHolding(db, sql`select from roles where id = ${low} for update`)
      const body = { id, roleIds: [high, low], departmentId: [] }
      const updated = s.call('updateUser', { token: s.token, body })
      await t.resolves(deletion.end(sql`select from roles where id = ${high} for update nowait`))
      t.match(await updated, { code: 0 })
    })

    t.test('people are locked before the group that they join or leave', async (t) => {
      const group = await idOf(
        db,
        sql`insert into groups (group_name, group_name_key, group_type) values ('g', 'g', 'cn') returning id`,
      )
      for (const operation of ['addGroupUsers', 'removeGroupUsers'] as const) {
        const other = await beginHolding(db, sql`select from users where id = ${id} for update`)
        const changed = s.call(operation, { token: s.token, body: { groupId: group, userIds: [id] } })
        await t.resolves(other.end(sql`select from groups where id = ${group} for update nowait`), operation)
        t.match(await changed, { code: 0 })
      }
    })

    t.test('groups are changed once no run rearranges departments', async (t) => {
      const id = await idOf(
        db,
        sql`insert into groups (group_name, group_name_key, group_type) values ('above', 'above', 'ou') returning id`,
      )
      const changes = {
        addGroup: { groupName: 'below', groupType: 'cn', parentId: id },
        updateGroup: { id, groupName: 'other' },
      } as const
      for (const operation of ['addGroup', 'updateGroup'] as const) {
        const run = await beginHolding(db, sql`lock table groups in share row exclusive mode`)
        const changed = s.call(operation, { token: s.token, body: changes[operation] })
        await t.resolves(run.end(sql`select from groups where id = ${id} for update nowait`), operation)
        t.match(await changed, { code: 0 })
      }
    })

    t.test('sending a code does not lock a session that is about to end', async (t) => {
      const codes = openStepUpCodes({ db, key: loadSecrets(s.config.dataDir, s.config).stepUpCodeKey })
      const sessionId = await session()
      const ending = await beginHolding(db, sql`select from users where id = ${id} for no key update`)
      const issued = codes.issue(sessionId)
      await t.resolves(ending.end(sql`select from sessions where id = ${sessionId} for update nowait`))
      t.match(await issued, { mail: 'ann@example.org' })
    })

    t.test('a step-up holds its session before it uses the code up', async (t) => {
      const codes = openStepUpCodes({ db, key: loadSecrets(s.config.dataDir, s.config).stepUpCodeKey })
      const sessionId = await session()
      const { code = '' } = (await codes.issue(sessionId)) ?? {}
      const ending = await beginHolding(db, sql`select from sessions where id = ${sessionId} for no key update`)
      const steppedUp = s.call('stepUp', { token, body: { method: 'mail', code } })
      await t.resolves(ending.end(sql`select from step_up_codes where session_id = ${sessionId} for update nowait`))
      t.match(await steppedUp, { code: 200 })
    })
    t.test('confirming an app locks the user before the app', async (t) => {
      const secret = (await s.call('enrolTotp', { token, body: { password } })).data.secret
      const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
      const deletion = await beginHolding(db, sql`select from users where id = ${id} for update`)
      const confirmed = s.call('confirmTotp', { token, body: { code } })
      await t.resolves(deletion.end(sql`select from second_factors where user_id = ${id} for update nowait`))
      t.match(await confirmed, { code: 200 })
    })
  })

  t.test('a restore lets go of the tables before a change that it waits for is given up', async (t) => {
    await steward(t, { directory: 'none', database })
    const folder = await mkdtemp(join(tmpdir(), 'steward-backups-'))
    t.teardown(() => rm(folder, { recursive: true, force: true }))
    const backups = openBackups({
      ...{ database, folder, secrets: [], timeZone: 'UTC', log: silent },
      principals: { announce: async () => {}, drop: () => {} },
      raise: async () => {},
      tasks: openTasks({ database, log: silent }),
      seed: async () => {},
    })
    const { id } = await backups.create({ type: 'manual', creator: 'admin' })
    // What a change has read first, and what it then writes: tables whose names come before and after.
    const changes = [
      [sql`select from users limit 1`, sql`update directory_entries set attempts = attempts`],
      [sql`select from users limit 1`, sql`insert into roles (name, keyword, sort) values ('late', 'late', 900)`],
      [sql`select from api_entries limit 1`, sql`update users set updated_at = now()`],
      [sql`update directory_entries set attempts = attempts`, sql`update users set updated_at = now()`],
      [sql`delete from mail_codes`, sql`update users set updated_at = now()`],
    ] as const
    for (const [first, last] of changes) {
      const change = await beginHolding(db, first)
      const restored = backups.restore(id, 'admin', 'operator')
      await t.resolves(change.end(last, lookedForDeadlocks))
      t.match(await restored, { backupId: id })
    }
  })

  t.test('an adoption takes all entries it writes before it takes the lock on places', async (t) => {
    await database.reset()
    const user = await idOf(
      db,
      sql`insert into users (username, username_key, nickname) values ('ann', 'ann', '') returning id`,
    )
    const group = await idOf(
      db,
      sql`insert into groups (group_name, group_name_key, group_type) values ('g', 'g', 'cn') returning id`,
    )
    await db.execute(sql`insert into group_members (group_id, user_id) values (${group}, ${user})`)
    await db.execute(sql`insert into directory_entries (kind, record_id) values ('user', ${user}), ('group', ${group})`)
    const writer = await beginHolding(db, sql`select from directory_entries where kind = 'group' for update`)
    const place = { kind: 'user', id: user, dn: 'uid=ann,ou=people,dc=example,dc=org', uuid: null } as const
    const adopted = db.transaction((tx) => adoptPlaces(tx, 1, [place]))
    t.same(await writer.end(sql`select pg_try_advisory_xact_lock(7302114907) as free`), [{ free: true }])
    t.match(await adopted, [{ kind: 'user', id: user }])
    t.match(await db.execute(sql`select version::int from directory_entries where kind = 'group'`), [{ version: 2 }])
  })

  t.test('runs', async (t) => {
    const organisation = departments(department('a', 'A'), department('b', 'B'))
    const s = await engine(t, { database, organisation, limit: { records: 100, share: 1 } })
    await s.both()
    const groupOf = (id: string) => idOf(db, sql`select id from groups where source_dept_id = ${id}`)
    const [a, b] = [await groupOf('a'), await groupOf('b')]

    t.test('the groups that people join are locked in the order of their ids', async (t) => {
      s.source.organisation = {
        ...organisation,
        people: [person('p1', { departmentIds: ['b'] }), person('p2', { departmentIds: ['a'] })],
      }
      const deletion = await beginHolding(db, sql`select from groups where id = ${a} for update`)
      const run = s.run('users')
      await t.resolves(deletion.end(sql`select from groups where id = ${b} for update nowait`))
      t.match(await run, { state: 'done', added: 2 })
    })

    t.test('the role that newcomers get is locked with those of the others', async (t) => {
      const role = await idOf(
        db,
        sql`insert into roles (name, keyword, sort) values ('later', 'later', 9) returning id`,
      )
      await db.execute(sql`
        update user_roles set role_id = ${role} where user_id = (select id from users where username = 'p1')`)
      const [p1, p2] = [person('p1', { name: 'Other', departmentIds: ['b'] }), person('p2', { departmentIds: ['a'] })]
      s.source.organisation = { ...organisation, people: [p1, p2, person('p3', { departmentIds: ['a'] })] }
      const deletion = await beginHolding(db, sql`select from roles where keyword = 'user' for update`)
      const run = s.run('users')
      await t.resolves(deletion.end(sql`select from roles where id = ${role} for update nowait`))
      t.match(await run, { state: 'done', added: 1, updated: 1 })
    })

    t.test('entries come after the memberships that go with a department', async (t) => {
      const member = await idOf(db, sql`select user_id as id from group_members where group_id = ${b}`)
      const leaving = await beginHolding(db, sql`delete from group_members where group_id = ${b}`)
      s.source.organisation = departments(department('a', 'A'))
      const run = s.run('groups')
      await t.resolves(
        leaving.end(sql`select from directory_entries where kind = 'user' and record_id = ${member} for update nowait`),
      )
      t.match(await run, { state: 'done', disabled: 1 })
    })
  })
})
