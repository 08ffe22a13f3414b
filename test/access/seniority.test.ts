import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import t from 'tap'
import { type ContractDocument, entryPath, type Operation } from '../../src/contract/document.ts'
import { documents, type Operations } from '../../src/generated/documents.ts'
import { type CallInput, dataOf, type Reply } from '../contract/call.ts'
import { person } from '../people/console.ts'
import { steward } from '../steward.ts'
import { startCloud } from '../sync/clouds.ts'
import { crowd } from '../sync/small-organisation.ts'

type Id = keyof Operations

/** A user whom the caller must not change, and what belongs to them. */
interface Target {
  id: number
  /** One of their roles, of lower rank than the caller's. */
  roleId: number
  /** One they are in, and the one above it. */
  groupId: number
  parentId: number
  sessionId: string
}

/** Inputs by which an operation would change such a user; all of them are 403. */
type Attempts = (target: Target) => CallInput[]

/**
 * What every operation has to do with people: `no person` where it changes no person and nothing they belong to, `self`
 * where it changes only the caller's own account, `highest rank` where it needs that and a step-up, `run` where it starts
 * or confirms a run (see below, and sync/held-changes.test.ts), or how it is tried.
 */
type Verdict = 'no person' | 'self' | 'highest rank' | 'run' | Attempts

const verdicts: Readonly<Record<string, Verdict>> = {
  login: 'self',
  logout: 'self',
  refreshToken: 'self',
  sendCode: 'no person',
  // Who has the code can read the user's mail.
  changePasswordByCode: 'self',
  changeOwnPassword: 'self',
  addUser: ({ roleId }) => [
    { body: person('puppet', { roleIds: [1] }) },
    { body: person('puppet', { roleIds: [roleId, 1] }) },
  ],
  updateUser: ({ id }) => [
    { body: { id, departmentId: [], roleIds: [] } },
    { body: { id, departmentId: [], roleIds: [], mail: 'evil@example.com' } },
    { body: { id, departmentId: [], roleIds: [], source: 'elsewhere' } },
  ],
  deleteUsers: ({ id }) => [{ body: { userIds: [id] } }],
  changeUserStatus: ({ id }) => [{ body: { id, status: 2 } }, { body: { id, status: 1 } }],
  // Both write to the directory what SQL already says.
  syncSqlUsers: 'no person',
  syncSqlGroups: 'no person',
  syncExtAUsers: 'run',
  syncExtBUsers: 'run',
  syncExtCUsers: 'run',
  syncExtLdapUsers: 'run',
  syncExtADepts: 'run',
  syncExtBDepts: 'run',
  syncExtCDepts: 'run',
  syncExtLdapDepts: 'run',
  // A new group has no members.
  addGroup: 'no person',
  updateGroup: ({ groupId, parentId }) =>
    [groupId, parentId].map((id) => ({ body: { id, groupName: 'Renamed', remark: '' } })),
  deleteGroups: ({ groupId, parentId }) => [
    { body: { groupIds: [groupId] } },
    { body: { groupIds: [parentId, groupId] } },
  ],
  addGroupUsers: ({ id, parentId }) => [{ body: { groupId: parentId, userIds: [id] } }],
  removeGroupUsers: ({ id, groupId }) => [{ body: { groupId, userIds: [id] } }],
  addRole: () => [
    { body: { name: 'x', keyword: 'x', sort: 1 } },
    ...['user', 'USER', 'ａｄｍｉｎ', 'adm\u00adin'].map((keyword) => ({ body: { name: 'x', keyword } })),
  ],
  updateRole: ({ roleId }) => [
    { body: { id: roleId, name: 'x', keyword: 'x' } },
    { body: { id: roleId, name: 'held', keyword: 'held', status: 2 } },
    { body: { id: roleId, name: 'held', keyword: 'held', sort: 999 } },
  ],
  deleteRoles: ({ roleId }) => [{ body: { roleIds: [roleId] } }],
  updateRoleApis: ({ roleId }) => [{ body: { roleId, apiIds: [] } }],
  updateRoleMenus: ({ roleId }) => [{ body: { roleId, menuIds: [] } }],
  // What a console shows to whom; it gives no right.
  addMenu: 'no person',
  updateMenu: 'no person',
  deleteMenus: 'no person',
  // Entries of operations that the service has can neither be changed nor deleted.
  addApi: 'no person',
  updateApi: 'no person',
  deleteApis: 'no person',
  addFieldRelation: 'highest rank',
  updateFieldRelation: 'highest rank',
  deleteFieldRelations: 'highest rank',
  declareAttribute: 'highest rank',
  updateAttribute: 'highest rank',
  removeAttribute: 'highest rank',
  createServiceAccount: 'highest rank',
  updateServiceAccount: 'highest rank',
  rotateServicePassword: 'highest rank',
  // They need the highest rank and no step-up (see services/embedded.test.ts).
  removeServiceAccount: 'no person',
  endOldServicePassword: 'no person',
  setPersonAttributes: ({ id }) => [{ params: { id }, body: { values: {} } }],
  addPersonSshKey: ({ id }) => [
    {
      params: { id },
      body: { name: 'x', key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHrnkbhO0CvkpdDkXNVNdw5G6BCf5xwvNYgwUOUmr3Wm' },
    },
  ],
  removePersonSshKey: ({ id }) => [{ params: { id }, body: { fingerprint: 'SHA256:x' } }],
  // It needs the highest rank and a step-up besides.
  setPersonPosix: ({ id }) => [{ params: { id }, body: { number: 4242 } }],
  setDepartmentPosix: ({ groupId }) => [{ params: { id: groupId }, body: { enabled: true } }],
  // Its attributes are not part of an entry of a person.
  setDepartmentAttributes: 'no person',
  deleteOperationLogs: 'no person',
  cleanOperationLogs: 'no person',
  verifyLog: 'no person',
  confirmRun: 'run',
  discardRun: 'run',
  startDryRun: 'no person',
  compareDirectory: 'no person',
  getGroupLayout: 'no person',
  changeGroupLayout: 'no person',
  diagnoseSource: 'no person',
  previewMapping: 'no person',
  previewDietDay: 'no person',
  // They need the highest rank and no step-up (see mirror/orphans.test.ts).
  previewOrphans: 'no person',
  adoptOrphans: 'no person',
  ignoreOrphans: 'no person',
  heedOrphans: 'no person',
  // Each person is refused by themselves; see isRefused.
  changePeople: ({ id, roleId, groupId, parentId }) =>
    [
      { action: 'enable' },
      { action: 'disable' },
      { action: 'delete' },
      { action: 'move', from: groupId, to: parentId },
      { action: 'addGroups', groupIds: [parentId] },
      { action: 'removeGroups', groupIds: [groupId] },
      { action: 'addRoles', roleIds: [roleId] },
      { action: 'addRoles', roleIds: [1] },
      { action: 'removeRoles', roleIds: [roleId] },
    ].map((change) => ({ body: { ...change, ids: [id] } })),
  moveDepartment: ({ groupId, parentId }) => [
    { params: { id: groupId }, body: { parent: null } },
    { params: { id: parentId }, body: { parent: groupId } },
  ],
  // They write to the directory what SQL already says.
  retryPerson: 'no person',
  retryDepartment: 'no person',
  registerDevice: 'no person',
  updateDevice: 'no person',
  removeDevice: 'no person',
  sendHeartbeat: 'no person',
  disableSecondFactor: 'self',
  enrolTotp: 'self',
  confirmTotp: 'self',
  renewRecoveryCodes: 'self',
  resetSecondFactor: ({ id }) => [{ params: { id } }],
  stepUp: 'self',
  sendStepUpCode: 'self',
  endOwnSession: 'self',
  // It only reads, but shows from where and with which devices a user works.
  listUserSessions: ({ id }) => [{ params: { id } }],
  endUserSession: ({ id, sessionId }) => [{ params: { id, sessionId } }],
  openConsoleSession: 'self',
  closeConsoleSession: 'self',
  sendSignInCode: 'self',
  setPasswordByLink: 'self',
  updateMe: 'self',
  setMyAttributes: 'self',
  addMySshKey: 'self',
  removeMySshKey: 'self',
  sendMailProof: 'self',
  confirmMail: 'self',
  resetUserPassword: ({ id }) => ['link', 'shown'].map((way) => ({ params: { id }, body: { way } })),
  // Each user is refused by themselves; see isRefused.
  resetUserPasswords: ({ id }) => ['link', 'shown'].map((way) => ({ body: { way, ids: [id] } })),
  unlockUser: ({ id }) => [{ params: { id } }],
  // It only reads, but includes the password hash of every user.
  downloadBackup: 'highest rank',
  deleteBackup: 'highest rank',
  handleAlert: 'no person',
  handleAlerts: 'no person',
  setDeviceStatus: 'no person',
  createBackup: 'no person',
  restoreBackup: 'highest rank',
  checkSecurity: 'no person',
  callForHelp: 'no person',
  updateMeal: 'no person',
  setMealStatus: 'no person',
  savePlan: 'no person',
}

const operations = documents.flatMap((document: ContractDocument) =>
  document.operations.map((operation: Operation) => ({
    ...operation,
    entry: `${operation.method} ${entryPath(document, operation)}`,
  })),
)

/** Refused as a whole, or each person by themselves. */
const isRefused = ({ code, data }: Reply): boolean =>
  code === 403 ||
  (data as { people?: { result: string }[] } | null)?.people?.every(({ result }) => result === 'refused') === true

const open = async () => {
  const organisation = { departments: [], people: crowd(3).map((each) => ({ ...each, departmentIds: [''] })) }
  const { cloud, env } = await startCloud(t, 'exta', organisation)
  const s = await steward(t, {
    directory: 'none',
    env: { ...env, TRUST_PROXY: 'on', POSIX_ACCOUNTS: 'groups' },
  })
  let calls = 0
  const ask = <I extends Id>(id: I, input: CallInput = {}) => {
    calls += 1
    // A different address each time, so no rate limit of an address applies.
    return s.call(id, { token: s.token, headers: { 'x-forwarded-for': `10.2.${calls >> 8}.${calls & 255}` }, ...input })
  }
  const entries = dataOf(await ask('listApis')).apis
  const addRole = async (keyword: string, sort: number, all: boolean) => {
    const { id } = dataOf(await ask('addRole', { body: { name: keyword, keyword, sort } }))
    if (all) dataOf(await ask('updateRoleApis', { body: { roleId: id, apiIds: entries.map((entry) => entry.id) } }))
    return id
  }
  const callers = await addRole('callers', 900, true)
  const peers = await addRole('peers', 900, false)
  const held = await addRole('held', 950, false)
  const parentId = dataOf(await ask('addGroup', { body: { groupName: 'Above', groupType: 'cn', parentId: 0 } })).id
  const groupId = dataOf(await ask('addGroup', { body: { groupName: 'Within', groupType: 'cn', parentId } })).id
  const sessionOf = async (userId: number): Promise<string> => {
    const [row] = await s.db.execute<{ id: string }>(sql`select id from sessions where user_id = ${userId} limit 1`)
    return row?.id ?? ''
  }
  const targetOf = async (id: number): Promise<Target> => {
    await s.db.execute(sql`
      insert into user_roles (user_id, role_id) values (${id}, ${held}) on conflict do nothing`)
    await s.db.execute(sql`delete from group_members`)
    await s.db.execute(sql`insert into group_members (group_id, user_id) values (${groupId}, ${id})`)
    await s.db.execute(sql`
      insert into second_factors (user_id, secret, last_step, confirmed_at) values (${id}, '', 0, now()) on conflict do nothing`)
    return { id, roleId: held, groupId, parentId, sessionId: await sessionOf(id) }
  }
  const steppedUp = (yes: boolean) =>
    s.db.execute(yes ? sql`update sessions set stepped_up_at = now()` : sql`update sessions set stepped_up_at = null`)
  return { ...s, cloud, ask, targetOf, steppedUp, callers, peers, held, groupId, parentId }
}

const s = await open()
const weak = await s.person('weak', { roleIds: [s.callers] })
const peer = await s.person('peer', { roleIds: [s.peers] })

t.test('every operation that changes anything has a verdict on what it may change of people', async (t) => {
  const changing = operations.filter(({ method, id }) => method !== 'GET' || id in verdicts).map(({ id }) => id)
  t.same(Object.keys(verdicts).sort(), changing.sort(), 'a new operation: say in this table what it does to people')
})

/** The code that writes people, and its permit, or the reason why it needs none. */
const writers: Readonly<Record<string, RegExp>> = {
  'main/bootstrap.ts': /permitStart/,
  'people/group-writes.ts': /MembersPermit/,
  'access/rows.ts': /requirePermitted/,
  'people/user-writes.ts': /UsersPermit/,
  'people/bulk-writes.ts': /UsersPermit/,
  'auth/password-writes.ts': /OwnPermit/,
  'access/role-grants.ts': /Permit<'role'>/,
  // A start grants menus to the roles of the first start, once; menus give no right.
  'access/menu-seeds.ts': /seeded\.claim/,
  // Keys are derived from the texts that are there; no person is changed.
  'people/mobile-keys.ts': /mobile_key/,
  // It takes over what the entry already shows; no right changes.
  'mirror/entry/ssh-keys.ts': /takesOver/,
  // Attributes are removed from all records, by a caller who may change every record.
  'people/attributes/retire.ts': /highest rank/,
  // What it deletes has no values any more.
  'mirror/entry/removed-attributes.ts': /removed_at is not null/,
  // Within a restore, which its caller may make: it only tells its passwords from others.
  'backups/restore/keep-password-ids.ts': /set password_id = gen_random_uuid\(\)\s+where not exists/,
  'sync/apply-groups.ts': /RunPermit/,
  'sync/apply-users.ts': /RunPermit/,
}

t.test('nothing but what takes a permit writes people and what they belong to', async (t) => {
  const guarded = '(users|groups|user_roles|group_members|roles|role_apis|role_menus)'
  const inSql = new RegExp(`(insert into|update|delete from|truncate|merge into) "?${guarded}\\b`, 'i')
  const objects = '(users|groups|userRoles|groupMembers|roles|roleApis|roleMenus)'
  const inTypes = new RegExp(
    `(insert into|update|delete from) \\$\\{${objects}\\}|\\.(insert|update|delete)\\(${objects}\\)`,
    'i',
  )
  const root = join(import.meta.dirname, '../../src')
  const files = (await readdir(root, { recursive: true })).filter(
    (file) => /\.ts$/.test(file) && !/generated/.test(file),
  )
  t.ok(files.length > 300)
  for (const file of files) {
    const text = await readFile(join(root, file), 'utf8')
    const proof = writers[file.replaceAll('\\', '/')]
    if (proof !== undefined) t.match(text, proof, file)
    else t.notOk(inSql.test(text) || inTypes.test(text), `${file} writes people without a permit (access/permits/)`)
  }
})

/** All data of a person: the record, roles, groups and sign-in. */
const all = async ({ id }: Target): Promise<unknown> => {
  const [row] = await s.db.execute(sql`
    select to_jsonb(u) as person,
      (select jsonb_agg(to_jsonb(r) || jsonb_build_object(
          'apis', (select jsonb_agg(api_id order by api_id) from role_apis where role_id = r.id),
          'menus', (select jsonb_agg(menu_id order by menu_id) from role_menus where role_id = r.id)) order by r.id)
        from roles r join user_roles ur on ur.role_id = r.id where ur.user_id = u.id) as roles,
      (with recursive up as (
          select g.* from groups g join group_members m on m.group_id = g.id where m.user_id = u.id
          union select g.* from groups g join up on g.id = up.parent_id)
        select jsonb_agg(to_jsonb(up) order by up.id) from up) as groups,
      (select count(*) from sessions where user_id = u.id and ended_at is null) as sessions,
      (select count(*) from second_factors where user_id = u.id) as factors
    from users u where u.id = ${id}`)
  return row
}

for (const [who, id] of [
  ['a user of equal rank', peer.id],
  ['the last enabled user who may do everything', 1],
] as const) {
  t.test(`no operation changes ${who}`, async (t) => {
    const target = await s.targetOf(id)
    await s.steppedUp(true)
    const before = await all(target)
    for (const [operation, verdict] of Object.entries(verdicts)) {
      if (typeof verdict !== 'function') continue
      for (const input of verdict(target)) {
        const reply = await s.ask(operation as Id, { ...input, token: weak.token })
        t.ok(isRefused(reply), `${operation} ${JSON.stringify(input)}: ${reply.code} ${reply.msg}`)
        t.notMatch(reply.msg, /none of your roles/, 'it is not the grant that is missing')
        t.same(await all(target), before, `${operation} ${JSON.stringify(input)}`)
      }
    }
    const { id: groupId } = { id: target.groupId }
    const remarked = await s.ask('updateGroup', {
      body: { id: groupId, groupName: 'Within', remark: 'x' },
      token: weak.token,
    })
    t.equal(remarked.code, 0, 'a remark is not part of an entry of a person')
    const named = { body: { id: target.roleId, name: 'held', keyword: 'held', remark: 'x' }, token: weak.token }
    t.equal((await s.ask('updateRole', named)).code, 0, 'a remark of a role changes no rights')
  })
}

t.test('what can bypass all other rules needs the highest rank, and a step-up', async (t) => {
  const inputs: Readonly<Record<string, CallInput>> = {
    addFieldRelation: { body: { flag: 'x', attributes: {} } },
    updateFieldRelation: {
      body: { id: 1, flag: 'exta_user', attributes: { username: 'userid', mail: '"evil@example.com"' } },
    },
    deleteFieldRelations: { body: { fieldRelationIds: [1] } },
    declareAttribute: { body: { kind: 'user', name: 'shoe', labels: { en: 'x', 'zh-CN': 'x' }, type: 'text' } },
    updateAttribute: { params: { id: 1 }, body: { own: 'edit' } },
    removeAttribute: { params: { id: 1 } },
    createServiceAccount: { body: { name: 'wiki' } },
    updateServiceAccount: { params: { id: 1 }, body: { groups: true } },
    rotateServicePassword: { params: { id: 1 }, body: {} },
    restoreBackup: { params: { id: 1 } },
    downloadBackup: { params: { id: 1 } },
    deleteBackup: { params: { id: 1 } },
  }
  const restricted = Object.keys(verdicts).filter((id) => verdicts[id] === 'highest rank')
  t.same(Object.keys(inputs).sort(), restricted.sort())
  const before = dataOf(await s.ask('listFieldRelations'))
  for (const [id, input] of Object.entries(inputs)) {
    await s.steppedUp(true)
    const asWeak = await s.ask(id as Id, { ...input, token: weak.token })
    t.match(asWeak, { code: 403, msg: /only a user with a role of sort 1/ }, id)
    await s.steppedUp(false)
    const asStrong = await s.ask(id as Id, input)
    t.match(asStrong, { code: 401, data: { required: 'second_factor', maxAge: 300 } }, id)
    t.match(asStrong.headers['www-authenticate'], /insufficient_user_authentication/, id)
  }
  t.same(dataOf(await s.ask('listFieldRelations')), before)
})

t.test(
  'a token alone cannot make an administrator, nor take an account over, where its user has a second factor',
  async (t) => {
    await s.steppedUp(true)
    const { id: idle } = dataOf(await s.ask('addRole', { body: { name: 'idle', keyword: 'idle', sort: 1, status: 2 } }))
    const boss = await s.person('boss', { roleIds: [1] })
    const gone = await s.person('gone', { roleIds: [1, idle] })
    dataOf(await s.ask('changeUserStatus', { body: { id: gone.id, status: 2 } }))
    const plain = await s.person('plain')
    await s.db.execute(sql`update users set mail = 'boss@example.com' where id = ${boss.id}`)
    const { token } = boss
    const same = { departmentId: [], roleIds: [] }
    const inputs: [Id, CallInput][] = [
      ['addUser', { body: person('puppet', { roleIds: [1] }) }],
      ['updateUser', { body: { ...same, id: plain.id, roleIds: [1] } }],
      ['updateUser', { body: { id: 1, departmentId: [], roleIds: [1], mail: 'evil@example.com' } }],
      ['updateUser', { body: { ...same, id: plain.id, mail: 'plain@example.com' } }],
      ['updateUser', { body: { id: boss.id, departmentId: [], roleIds: [1], mail: 'evil@example.com' } }],
      ['changeUserStatus', { body: { id: gone.id, status: 1 } }],
      ['addRole', { body: { name: 'x', keyword: 'x', sort: 1 } }],
      ['updateRole', { body: { id: s.held, name: 'held', keyword: 'held', sort: 1 } }],
      ['updateRole', { body: { id: idle, name: 'idle', keyword: 'idle', status: 1 } }],
    ]
    await s.steppedUp(false)
    for (const [id, input] of inputs) {
      const reply = await s.ask(id, { ...input, token })
      t.match(reply, { code: 401, data: { required: 'second_factor', methods: ['mail'] } }, `${id} ${reply.msg}`)
    }
    for (const [id, input] of [
      ['addUser', { body: person('ordinary', { roleIds: [s.held] }) }],
      ['updateUser', { body: { id: 1, departmentId: [], roleIds: [1], nickname: 'Administrator' } }],
      ['updateRole', { body: { id: s.held, name: 'held', keyword: 'held', sort: 951 } }],
    ] as [Id, CallInput][]) {
      const reply = await s.ask(id, { ...input, token })
      t.equal(reply.code, 0, `${id} ${reply.msg}`)
    }
    await s.steppedUp(true)
    for (const [id, input] of inputs.slice(5)) t.equal((await s.ask(id, { ...input, token })).code, 0, id)
    await s.db.execute(sql`update roles set sort = 950 where id = ${s.held}`)
    await s.db.execute(sql`update roles set sort = 800 where id = ${idle}`)
    await s.db.execute(sql`delete from user_roles where user_id in (${boss.id}, ${gone.id})`)
  },
)

t.test('a run does what its starter may do, and holds the rest for a user of higher rank', async (t) => {
  dataOf(await s.ask('syncExtADepts'))
  dataOf(await s.ask('syncExtAUsers'))
  const { users } = dataOf(await s.ask('listUsers'))
  const [first] = users.filter(({ source }) => source === 'exta')
  if (first === undefined) throw new Error('the run added no person')
  const show = async () => dataOf(await s.ask('listUsers')).users.find(({ id }) => id === first.id)
  await s.db.execute(sql`
    delete from user_roles where role_id = (select id from roles where keyword = 'user')`)
  await s.db.execute(sql`insert into user_roles (user_id, role_id) values (${first.id}, 1)`)
  s.cloud.organisation = {
    ...s.cloud.organisation,
    people: s.cloud.organisation.people.map((each) => ({ ...each, title: 'Chief of something' })),
  }
  const { runId, ...report } = dataOf(await s.ask('syncExtAUsers', { token: weak.token }))
  t.match(report, {
    state: 'held',
    updated: 2,
    held: 1,
    problems: [{ sourceId: first.sourceUserId, step: 'seniority' }],
  })
  t.equal((await show())?.position, first.position)
  const { changes } = dataOf(await s.ask('listRunChanges', { params: { id: runId }, query: { state: 'held' } }))
  t.match(changes, [{ recordId: first.id, state: 'held', reason: /rank is not lower/ }])

  const { planHash, heldBecause } = dataOf(await s.ask('getRun', { params: { id: runId } }))
  t.match(heldBecause, [/rank is not lower than that of the user who runs it: 1$/])
  await s.steppedUp(true)
  const confirm = { params: { id: runId }, body: { planHash } }
  t.match(dataOf(await s.ask('confirmRun', { ...confirm, token: weak.token })), { state: 'held', held: 1 })
  t.equal((await show())?.position, first.position)
  t.match(dataOf(await s.ask('confirmRun', confirm)), { state: 'done', updated: 3, held: 0 })
  t.equal((await show())?.position, 'Chief of something')

  const taken = await s.ask('updateUser', {
    body: { id: users.filter(({ source }) => source === 'exta')[1]?.id, departmentId: [], roleIds: [], source: '' },
    token: weak.token,
  })
  t.match(
    taken,
    { code: 403, data: [{ field: 'source' }] },
    'a person cannot be excluded from the runs that disable leavers',
  )
})

t.test('of two who disable each other at once one stays', async (t) => {
  const another = await s.person('another', { roleIds: [1] })
  const [ofThem] = await s.db.execute<{ id: string }>(sql`
    select user_id as id from user_roles where role_id = 1 and user_id not in (1, ${another.id})`)
  if (ofThem) await s.db.execute(sql`update users set status = 2 where id = ${ofThem.id}`)
  const codes = await Promise.all([
    s.ask('changeUserStatus', { body: { id: 1, status: 2 }, token: another.token }),
    s.ask('changeUserStatus', { body: { id: another.id, status: 2 } }),
  ])
  t.same(codes.map(({ code }) => code === 0).sort(), [false, true], codes.map(({ msg }) => msg).join())
  const left = await s.db.execute(sql`
    select from users u join user_roles ur on ur.user_id = u.id where ur.role_id = 1 and u.status = 1`)
  t.equal(left.length, 1)
})
