import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import type { Operations } from '../src/generated/documents.ts'
import { type Fuzzer, fuzzer, type Rules, type Target } from './contract/fuzzer.ts'
import { type Hints, strangeInputs, validInputs } from './contract/generated-inputs.ts'
import {
  boundaryValues,
  type Input,
  type Json,
  type JsonObject,
  places,
  replaced,
  smallestInput,
} from './contract/inputs.ts'
import { oddTexts, oddValues } from './contract/odd-values.ts'
import { wireRequest } from './contract/wire-request.ts'
import { eventually } from './eventually.ts'
import { fileLimit } from './nightly.ts'
import { skipWithoutSlapd, testSlapd } from './slapd.ts'
import { steward, type TestSteward } from './steward.ts'

type Id = keyof Operations

const seed = Number(process.env.FUZZ_SEED ?? 20_260_131)
const numRuns = Number(process.env.FUZZ_RUNS ?? 15)
t.setTimeout(fileLimit(1_200_000))
t.comment(`FUZZ_SEED=${seed} FUZZ_RUNS=${numRuns}`)

const wrongSignIn = /the username or the password is wrong/
const newPassword =
  /^(password|newPassword): (must have 8 to 128|is one of the most common|is too similar to the username)/
const name = /^(username|groupName): must (not contain control|contain a visible)/
const nesting = /^parentId: (a menu cannot be below itself|\w+ can be nested at most)/
const lastAdministrator = /at least one enabled administrator must remain/
const administratorsRole = /the administrator role/
const expression = /^attributes\.[\s\S]*: (expected|unexpected|is not a field that can be filled|is required)/
// A meal that names a recipe may hold none of what a written one has, and is told so by the type of it, or by its name.
const plannedMeal =
  /^meals\.\d+\.(ingredients\.\d+\.(amount|name): (of|must be a number and one of the units|.* is among the allergies)|(name|ingredients): is required without|servings: is allowed only with|(name|description|ingredients|calories|nutrition|recipeId|servings)[\w.]*: (of .* )?must |\w+: is not allowed with|recipeId: (recipe \d+ does not exist|.* is among the allergies))/s
const ingredient =
  /^ingredients\.\d+\.(amount: (of|must be a number and one of the units)|name: .* is among the allergies)/s
const stepUp = /a second factor is required: enrol an authenticator app first/
const selection =
  /^(dns: is not allowed with|filter: is required without|hash: is required with|dns\.\d+: is not a valid DN)/
const cursor = /^cursor: is not a cursor of this list/
const kindRequired = /^kind: is required together with id/
const declaration =
  /^(name|ldapAttribute|objectClass): (is reserved|the directory cannot show)|^(minimum|maximum): is not a possible bound/
const sshKey = /^key: (must be|is)/
const noAttribute = /^values\.[\s\S]*: no such attribute/
const notConfigured = / is not configured: set /

/** What the contract says in words and its schemas cannot. */
const rules: Rules = {
  login: [[401, wrongSignIn]],
  openConsoleSession: [[401, wrongSignIn]],
  sendSignInCode: [[401, wrongSignIn]],
  setPasswordByLink: [[400, /^token: is wrong, expired or already used/], [400, newPassword]],
  confirmMail: [[400, /^code: is wrong/]],
  resetUserPassword: [[401, stepUp]],
  resetUserPasswords: [[401, stepUp]],
  refreshToken: [[401, /the token is not valid/]],
  decryptPassword: [[400, /^passwd: was not encrypted by this service/]],
  changePasswordByCode: [[400, /^code: is wrong/], [400, newPassword]],
  addUser: [[400, name], [400, newPassword]],
  updateUser: [[400, name], [403, lastAdministrator]],
  changeUserStatus: [[403, /^id: you cannot disable yourself/], [403, lastAdministrator]],
  deleteUsers: [[403, /^userIds\.\d+: you cannot delete yourself/], [403, lastAdministrator]],
  changeOwnPassword: [[400, newPassword], [400, /^oldPassword: is not your current password/]],
  addGroup: [[400, name], [400, /^groupType: must be ou or cn/], [400, nesting]],
  updateGroup: [[400, name]],
  addMenu: [[400, nesting]],
  updateMenu: [[400, nesting]],
  updateRole: [[403, /^keyword: cannot be changed: the service finds this role/], [403, administratorsRole], [403, lastAdministrator]],
  deleteRoles: [[403, administratorsRole]],
  addFieldRelation: [[400, expression], [401, stepUp]],
  updateFieldRelation: [[400, expression], [401, stepUp]],
  deleteFieldRelations: [[401, stepUp]],
  updateRoleApis: [[403, administratorsRole]],
  updateRoleMenus: [[403, administratorsRole]],
  syncExtAUsers: [[503, notConfigured]],
  syncExtBUsers: [[503, notConfigured]],
  syncExtCUsers: [[503, notConfigured]],
  syncExtLdapUsers: [[503, notConfigured]],
  syncExtADepts: [[503, notConfigured]],
  syncExtBDepts: [[503, notConfigured]],
  syncExtCDepts: [[503, notConfigured]],
  syncExtLdapDepts: [[503, notConfigured]],
  confirmRun: [[401, stepUp]],
  discardRun: [[401, stepUp]],
  changeGroupLayout: [[401, stepUp]],
  disableSecondFactor: [[401, stepUp]],
  enrolTotp: [[400, /^password: is not your current password/]],
  renewRecoveryCodes: [[401, stepUp]],
  resetSecondFactor: [[401, stepUp]],
  restoreBackup: [[401, stepUp]],
  downloadBackup: [[401, stepUp]],
  deleteBackup: [[401, stepUp]],
  adoptOrphans: [[400, selection]],
  ignoreOrphans: [[400, selection]],
  watchProgress: [[400, kindRequired]],
  getProgress: [[400, kindRequired]],
  startDryRun: [[503, notConfigured]],
  diagnoseSource: [[503, notConfigured]],
  previewMapping: [[503, notConfigured]],
  listPeople: [[400, cursor], [400, /^attribute: no such attribute/]],
  listDepartments: [[400, cursor], [400, /^attribute: no such attribute/]],
  listMembers: [[400, cursor]],
  listRoleHolders: [[400, cursor]],
  listApiHolders: [[400, cursor]],
  changePeople: [[400, /^(roleIds|groupIds|from|to): is required for/], [403, lastAdministrator]],
  moveDepartment: [[400, /^parent: (a group cannot be below itself|groups are nested at most)/]],
  savePlan: [[400, plannedMeal]],
  updateMeal: [[400, ingredient]],
  sendHeartbeat: [[401, /this token does not belong to a device/]],
  declareAttribute: [[401, stepUp], [400, declaration], [409, declaration]],
  updateAttribute: [[401, stepUp]],
  removeAttribute: [[401, stepUp]],
  createServiceAccount: [[401, stepUp]],
  updateServiceAccount: [[401, stepUp]],
  rotateServicePassword: [[401, stepUp]],
  setPersonAttributes: [[400, noAttribute]],
  setDepartmentAttributes: [[400, noAttribute]],
  setMyAttributes: [[400, noAttribute]],
  setPersonPosix: [[401, stepUp]],
  addPersonSshKey: [[400, sshKey]],
  addMySshKey: [[400, sshKey]],
  setDepartmentPosix: [[401, stepUp]],
} // biome-ignore format: a table

/**
 * Operations that never succeed here: a password, a code, a token, a signature or the id of a session is not guessed,
 * no user has a second factor, no attribute is declared, there is no service account, no source is configured, so no run is held, and no entry of the directory is an orphan.
 */
const hopeless =
  /^(login|openConsoleSession|sendSignInCode|setPasswordByLink|confirmMail|resetUserPassword|refreshToken|decryptPassword|changeOwnPassword|changePasswordByCode|syncExt\w+|(confirm|discard)Run|changeGroupLayout|enrolTotp|confirmTotp|renewRecoveryCodes|(disable|reset)SecondFactor|stepUp|sendStepUpCode|end(Own|User)Session|(restore|download|delete)Backup|showReport|startDryRun|diagnoseSource|previewMapping|sendHeartbeat|(adopt|ignore)Orphans|(update|remove)Attribute|(create|update|remove)ServiceAccount|getServiceAccountRules|(rotate|endOld)ServicePassword|setPersonPosix|(add|remove)(My|Person)SshKey)$/

/** Values by which a good part of the requests get past those rules. */
const hints: Hints = {
  groupType: fc.constantFrom('ou', 'cn'),
  mail: fc.oneof(fc.constant(''), fc.emailAddress({ size: 'small' })),
  mobile: fc.stringMatching(/^([0-9+(][0-9 +()-]{0,19})?$/),
  password: fc.constantFrom('seven-quiet-lanterns', ''),
  newPassword: fc.constant('seven-quiet-lanterns'),
  values: fc.constantFrom({}, { costCentre: ['x'] }),
  amount: fc.constantFrom('2个', '150g', '1/2 份', '250mL'),
  meals: fc.array(
    fc.record({
      time: fc.constantFrom('08:00', '12:30'),
      name: fc.constantFrom('Breakfast', '早餐'),
      ingredients: fc.array(fc.record({ name: fc.constantFrom('egg', '鸡蛋', '？'), amount: fc.constant('2个') })),
    }),
    { maxLength: 3 },
  ),
  attributes: fc.dictionary(fc.string(), fc.constantFrom('a.b[0]', 'a ?? "b"', 'lower(a)'), { noNullPrototype: true }),
}

let names = 0

/** Fields of the smallest input as they have to be for it to be accepted, again and again. */
const acceptable = (newest: Fuzzer['newest'], group: string): JsonObject => {
  names += 1
  const unique = `n${names}`
  const { users = 1, groups = 1, roles = 1, menus = 1 } = newest
  return {
    ...{ username: unique, groupName: unique, name: unique, keyword: unique, flag: unique, path: `/${unique}` },
    ...{ groupType: 'cn', parentId: 0, departmentId: [], roleIds: [], mail: '', mobile: '', jobNumber: '' },
    ...{ id: newest[group] ?? 1, groupId: groups, roleId: roles, userIds: [users], menuIds: [menus], apiIds: [1] },
  }
}

/** Acceptable inputs with one value on a bound, beyond it, of another type, or missing: for every place there is. */
const nearlyValid = (newest: Fuzzer['newest'], { operation }: Target): Input[] => {
  const { body, querystring } = operation.schema
  const isDeclared = ([field]: [string, Json]) => field in ((body?.properties ?? {}) as object)
  const base = (): Input & { body: Json } => {
    const input = smallestInput(operation)
    const fields = Object.fromEntries(Object.entries(acceptable(newest, operation.group)).filter(isDeclared))
    return { ...input, body: { ...((input.body ?? {}) as JsonObject), ...fields } }
  }
  const inBody = (body === undefined ? [] : places(body)).flatMap(({ path, schema }) =>
    [undefined, ...boundaryValues(schema), ...oddValues].map((value): Input => {
      const input = base()
      return { ...input, body: replaced(input.body, path, value) }
    }),
  )
  const declared = (querystring?.properties ?? {}) as object
  const inQuery = Object.keys(declared).flatMap((parameter) =>
    [[], ['1', '1'], ...oddTexts.map((text) => [text])].map((texts): Input => {
      const input = smallestInput(operation)
      const page = 'pageSize' in declared ? { pageSize: ['2'] } : {}
      return { ...input, query: { ...input.query, ...page, [parameter]: texts } }
    }),
  )
  return [...inBody, ...inQuery]
}

/** No record waits for the directory, whatever it is called. */
const everythingArrived = async (t: Test, { call, token }: TestSteward): Promise<void> => {
  const left = { query: { syncState: 2 }, token }
  const users = async () => (await call('listUsers', left)).data.users
  // Of a name of 128 characters with four bytes each, slapd's index of DNs cannot hold the key (LMDB: 511 bytes).
  const groups = async () =>
    (await call('listGroups', left)).data.groups.filter(({ syncError }) => !syncError.includes('DN index add failed'))
  // A change that is answered may still be on its way.
  await eventually(async () => (await users()).length + (await groups()).length === 0, 'the last', 20_000).catch(
    () => {},
  )
  t.same(await users(), [])
  t.same(await groups(), [])
}

t.test('requests to every operation', async (t) => {
  // The clock goes on by a minute whenever it is read, so that no limit of a user is reached.
  let instant = Date.now()
  const now = (): number => {
    instant += 60_000
    return instant
  }
  const service = await steward(t, { env: { TRUST_PROXY: 'on', POSIX_ACCOUNTS: 'all' }, now })
  const fuzz = fuzzer({ service, rules, seed, numRuns })
  const { targets, send, sendRaw, check, counts, newest } = fuzz
  const needsStepUp = /^(add|update|delete)FieldRelation/
  /** Field relations need a step-up; nothing else gets one, or a restore would end all this. */
  const steppedUp = async (target: Target, work: () => Promise<unknown>): Promise<unknown> => {
    if (!needsStepUp.test(target.id)) return work()
    await service.db.execute(sql`update sessions set stepped_up_at = now() + interval '1 hour'`)
    return work().finally(() => service.db.execute(sql`update sessions set stepped_up_at = null`))
  }

  await t.test('a call for help and the alert it raises, a plan and its meal', async (t) => {
    const ask = async (id: Id, input: Partial<Input>): Promise<void> => {
      for (const target of targets.filter((each) => each.id === id)) {
        await send(target, { params: {}, query: {}, body: undefined, ...input })
      }
    }
    await t.resolves(ask('callForHelp', { body: { type: 'fire', description: 'in the server room' } }))
    await t.resolves(ask('handleAlert', { params: { id: '1' } }))
    const meals = [{ time: '08:00', name: 'Breakfast', ingredients: [{ name: 'egg', amount: '2个' }] }]
    await t.resolves(ask('savePlan', { body: { date: '2026-01-31', meals } }))
    await t.resolves(ask('updateMeal', { params: { id: '1' }, body: { name: 'Early breakfast' } }))
    await t.resolves(ask('setMealStatus', { params: { id: '1' }, body: { status: 'done' } }))
  })

  await t.test('each bound, each type and each missing field', async (t) => {
    for (const target of targets) {
      const failures: string[] = []
      const inputs = nearlyValid(newest, target)
      await steppedUp(target, async () => {
        for (const input of inputs) await send(target, input).catch((error: Error) => failures.push(error.message))
      })
      t.same(failures, [], `${target.id}: ${inputs.length} requests`)
    }
  })

  await t.test('valid ones', async (t) => {
    for (const target of targets) {
      const all = () => check(target, validInputs(target.operation, hints))
      await t.resolves(steppedUp(target, all), target.id)
    }
  })

  await t.test('with a few values that may not belong there', async (t) => {
    for (const target of targets) await t.resolves(check(target, strangeInputs(target.operation, hints)), target.id)
  })

  await t.test('that hardly are any', async (t) => {
    const raw = fc.record({
      target: fc.constantFrom(...targets.filter(({ id }) => id !== 'logout')),
      query: fc.webQueryParameters({ size: 'small' }).map((text) => text && `?${text}`),
      payload: fc.option(
        fc.oneof(fc.json(), fc.string({ unit: 'binary' }), fc.constantFrom('{', '[', '{"a":', '\ufeff{}')),
      ),
      type: fc.constantFrom(
        'application/json',
        'application/json; charset=utf-8',
        'text/plain',
        'multipart/form-data',
        '',
      ),
    })
    const property = fc.asyncProperty(raw, ({ target, query, payload, type }) => {
      const { document, operation } = target
      const { method, url } = wireRequest(document, operation, {
        params: smallestInput(operation).params,
        query: {},
        body: undefined,
      })
      const request = { method, url: `${url}${query}`, ...(payload !== null && method !== 'GET' && { payload }) }
      return sendRaw(target, request, payload === null ? {} : { 'content-type': type })
    })
    await t.resolves(fc.assert(property, { seed, numRuns: numRuns * 20 }))
  })

  const accepted = (id: Id): number => (counts[id]?.[0] ?? 0) + (counts[id]?.[200] ?? 0)

  await t.test('more of those that no request has met yet, where few are sent', async (t) => {
    for (const target of targets.filter(({ id }) => !hopeless.test(id))) {
      for (let round = 1; round <= 40 && accepted(target.id) === 0; round += 1) {
        const all = () => check(target, validInputs(target.operation, hints), seed + round)
        await t.resolves(steppedUp(target, all), `${target.id}, round ${round}`)
      }
    }
  })

  await t.test('got as far as they could', async (t) => {
    for (const { id, operation } of targets) {
      const refused = counts[id]?.[400] ?? 0
      t.ok(accepted(id) > 0 || hopeless.test(id), `${id} was done ${accepted(id)} times`)
      if (operation.schema.body ?? operation.schema.querystring) t.ok(refused > 0, `${id} was refused ${refused} times`)
    }
  })

  await t.test('left nothing behind that the directory does not hold', (t) => everythingArrived(t, service))
})

t.test('people and groups of any name reach slapd', { skip: skipWithoutSlapd }, async (t) => {
  const directory = await testSlapd(t)
  const service = await steward(t, { directory, env: { TRUST_PROXY: 'on', POSIX_ACCOUNTS: 'all' } })
  // Fewer would not get everywhere.
  const { targets, check, counts } = fuzzer({ service, rules, seed, numRuns: Math.max(25, numRuns) })
  const existing = {
    departmentId: fc.subarray([1, 2, 3]),
    roleIds: fc.subarray([1, 2, 3]),
    id: fc.integer({ min: 2, max: 9 }),
  }
  const mirrored: Id[] = ['addGroup', 'addUser', 'updateUser', 'updateGroup', 'addGroupUsers', 'changeUserStatus']
  for (const target of targets.filter(({ id }) => mirrored.includes(id))) {
    await t.resolves(check(target, validInputs(target.operation, { ...hints, ...existing })), target.id)
    t.ok((counts[target.id]?.[0] ?? 0) > 0, `${target.id} was done`)
  }
  await everythingArrived(t, service)
})
