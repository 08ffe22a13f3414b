import { readFile } from 'node:fs/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import t from 'tap'
import { parse } from 'yaml'

/**
 * The whole interface, typed from the specification by hand, one operation a line:
 *   METHOD path (public|optional|secured) operationId = answer | query | body
 * `!` marks what is required. `a-b` is a text's length, `text` a text the specification gives no length, `id`, `ids`,
 * `int`, `map` and `{…}` types, `1..9` a range, `1|2` the allowed values. Fields after `+` are additions of ours.
 */
const operations = {
  base: `
    POST /base/login public login = Token | | username! text, password! text, code text, newPassword 8-1024
    POST /base/logout optional logout = Done
    POST /base/refreshToken optional refreshToken = Token | header Authorization! text
    GET /base/ping public ping = Pong
    GET /base/dashboard public dashboard = DashboardCounts
    GET /base/encryptpwd public encryptPassword = EncryptedPassword | passwd! text
    GET /base/decryptpwd public decryptPassword = PlainPassword | passwd! text
    POST /base/sendcode public sendCode = Done | | mail! 0-100
    POST /base/changePwd public changePasswordByCode = Done | | mail! 0-100, code! text, + newPassword 8-1024`,
  users: `
    POST /user/add secured addUser = Created | | username! 2-50, nickname! 0-50, mail! 0-100, mobile! text, jobNumber! 0-20, departmentId! ids, roleIds! ids, password text, givenName 0-50, avatar text, introduction 0-255, position 0-128, postalAddress 0-255, departments 0-512, source 0-50, status 1|2
    POST /user/update secured updateUser = Done | | id! id, username 2-50, nickname 0-20, mail 0-100, mobile text, jobNumber 0-20, departmentId! ids, roleIds! ids, givenName 0-50, avatar text, introduction 0-255, position 0-128, postalAddress 0-255, departments 0-512, source 0-50, + version text
    POST /user/delete secured deleteUsers = Done | | userIds! ids
    GET /user/list secured listUsers = UserList | + pageNum 1.., pageSize 1..1000, username text, nickname text, givenName text, mail text, mobile text, jobNumber text, status 1|2, syncState 1|2, departmentId id
    GET /user/info secured getUserInfo = User
    POST /user/changePwd secured changeOwnPassword = Done | | oldPassword! text, newPassword! 8-1024
    POST /user/changeUserStatus secured changeUserStatus = Done | | id! id, status! 1|2
    POST /user/syncSqlUsers secured syncSqlUsers = RunReport | | userIds! ids
    POST /user/syncExtAUsers secured syncExtAUsers = RunReport | | {}
    POST /user/syncExtBUsers secured syncExtBUsers = RunReport | | {}
    POST /user/syncExtCUsers secured syncExtCUsers = RunReport | | {}
    POST /user/syncExtLdapUsers secured syncExtLdapUsers = RunReport | | {}`,
  groups: `
    POST /group/add secured addGroup = Created | | groupName! 1-128, groupType! ou|cn, parentId! 0.., remark 0-128
    POST /group/update secured updateGroup = Done | | id! id, groupName! 1-128, remark 0-128, + version text
    POST /group/delete secured deleteGroups = Done | | groupIds! ids
    GET /group/list secured listGroups = GroupList | + pageNum 1.., pageSize 1..1000, groupName text, remark text, syncState 1|2
    GET /group/tree secured getGroupTree = GroupTree
    POST /group/adduser secured addGroupUsers = Done | | groupId! id, userIds! ids
    POST /group/removeuser secured removeGroupUsers = Done | | groupId! id, userIds! ids
    GET /group/useringroup secured listUsersInGroup = MemberList | + groupId! id, nickname text, search text, pageNum 1.., pageSize 1..1000
    GET /group/usernoingroup secured listUsersNotInGroup = MemberList | + groupId! id, nickname text, search text, pageNum 1.., pageSize 1..1000
    POST /group/syncSqlGroups secured syncSqlGroups = RunReport | | + groupIds ids
    POST /group/syncExtADepts secured syncExtADepts = RunReport
    POST /group/syncExtBDepts secured syncExtBDepts = RunReport
    POST /group/syncExtCDepts secured syncExtCDepts = RunReport
    POST /group/syncExtLdapDepts secured syncExtLdapDepts = RunReport`,
  roles: `
    POST /role/add secured addRole = Created | | name! 1-20, keyword! 1-20, remark 0-100, sort 1..999, status 1|2
    POST /role/update secured updateRole = Done | | id! id, name! 1-20, keyword! 1-20, remark 0-100, sort 1..999, status 1|2, + version text
    POST /role/delete secured deleteRoles = Done | | roleIds! ids
    GET /role/list secured listRoles = RoleList | + pageNum 1.., pageSize 1..1000, name text, keyword text, status 1|2
    GET /role/getapilist secured getRoleApis = ApiEntries | roleId! id
    GET /role/getmenulist secured getRoleMenus = Menus | roleId! id
    POST /role/updateapis secured updateRoleApis = Done | | roleId! id, apiIds! ids, + version text
    POST /role/updatemenus secured updateRoleMenus = Done | | roleId! id, menuIds! ids, + version text`,
  menus: `
    POST /menu/add secured addMenu = Created | | name! 1-50, title! 1-50, path! 1-100, component! 1-100, parentId 0.., icon 0-50, redirect 0-100, activeMenu 0-100, sort 1..999, status 1|2, hidden 1|2, alwaysShow 1|2, noCache 1|2, breadcrumb 1|2
    POST /menu/update secured updateMenu = Done | | id! id, name! 1-50, title! 1-50, path! 1-100, component 0-100, parentId 0.., icon 0-50, redirect 0-100, activeMenu 0-100, sort 1..999, status 1|2, hidden 1|2, alwaysShow 1|2, noCache 1|2, breadcrumb 1|2, + version text
    POST /menu/delete secured deleteMenus = Done | | menuIds! ids
    GET /menu/tree secured getMenuTree = MenuTree
    GET /menu/access/tree secured getAccessMenuTree = MenuTree | id! id`,
  apis: `
    POST /api/add secured addApi = Created | | category! 1-50, method! 1-20, path! 1-100, remark 0-100
    POST /api/update secured updateApi = Done | | id! id, category 1-50, method 1-20, path 1-100, remark 0-100, + version text
    POST /api/delete secured deleteApis = Done | | apiIds! ids
    GET /api/list secured listApis = ApiList | + pageNum 1.., pageSize 1..1000, method text, path text, category text, creator text
    GET /api/tree secured getApiTree = ApiTree`,
  fieldRelations: `
    POST /fieldrelation/add secured addFieldRelation = Created | | flag! 1-20, attributes! map
    POST /fieldrelation/update secured updateFieldRelation = Done | | id! id, flag! 1-20, attributes! map
    POST /fieldrelation/delete secured deleteFieldRelations = Done | | fieldRelationIds! ids
    GET /fieldrelation/list secured listFieldRelations = FieldRelations`,
  operationLogs: `
    GET /log/operation/list secured listOperationLogs = LogList | pageNum 1.., pageSize 1..1000, username text, ip text, path text, method text, status int
    POST /log/operation/delete secured deleteOperationLogs = Done | | operationLogIds! ids
    DELETE /log/operation/clean secured cleanOperationLogs = Done`,
}

/** What each answer's `data` holds; `?` marks what may be null. */
const answers: Record<string, string> = {
  Done: 'null',
  Created: '{id}',
  Token: '{token, expires}',
  Pong: 'string',
  DashboardCounts: '[{dataType, dataName, dataCount, icon, path}]',
  EncryptedPassword: 'string',
  PlainPassword: 'string',
  User: 'User',
  UserList: '{total, users: [User]}',
  GroupList: '{total, groups: [Group]}',
  GroupTree: '[GroupNode]',
  MemberList:
    '{groupId, groupName, groupRemark, userList: [{userId, userName, nickName, mail, jobNumber, mobile, introduction}], total may be absent}',
  RoleList: '{total, roles: [Role]}',
  Menus: '[Menu]',
  MenuTree: '[MenuNode]',
  ApiEntries: '[ApiEntry]',
  ApiList: '{total, apis: [ApiEntry]}',
  ApiTree: '[{id, category, remark, children: [ApiEntry]}]',
  FieldRelations: '[FieldRelation]',
  LogList: '{total, logs: [LogEntry]}',
  RunReport:
    '{runId, source, kind, state, startedAt, finishedAt?, total, added, updated, moved, disabled, unchanged, skipped, failed, held, problems: [{sourceId, name, step, reason, advice, stated may be absent, advised may be absent}]}',
}

/** Records: what their add and update bodies take, without passwords, and what the service adds. */
const records: Record<string, { add: string[]; own: string }> = {
  User: {
    add: ['AddUser', 'UpdateUser'],
    own: 'id createdAt updatedAt creator roles userDn syncState syncError syncStated sourceUserId sourceUnionId',
  },
  Group: {
    add: ['AddGroup', 'UpdateGroup'],
    own: 'id createdAt updatedAt creator groupDn syncState syncError syncStated source sourceDeptId sourceDeptParentId memberCount',
  },
  Role: { add: ['AddRole', 'UpdateRole'], own: 'id createdAt updatedAt creator version' },
  Menu: { add: ['AddMenu', 'UpdateMenu'], own: 'id createdAt updatedAt creator version' },
  ApiEntry: { add: ['AddApi', 'UpdateApi'], own: 'id createdAt updatedAt creator version' },
  FieldRelation: { add: ['AddFieldRelation', 'UpdateFieldRelation'], own: 'id createdAt updatedAt creator' },
  LogEntry: { add: [], own: 'id seq username ip method path remark status startTime timeCost times userAgent target' },
}

interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: (string | number)[]
  properties?: Record<string, Schema>
  additionalProperties?: Schema
  required?: string[]
  items?: Schema
  allOf?: Schema[]
  oneOf?: Schema[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  maxItems?: number
  maxProperties?: number
}
interface Parameter {
  $ref?: string
  name: string
  in: string
  required?: boolean
  schema: Schema
  description?: string
  example?: unknown
}
interface Content {
  content: Record<string, { schema: Schema; example?: unknown }>
}
interface Operation {
  operationId: string
  summary: string
  tags: string[]
  security?: unknown[]
  parameters?: Parameter[]
  requestBody?: Content & { required: boolean }
  responses: Record<string, { $ref: string }>
  'x-stream'?: string
  'x-rate-limit'?: unknown
}
interface Document {
  security: unknown
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    parameters: Record<string, Parameter>
    responses: Record<string, Content>
    securitySchemes: unknown
  }
}

const document: Document = parse(await readFile(new URL('../../openapi/directory.yaml', import.meta.url), 'utf8'))
const { schemas, parameters, responses } = document.components

const nameOf = (reference: string): string => reference.split('/').at(-1) ?? ''
const resolve = (schema: Schema | undefined): Schema =>
  schema?.$ref ? resolve(schemas[nameOf(schema.$ref)]) : (schema ?? {})
/** A record as one object schema, whatever it is composed of. */
const flatten = (schema: Schema): Schema => {
  const { allOf, ...own } = resolve(schema)
  if (!allOf) return own
  const parts = allOf.map(flatten)
  return {
    ...own,
    type: 'object',
    properties: Object.assign({}, ...parts.map((part) => part.properties)),
    required: parts.flatMap((part) => part.required ?? []),
  }
}
const json = ({ content }: Content): { schema: Schema; example?: unknown } => {
  const media = content['application/json']
  if (!media || Object.keys(content).length > 1) throw new Error('JSON is the only media type')
  return media
}

const listed = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
)

/** An input's type as the table writes it. */
const inputType = (input: Schema): string => {
  const schema = resolve(input)
  if (schema.enum) return schema.enum.join('|')
  if (schema.type === 'string') {
    return schema.minLength === undefined ? 'text' : `${schema.minLength}-${schema.maxLength}`
  }
  if (schema.type === 'array') return `${inputType(schema.items ?? {})}s`
  if (schema.type === 'object') return resolve(schema.additionalProperties).type === 'string' ? 'map' : 'object'
  if (input.$ref === '#/components/schemas/Id') return 'id'
  if (schema.minimum === undefined) return 'int'
  return `${schema.minimum}..${(schema.maximum ?? 0) > 1000 ? '' : schema.maximum}`
}

const need = (security: unknown[] = [{}]): string => ['public', 'secured', 'optional'][security.length] ?? ''

/** `Token` for `#/components/responses/TokenResponse`. */
const answerOf = (reply?: { $ref: string }): string => nameOf(reply?.$ref ?? '').replace(/Response$/, '')

const operationLine = ({ method, path, operation }: (typeof listed)[number]): string => {
  const { operationId, security, responses: replies, requestBody } = operation
  const query = (operation.parameters ?? [])
    .map((parameter) => (parameter.$ref ? (parameters[nameOf(parameter.$ref)] as Parameter) : parameter))
    .map(({ name, required, schema, ...parameter }) => {
      const where = parameter.in === 'query' ? '' : `${parameter.in} `
      return `${where}${name}${required ? '!' : ''} ${inputType(schema)}`
    })
  const body = requestBody ? resolve(json(requestBody).schema) : undefined
  const fields = Object.entries(body?.properties ?? {}).map(
    ([name, schema]) => `${name}${body?.required?.includes(name) ? '!' : ''} ${inputType(schema)}`,
  )
  const parts = [
    `${method} ${path} ${need(security)} ${operationId} = ${answerOf(replies['200'])}`,
    query.join(', '),
    body && fields.length === 0 ? '{}' : fields.join(', '),
  ]
  return parts
    .join(' | ')
    .replace('|  |', '| |')
    .replace(/[ |]+$/, '')
}

t.test('the document has the 60 operations of the specification, with their fields, bounds and security', async (t) => {
  const expected = Object.values(operations).flatMap((block) =>
    block
      .trim()
      .split('\n')
      .map((line) => line.trim().replaceAll('+ ', '')),
  )
  t.equal(expected.length, 60)
  t.strictSame(listed.map(operationLine).sort(), expected.sort())
})

t.test('every operation has one tag, in the order of the document, and a summary of its own', async (t) => {
  for (const [tag, block] of Object.entries(operations)) {
    const ids = [...block.matchAll(/(\w+) = /g)].map(([, id]) => id)
    const tagged = listed.filter(({ operation }) => operation.tags.length === 1 && operation.tags[0] === tag)
    t.strictSame(tagged.map(({ operation }) => operation.operationId).sort(), ids.sort(), tag)
  }
  t.strictSame(
    document.tags.map(({ name }) => name),
    Object.keys(operations),
  )
  t.ok(document.tags.every(({ description }) => description.length > 20))
  t.equal(new Set(listed.map(({ operation }) => operation.summary)).size, 60)
})

t.test('secured operations take an API key in the header Authorization, or the cookie of the console', async (t) => {
  t.strictSame(document.security, [{ bearer: [] }, { console: [] }])
  t.match(document.components.securitySchemes, { bearer: { type: 'apiKey', in: 'header', name: 'Authorization' } })
  t.equal(document.servers[0]?.url, '{baseUrl}/api')
})

t.test('bodies are required where the specification has one', async (t) => {
  const optional = listed.filter(({ operation }) => operation.requestBody && !operation.requestBody.required)
  t.strictSame(
    optional.map(({ operation }) => operation.operationId),
    ['syncSqlGroups'],
  )
})

t.test('no input is without a bound', async (t) => {
  const unbounded = (schema: Schema, at: string): string[] => {
    const { type, enum: values, properties, items, additionalProperties, ...bounds } = resolve(schema)
    if (values) return []
    if (type === 'string') return bounds.maxLength ? [] : [at]
    if (type === 'integer') return bounds.maximum ? [] : [at]
    if (type === 'array') return [...(bounds.maxItems ? [] : [at]), ...unbounded(items ?? {}, `${at}[]`)]
    return [
      ...(additionalProperties && !bounds.maxProperties ? [at] : []),
      ...(additionalProperties ? unbounded(additionalProperties, `${at}{}`) : []),
      ...Object.entries(properties ?? {}).flatMap(([name, field]) => unbounded(field, `${at}.${name}`)),
    ]
  }
  for (const { operation } of listed) {
    const { operationId, requestBody } = operation
    if (requestBody) t.strictSame(unbounded(json(requestBody).schema, operationId), [])
    for (const { $ref, ...parameter } of operation.parameters ?? []) {
      const { name, schema } = $ref ? (parameters[nameOf($ref)] as Parameter) : parameter
      if (`${operationId}.${name}` === 'listOperationLogs.status') continue // compared only
      t.strictSame(unbounded(schema, `${operationId}.${name}`), [])
    }
  }
})

t.test('answers are the success of the operation or a failure, and tell themselves apart by code', async (t) => {
  const isRecord = (name: string) => name in records || name === 'GroupNode' || name === 'MenuNode'
  const dataType = (schema: Schema): string => {
    const name = nameOf(schema.$ref ?? '')
    if (isRecord(name)) return name
    const { type, items, properties, required } = resolve(schema)
    if (type === 'array') return `[${dataType(items ?? {})}]`
    if (!properties) return String(type)
    const fields = Object.entries(properties).map(([field, value]) => {
      const inner = [resolve(value).type].flat()
      const mark = required?.includes(field) ? '' : ' may be absent'
      return `${field}${inner.includes('null') ? '?' : ''}${mark}${inner.includes('array') ? `: ${dataType(value)}` : ''}`
    })
    return `{${fields.join(', ')}}`
  }
  t.strictSame(
    Object.keys(responses).sort(),
    Object.keys(answers)
      .map((name) => `${name}Response`)
      .sort(),
  )
  for (const { operation } of listed) t.strictSame(Object.keys(operation.responses), ['200'])
  for (const [name, answer] of Object.entries(answers)) {
    const body = json(responses[`${name}Response`] as Content).schema
    t.equal(body.$ref, `#/components/schemas/${name}Reply`)
    const [success, failure, ...others] = resolve(body).oneOf ?? []
    t.equal(success?.$ref, `#/components/schemas/${name}Success`)
    const { required, properties } = resolve(success)
    const { data, ...rest } = properties ?? {}
    t.equal(dataType(data ?? {}), answer, name)
    t.strictSame(required, ['code', 'data', 'msg'], name)
    t.strictSame(Object.keys(rest), ['code', 'msg'], name)
    t.strictSame(resolve(rest.code).enum, [0], name)
    t.equal(failure?.$ref, '#/components/schemas/Failure', name)
    const refs = others.map(({ $ref }) => $ref)
    t.strictSame(refs, name === 'RunReport' ? ['#/components/schemas/RunReportFailure'] : [], name)
  }
  t.match(resolve({ $ref: '#/components/schemas/RunReportFailure' }), {
    required: ['code', 'data', 'msg'],
    properties: { code: { enum: [502] }, data: { $ref: '#/components/schemas/RunReport' } },
  })
  t.strictSame(schemas.FailureCode?.enum, [400, 401, 403, 404, 409, 413, 415, 429, 500, 502, 503])
  t.match(schemas.Failure, {
    required: ['code', 'data', 'msg'],
    properties: { code: { $ref: '#/components/schemas/FailureCode' } },
  })
})

t.test(
  'a record has all fields of its bodies and those of the service, always present, never a password',
  async (t) => {
    for (const [name, { add, own }] of Object.entries(records)) {
      const fields = new Set(own.split(' '))
      for (const body of add)
        for (const field of Object.keys(resolve(schemas[body]).properties ?? {})) fields.add(field)
      fields.delete('password')
      // People and groups have it in the Operations API.
      if (!own.includes('version')) fields.delete('version')
      const record = flatten(schemas[name] ?? {})
      t.strictSame(Object.keys(record.properties ?? {}).sort(), [...fields].sort(), name)
      t.strictSame([...(record.required ?? [])].sort(), [...fields].sort(), name)
    }
    for (const name of ['Group', 'Menu']) {
      const [record, node] = [flatten(schemas[name] ?? {}), flatten(schemas[`${name}Node`] ?? {})]
      t.strictSame([...(node.required ?? [])].sort(), [...(record.required ?? []), 'children'].sort())
      t.equal(node.properties?.children?.items?.$ref, `#/components/schemas/${name}Node`)
    }
  },
)

t.test('large lists are streamed, and operations that allow guessing are limited', async (t) => {
  const where = <K extends 'x-stream' | 'x-rate-limit'>(key: K) =>
    Object.fromEntries(listed.flatMap(({ operation: o }) => (o[key] ? [[o.operationId, o[key]]] : [])))
  t.strictSame(where('x-stream'), {
    listUsers: 'users',
    listGroups: 'groups',
    listUsersInGroup: 'userList',
    listUsersNotInGroup: 'userList',
    listRoles: 'roles',
    listApis: 'apis',
    listOperationLogs: 'logs',
  })
  const perMinute = (max: number) => ({ max, window: 60, by: 'address' })
  t.strictSame(where('x-rate-limit'), {
    dashboard: perMinute(60),
    login: perMinute(60),
    refreshToken: perMinute(60),
    encryptPassword: perMinute(60),
    decryptPassword: perMinute(60),
    sendCode: perMinute(10),
    changePasswordByCode: perMinute(20),
  })
})

t.test('every body, answer and required parameter has an example that its schema accepts', async (t) => {
  const ajv = new Ajv2020({ strict: true, allErrors: true, keywords: ['x-enum-varnames'] })
  addFormats.default(ajv)
  const inBundle = <T>(part: T): T =>
    JSON.parse(JSON.stringify(part).replaceAll('#/components/schemas/', 'bundle#/$defs/'))
  ajv.addSchema({ $id: 'bundle', $defs: inBundle(schemas) })
  const verify = (what: string, schema: Schema, example: unknown) => {
    const validate = ajv.compile(inBundle(schema))
    t.ok(example !== undefined && validate(example), what, { errors: validate.errors, example })
  }
  for (const { operation } of listed) {
    const { operationId, requestBody } = operation
    if (requestBody) verify(`${operationId}: body`, json(requestBody).schema, json(requestBody).example)
    const answer = responses[nameOf(operation.responses['200']?.$ref ?? '')]
    if (answer) verify(`${operationId}: answer`, json(answer).schema, json(answer).example)
    for (const { $ref, ...parameter } of operation.parameters ?? []) {
      const { name, required, schema, example } = $ref ? (parameters[nameOf($ref)] as Parameter) : parameter
      if (required) verify(`${operationId}: ${name}`, schema, example)
    }
  }
})
