// Generated from openapi/directory.yaml by scripts/codegen.ts. Do not edit.
import type { ContractDocument } from '../contract/document.ts'
import type { Data, Handler, PublicHandler, Streamable } from '../contract/handler.ts'
import type { operations } from './directory.types.ts'

export type { components, operations } from './directory.types.ts'

export interface BaseHandlers {
  /** Sign in — POST /base/login */
  login: PublicHandler<operations['login']>
  /** Sign out — POST /base/logout */
  logout: PublicHandler<operations['logout']>
  /** Exchange an old token for a new one — POST /base/refreshToken */
  refreshToken: PublicHandler<operations['refreshToken']>
  /** Check that the service responds — GET /base/ping */
  ping: PublicHandler<operations['ping']>
  /** Count the records of each kind — GET /base/dashboard */
  dashboard: PublicHandler<operations['dashboard']>
  /** Encrypt a password for transport — GET /base/encryptpwd */
  encryptPassword: PublicHandler<operations['encryptPassword']>
  /** Decrypt a password that was encrypted for transport — GET /base/decryptpwd */
  decryptPassword: PublicHandler<operations['decryptPassword']>
  /** Mail a code for a forgotten password — POST /base/sendcode */
  sendCode: PublicHandler<operations['sendCode']>
  /** Change a password with a mailed code — POST /base/changePwd */
  changePasswordByCode: PublicHandler<operations['changePasswordByCode']>
}

export interface UsersHandlers {
  /** Add a user — POST /user/add */
  addUser: Handler<operations['addUser']>
  /** Change a user — POST /user/update */
  updateUser: Handler<operations['updateUser']>
  /** Delete users — POST /user/delete */
  deleteUsers: Handler<operations['deleteUsers']>
  /** List users — GET /user/list */
  listUsers: Handler<operations['listUsers'], Streamable<Data<operations['listUsers']>, 'users'>>
  /** Show the signed-in user — GET /user/info */
  getUserInfo: Handler<operations['getUserInfo']>
  /** Change your own password — POST /user/changePwd */
  changeOwnPassword: Handler<operations['changeOwnPassword']>
  /** Enable or disable a user — POST /user/changeUserStatus */
  changeUserStatus: Handler<operations['changeUserStatus']>
  /** Make the directory entries of users equal to their records — POST /user/syncSqlUsers */
  syncSqlUsers: Handler<operations['syncSqlUsers']>
  /** Import users from ExtA — POST /user/syncExtAUsers */
  syncExtAUsers: Handler<operations['syncExtAUsers']>
  /** Import users from ExtB — POST /user/syncExtBUsers */
  syncExtBUsers: Handler<operations['syncExtBUsers']>
  /** Import users from ExtC — POST /user/syncExtCUsers */
  syncExtCUsers: Handler<operations['syncExtCUsers']>
  /** Import users from ExtLdap — POST /user/syncExtLdapUsers */
  syncExtLdapUsers: Handler<operations['syncExtLdapUsers']>
}

export interface GroupsHandlers {
  /** Add a group — POST /group/add */
  addGroup: Handler<operations['addGroup']>
  /** Change a group — POST /group/update */
  updateGroup: Handler<operations['updateGroup']>
  /** Delete groups — POST /group/delete */
  deleteGroups: Handler<operations['deleteGroups']>
  /** List groups — GET /group/list */
  listGroups: Handler<operations['listGroups'], Streamable<Data<operations['listGroups']>, 'groups'>>
  /** Show the group tree — GET /group/tree */
  getGroupTree: Handler<operations['getGroupTree']>
  /** Add users to a group — POST /group/adduser */
  addGroupUsers: Handler<operations['addGroupUsers']>
  /** Remove users from a group — POST /group/removeuser */
  removeGroupUsers: Handler<operations['removeGroupUsers']>
  /** List the users in a group — GET /group/useringroup */
  listUsersInGroup: Handler<operations['listUsersInGroup'], Streamable<Data<operations['listUsersInGroup']>, 'userList'>>
  /** List the users who are not in a group — GET /group/usernoingroup */
  listUsersNotInGroup: Handler<operations['listUsersNotInGroup'], Streamable<Data<operations['listUsersNotInGroup']>, 'userList'>>
  /** Make the directory entries of groups equal to their records — POST /group/syncSqlGroups */
  syncSqlGroups: Handler<operations['syncSqlGroups']>
  /** Import departments from ExtA — POST /group/syncExtADepts */
  syncExtADepts: Handler<operations['syncExtADepts']>
  /** Import departments from ExtB — POST /group/syncExtBDepts */
  syncExtBDepts: Handler<operations['syncExtBDepts']>
  /** Import departments from ExtC — POST /group/syncExtCDepts */
  syncExtCDepts: Handler<operations['syncExtCDepts']>
  /** Import departments from ExtLdap — POST /group/syncExtLdapDepts */
  syncExtLdapDepts: Handler<operations['syncExtLdapDepts']>
}

export interface RolesHandlers {
  /** Add a role — POST /role/add */
  addRole: Handler<operations['addRole']>
  /** Change a role — POST /role/update */
  updateRole: Handler<operations['updateRole']>
  /** Delete roles — POST /role/delete */
  deleteRoles: Handler<operations['deleteRoles']>
  /** List roles — GET /role/list */
  listRoles: Handler<operations['listRoles'], Streamable<Data<operations['listRoles']>, 'roles'>>
  /** List the API entries of a role — GET /role/getapilist */
  getRoleApis: Handler<operations['getRoleApis']>
  /** List the menus of a role — GET /role/getmenulist */
  getRoleMenus: Handler<operations['getRoleMenus']>
  /** Set the API entries of a role — POST /role/updateapis */
  updateRoleApis: Handler<operations['updateRoleApis']>
  /** Set the menus of a role — POST /role/updatemenus */
  updateRoleMenus: Handler<operations['updateRoleMenus']>
}

export interface MenusHandlers {
  /** Add a menu — POST /menu/add */
  addMenu: Handler<operations['addMenu']>
  /** Change a menu — POST /menu/update */
  updateMenu: Handler<operations['updateMenu']>
  /** Delete menus — POST /menu/delete */
  deleteMenus: Handler<operations['deleteMenus']>
  /** Show the menu tree — GET /menu/tree */
  getMenuTree: Handler<operations['getMenuTree']>
  /** Show the menus that a user's roles grant — GET /menu/access/tree */
  getAccessMenuTree: Handler<operations['getAccessMenuTree']>
}

export interface ApisHandlers {
  /** Add an API entry — POST /api/add */
  addApi: Handler<operations['addApi']>
  /** Change an API entry — POST /api/update */
  updateApi: Handler<operations['updateApi']>
  /** Delete API entries — POST /api/delete */
  deleteApis: Handler<operations['deleteApis']>
  /** List API entries — GET /api/list */
  listApis: Handler<operations['listApis'], Streamable<Data<operations['listApis']>, 'apis'>>
  /** Show the API entries by category — GET /api/tree */
  getApiTree: Handler<operations['getApiTree']>
}

export interface FieldRelationsHandlers {
  /** Add a field relation — POST /fieldrelation/add */
  addFieldRelation: Handler<operations['addFieldRelation']>
  /** Change a field relation — POST /fieldrelation/update */
  updateFieldRelation: Handler<operations['updateFieldRelation']>
  /** Delete field relations — POST /fieldrelation/delete */
  deleteFieldRelations: Handler<operations['deleteFieldRelations']>
  /** List field relations — GET /fieldrelation/list */
  listFieldRelations: Handler<operations['listFieldRelations']>
}

export interface OperationLogsHandlers {
  /** List log entries — GET /log/operation/list */
  listOperationLogs: Handler<operations['listOperationLogs'], Streamable<Data<operations['listOperationLogs']>, 'logs'>>
  /** Delete log entries — POST /log/operation/delete */
  deleteOperationLogs: Handler<operations['deleteOperationLogs']>
  /** Delete all log entries — DELETE /log/operation/clean */
  cleanOperationLogs: Handler<operations['cleanOperationLogs']>
}

export interface DirectoryHandlers {
  base: BaseHandlers
  users: UsersHandlers
  groups: GroupsHandlers
  roles: RolesHandlers
  menus: MenusHandlers
  apis: ApisHandlers
  fieldRelations: FieldRelationsHandlers
  operationLogs: OperationLogsHandlers
}

const successCodeSchema = { type: 'integer', enum: [0] }

const timestampSchema = { type: 'string', format: 'date-time' }

const tokenSchema = {
  type: 'object',
  required: ['token', 'expires'],
  properties: { token: { type: 'string' }, expires: timestampSchema },
  additionalProperties: false,
}

const messageSchema = { type: 'string' }

const tokenSuccessSchema = {
  type: 'object',
  required: ['code', 'data', 'msg'],
  properties: { code: successCodeSchema, data: tokenSchema, msg: messageSchema },
  additionalProperties: false,
}

const passwordSchema = { type: 'string', maxLength: 1024 }

const newPasswordSchema = { type: 'string', minLength: 8, maxLength: 1024 }

const loginSchema = {
  type: 'object',
  required: ['username', 'password'],
  properties: {
    username: { type: 'string', maxLength: 255, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' },
    password: passwordSchema,
    code: { type: 'string', maxLength: 64, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' },
    newPassword: newPasswordSchema,
  },
  additionalProperties: false,
}

const doneSuccessSchema = {
  type: 'object',
  required: ['code', 'data', 'msg'],
  properties: { code: successCodeSchema, data: { type: 'null' }, msg: messageSchema },
  additionalProperties: false,
}

const pongSuccessSchema = {
  type: 'object',
  required: ['code', 'data', 'msg'],
  properties: { code: successCodeSchema, data: { type: 'string', enum: ['pong'] }, msg: messageSchema },
  additionalProperties: false,
}

const dashboardCountSchema = {
  type: 'object',
  required: ['dataType', 'dataName', 'dataCount', 'icon', 'path'],
  properties: {
    dataType: { type: 'string', enum: ['user', 'group', 'role', 'menu', 'api', 'log'] },
    dataName: { type: 'string' },
    dataCount: { type: 'integer', format: 'int64', minimum: 0, maximum: 9007199254740991 },
    icon: { type: 'string' },
    path: { type: 'string' },
  },
  additionalProperties: false,
}

const dashboardCountsSuccessSchema = {
  type: 'object',
  required: ['code', 'data', 'msg'],
  properties: { code: successCodeSchema, data: { type: 'array', items: dashboardCountSchema }, msg: messageSchema },
  additionalProperties: false,
}

const encryptedPasswordSuccessSchema = {
  type: 'object',
  required: ['code', 'data', 'msg'],
  properties: { code: successCodeSchema, data: { type: 'string' }, msg: messageSchema },
  additionalProperties: false,
}

const plainPasswordSuccessSchema = {
  type: 'object',
  required: ['code', 'data', 'msg'],
  properties: { code: successCodeSchema, data: { type: 'string' }, msg: messageSchema },
  additionalProperties: false,
}

const sendCodeSchema = {
  type: 'object',
  required: ['mail'],
  properties: {
    mail: {
      type: 'string',
      minLength: 0,
      maxLength: 100,
      pattern: '^([!#-\'*+\\--9=?A-Z^-~]+@[!#-\'*+\\--9=?A-Z^-~]*[!#-\'*+\\-/-9=?A-Z^-~])?$',
    },
  },
  additionalProperties: false,
}

const changePasswordByCodeSchema = {
  type: 'object',
  required: ['mail', 'code'],
  properties: {
    mail: {
      type: 'string',
      minLength: 0,
      maxLength: 100,
      pattern: '^([!#-\'*+\\--9=?A-Z^-~]+@[!#-\'*+\\--9=?A-Z^-~]*[!#-\'*+\\-/-9=?A-Z^-~])?$',
    },
    code: { type: 'string', maxLength: 20, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' },
    newPassword: newPasswordSchema,
  },
  additionalProperties: false,
}

const idSchema = { type: 'integer', format: 'int64', minimum: 1, maximum: 9007199254740991 }

const createdSchema = { type: 'object', required: ['id'], properties: { id: idSchema }, additionalProperties: false }

const createdSuccessSchema = {
  type: 'object',
  required: ['code', 'data', 'msg'],
  properties: { code: successCodeSchema, data: createdSchema, msg: messageSchema },
  additionalProperties: false,
}

const mobileSchema = { type: 'string', maxLength: 50, pattern: '^( *[\'-)+-:=?A-Za-z][ \'-)+-:=?A-Za-z]*)?$' }

const idsSchema = { type: 'array', maxItems: 10000, items: idSchema }

const firstPasswordSchema = { type: 'string', pattern: '^(?:[\\s\\S]{8,})?$', maxLength: 1024 }

const avatarSchema = { type: 'string', maxLength: 2048, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' }

const statusSchema = { type: 'integer', enum: [1, 2] }

const addUserSchema = {
  type: 'object',
  required: ['username', 'nickname', 'mail', 'mobile', 'jobNumber', 'departmentId', 'roleIds'],
  properties: {
    username: {
      type: 'string',
      minLength: 2,
      maxLength: 50,
      pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
    },
    nickname: {
      type: 'string',
      minLength: 0,
      maxLength: 50,
      pattern: '^([^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*)?$',
    },
    mail: {
      type: 'string',
      minLength: 0,
      maxLength: 100,
      pattern: '^([!#-\'*+\\--9=?A-Z^-~]+@[!#-\'*+\\--9=?A-Z^-~]*[!#-\'*+\\-/-9=?A-Z^-~])?$',
    },
    mobile: mobileSchema,
    jobNumber: {
      type: 'string',
      minLength: 0,
      maxLength: 20,
      pattern: '^([^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*)?$',
    },
    departmentId: idsSchema,
    roleIds: idsSchema,
    password: firstPasswordSchema,
    givenName: {
      type: 'string',
      minLength: 0,
      maxLength: 50,
      pattern: '^([^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*)?$',
    },
    avatar: avatarSchema,
    introduction: {
      type: 'string',
      minLength: 0,
      maxLength: 255,
      pattern: '^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$',
    },
    position: {
      type: 'string',
      minLength: 0,
      maxLength: 128,
      pattern: '^([^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*)?$',
    },
    postalAddress: {
      type: 'string',
      minLength: 0,
      maxLength: 255,
      pattern: '^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$',
    },
    departments: {
      type: 'string',
      minLength: 0,
      maxLength: 512,
      pattern: '^([^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*)?$',
    },
    source: {
      type: 'string',
      minLength: 0,
      maxLength: 50,
      pattern: '^([^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*)?$',
    },
    status: statusSchema,
  },
  additionalProperties: false,
}

const recordVersionSchema = { type: 'string', maxLength: 32, pattern: '^[0-9a-f]{32}$' }

const updateUserSchema = {
  type: 'object',
  required: ['id', 'departmentId', 'roleIds'],
  properties: {
    id: idSchema,
    username: {
      type: 'string',
      minLength: 2,
      maxLength: 50,
      pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
    },
    nickname: {
      type: 'string',
      minLength: 0,
      maxLength: 20,
      pattern: '^([^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*)?$',
    },
    mail: {
      type: 'string',
      minLength: 0,
      maxLength: 100,
      pattern: '^([!#-\'*+\\--9=?A-Z^-~]+@[!#-\'*+\\--9=?A-Z^-~]*[!#-\'*+\\-/-9=?A-Z^-~])?$',
    },
    mobile: mobileSchema,
    jobNumber: {
      type: 'string',
      minLength: 0,
      maxLength: 20,
      pattern: '^([^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*)?$',
    },
    departmentId: idsSchema,
    roleIds: idsSchema,
    givenName: {
      type: 'string',
      minLength: 0,
      maxLength: 50,
      pattern: '^([^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*)?$',
    },
    avatar: avatarSchema,
    introduction: {
      type: 'string',
      minLength: 0,
      maxLength: 255,
      pattern: '^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$',
    },
    position: {
      type: 'string',
      minLength: 0,
      maxLength: 128,
      pattern: '^([^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*)?$',
    },
    postalAddress: {
      type: 'string',
      minLength: 0,
      maxLength: 255,
      pattern: '^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$',
    },
    departments: {
      type: 'string',
      minLength: 0,
      maxLength: 512,
      pattern: '^([^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*)?$',
    },
    source: {
      type: 'string',
      minLength: 0,
      maxLength: 50,
      pattern: '^([^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*)?$',
    },
    version: recordVersionSchema,
  },
  additionalProperties: false,
}

const userIdsSchema = {
  type: 'object',
  required: ['userIds'],
  properties: { userIds: idsSchema },
  additionalProperties: false,
}

const totalSchema = { type: 'integer', format: 'int64', minimum: 0, maximum: 9007199254740991 }

const sortSchema = { type: 'integer', minimum: 1, maximum: 999 }

const roleSummarySchema = {
  type: 'object',
  required: ['id', 'name', 'keyword', 'sort', 'status'],
  properties: {
    id: idSchema,
    name: { type: 'string' },
    keyword: { type: 'string' },
    sort: sortSchema,
    status: statusSchema,
  },
  additionalProperties: false,
}

const syncStateSchema = { type: 'integer', enum: [1, 2] }

const syncErrorSchema = { type: 'string' }

const syncStatedSchema = {
  type: ['object', 'null'],
  required: ['code', 'params', 'text'],
  properties: {
    code: { type: 'string' },
    params: { type: 'object', additionalProperties: true },
    text: { type: 'string' },
  },
  additionalProperties: false,
}

const creatorSchema = { type: 'string' }

const userSchema = {
  type: 'object',
  required: [
    'id',
    'username',
    'nickname',
    'givenName',
    'mail',
    'mobile',
    'jobNumber',
    'avatar',
    'introduction',
    'position',
    'postalAddress',
    'departments',
    'departmentId',
    'roleIds',
    'roles',
    'status',
    'source',
    'sourceUserId',
    'sourceUnionId',
    'userDn',
    'syncState',
    'syncError',
    'syncStated',
    'creator',
    'createdAt',
    'updatedAt',
  ],
  properties: {
    id: idSchema,
    username: { type: 'string' },
    nickname: { type: 'string' },
    givenName: { type: 'string' },
    mail: { type: 'string' },
    mobile: { type: 'string' },
    jobNumber: { type: 'string' },
    avatar: { type: 'string' },
    introduction: { type: 'string' },
    position: { type: 'string' },
    postalAddress: { type: 'string' },
    departments: { type: 'string' },
    departmentId: { type: 'array', items: idSchema },
    roleIds: { type: 'array', items: idSchema },
    roles: { type: 'array', items: roleSummarySchema },
    status: statusSchema,
    source: { type: 'string' },
    sourceUserId: { type: 'string' },
    sourceUnionId: { type: 'string' },
    userDn: { type: 'string' },
    syncState: syncStateSchema,
    syncError: syncErrorSchema,
    syncStated: syncStatedSchema,
    creator: creatorSchema,
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
  },
  additionalProperties: false,
}

const userListSchema = {
  type: 'object',
  required: ['total', 'users'],
  properties: { total: totalSchema, users: { type: 'array', items: userSchema } },
  additionalProperties: false,
}

const userListSuccessSchema = {
  type: 'object',
  required: ['code', 'data', 'msg'],
  properties: { code: successCodeSchema, data: userListSchema, msg: messageSchema },
  additionalProperties: false,
}

const textFilterSchema = { type: 'string', maxLength: 255, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' }

const userSuccessSchema = {
  type: 'object',
  required: ['code', 'data', 'msg'],
  properties: { code: successCodeSchema, data: userSchema, msg: messageSchema },
  additionalProperties: false,
}

const changeOwnPasswordSchema = {
  type: 'object',
  required: ['oldPassword', 'newPassword'],
  properties: { oldPassword: passwordSchema, newPassword: newPasswordSchema },
  additionalProperties: false,
}

const changeUserStatusSchema = {
  type: 'object',
  required: ['id', 'status'],
  properties: { id: idSchema, status: statusSchema },
  additionalProperties: false,
}

const statementSchema = {
  type: 'object',
  required: ['code', 'params', 'text'],
  properties: {
    code: { type: 'string' },
    params: { type: 'object', additionalProperties: true },
    text: { type: 'string' },
  },
  additionalProperties: false,
}

const runProblemSchema = {
  type: 'object',
  required: ['sourceId', 'name', 'step', 'reason', 'advice'],
  properties: {
    sourceId: { type: 'string' },
    name: { type: 'string' },
    step: { type: 'string' },
    reason: { type: 'string' },
    advice: { type: 'string' },
    stated: statementSchema,
    advised: statementSchema,
  },
  additionalProperties: false,
}

const runReportSchema = {
  type: 'object',
  required: [
    'runId',
    'source',
    'kind',
    'state',
    'startedAt',
    'finishedAt',
    'total',
    'added',
    'updated',
    'moved',
    'disabled',
    'unchanged',
    'skipped',
    'failed',
    'held',
    'problems',
  ],
  properties: {
    runId: idSchema,
    source: { type: 'string', enum: ['sql', 'exta', 'extb', 'extc', 'extldap'] },
    kind: { type: 'string', enum: ['users', 'groups'] },
    state: { type: 'string', enum: ['running', 'done', 'held', 'failed'] },
    startedAt: timestampSchema,
    finishedAt: { type: ['string', 'null'], format: 'date-time' },
    total: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    added: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    updated: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    moved: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    disabled: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    unchanged: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    skipped: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    failed: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    held: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    problems: { type: 'array', items: runProblemSchema },
  },
  additionalProperties: false,
}

const runReportSuccessSchema = {
  type: 'object',
  required: ['code', 'data', 'msg'],
  properties: { code: successCodeSchema, data: runReportSchema, msg: messageSchema },
  additionalProperties: false,
}

const nothingSchema = { type: 'object', additionalProperties: false }

const groupTypeSchema = { type: 'string', enum: ['ou', 'cn'] }

const parentIdSchema = { type: 'integer', format: 'int64', minimum: 0, maximum: 9007199254740991 }

const addGroupSchema = {
  type: 'object',
  required: ['groupName', 'groupType', 'parentId'],
  properties: {
    groupName: {
      type: 'string',
      minLength: 1,
      maxLength: 128,
      pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
    },
    groupType: groupTypeSchema,
    parentId: parentIdSchema,
    remark: {
      type: 'string',
      minLength: 0,
      maxLength: 128,
      pattern: '^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$',
    },
  },
  additionalProperties: false,
}

const updateGroupSchema = {
  type: 'object',
  required: ['id', 'groupName'],
  properties: {
    id: idSchema,
    groupName: {
      type: 'string',
      minLength: 1,
      maxLength: 128,
      pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
    },
    remark: {
      type: 'string',
      minLength: 0,
      maxLength: 128,
      pattern: '^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$',
    },
    version: recordVersionSchema,
  },
  additionalProperties: false,
}

const groupIdsSchema = {
  type: 'object',
  required: ['groupIds'],
  properties: { groupIds: idsSchema },
  additionalProperties: false,
}

const groupSchema = {
  type: 'object',
  required: [
    'id',
    'groupName',
    'groupType',
    'parentId',
    'remark',
    'groupDn',
    'memberCount',
    'source',
    'sourceDeptId',
    'sourceDeptParentId',
    'syncState',
    'syncError',
    'syncStated',
    'creator',
    'createdAt',
    'updatedAt',
  ],
  properties: {
    id: idSchema,
    groupName: { type: 'string' },
    groupType: groupTypeSchema,
    parentId: parentIdSchema,
    remark: { type: 'string' },
    groupDn: { type: 'string' },
    memberCount: { type: 'integer', format: 'int64', minimum: 0, maximum: 9007199254740991 },
    source: { type: 'string' },
    sourceDeptId: { type: 'string' },
    sourceDeptParentId: { type: 'string' },
    syncState: syncStateSchema,
    syncError: syncErrorSchema,
    syncStated: syncStatedSchema,
    creator: creatorSchema,
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
  },
  additionalProperties: false,
}

const groupListSchema = {
  type: 'object',
  required: ['total', 'groups'],
  properties: { total: totalSchema, groups: { type: 'array', items: groupSchema } },
  additionalProperties: false,
}

const groupListSuccessSchema = {
  type: 'object',
  required: ['code', 'data', 'msg'],
  properties: { code: successCodeSchema, data: groupListSchema, msg: messageSchema },
  additionalProperties: false,
}

const groupTreeSuccessSchema = {
  type: 'object',
  required: ['code', 'data', 'msg'],
  properties: {
    code: successCodeSchema,
    data: { type: 'array', items: { $ref: 'directory.GroupNode#' } },
    msg: messageSchema,
  },
  additionalProperties: false,
}

const groupUsersSchema = {
  type: 'object',
  required: ['groupId', 'userIds'],
  properties: { groupId: idSchema, userIds: idsSchema },
  additionalProperties: false,
}

const memberSchema = {
  type: 'object',
  required: ['userId', 'userName', 'nickName', 'mail', 'jobNumber', 'mobile', 'introduction'],
  properties: {
    userId: idSchema,
    userName: { type: 'string' },
    nickName: { type: 'string' },
    mail: { type: 'string' },
    jobNumber: { type: 'string' },
    mobile: { type: 'string' },
    introduction: { type: 'string' },
  },
  additionalProperties: false,
}

const memberListSchema = {
  type: 'object',
  required: ['groupId', 'groupName', 'groupRemark', 'userList'],
  properties: {
    groupId: idSchema,
    groupName: { type: 'string' },
    groupRemark: { type: 'string' },
    userList: { type: 'array', items: memberSchema },
    total: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
  },
  additionalProperties: false,
}

const memberListSuccessSchema = {
  type: 'object',
  required: ['code', 'data', 'msg'],
  properties: { code: successCodeSchema, data: memberListSchema, msg: messageSchema },
  additionalProperties: false,
}

const syncGroupsSchema = { type: 'object', properties: { groupIds: idsSchema }, additionalProperties: false }

const roleSortSchema = { type: 'integer', minimum: 1, maximum: 999 }

const addRoleSchema = {
  type: 'object',
  required: ['name', 'keyword'],
  properties: {
    name: {
      type: 'string',
      minLength: 1,
      maxLength: 20,
      pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
    },
    keyword: {
      type: 'string',
      minLength: 1,
      maxLength: 20,
      pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
    },
    remark: {
      type: 'string',
      minLength: 0,
      maxLength: 100,
      pattern: '^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$',
    },
    sort: roleSortSchema,
    status: statusSchema,
  },
  additionalProperties: false,
}

const updateRoleSchema = {
  type: 'object',
  required: ['id', 'name', 'keyword'],
  properties: {
    id: idSchema,
    name: {
      type: 'string',
      minLength: 1,
      maxLength: 20,
      pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
    },
    keyword: {
      type: 'string',
      minLength: 1,
      maxLength: 20,
      pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
    },
    remark: {
      type: 'string',
      minLength: 0,
      maxLength: 100,
      pattern: '^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$',
    },
    sort: roleSortSchema,
    status: statusSchema,
    version: recordVersionSchema,
  },
  additionalProperties: false,
}

const roleIdsSchema = {
  type: 'object',
  required: ['roleIds'],
  properties: { roleIds: idsSchema },
  additionalProperties: false,
}

const roleSchema = {
  type: 'object',
  required: ['id', 'name', 'keyword', 'remark', 'sort', 'status', 'creator', 'createdAt', 'updatedAt', 'version'],
  properties: {
    id: idSchema,
    name: { type: 'string' },
    keyword: { type: 'string' },
    remark: { type: 'string' },
    sort: roleSortSchema,
    status: statusSchema,
    creator: creatorSchema,
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    version: recordVersionSchema,
  },
  additionalProperties: false,
}

const roleListSchema = {
  type: 'object',
  required: ['total', 'roles'],
  properties: { total: totalSchema, roles: { type: 'array', items: roleSchema } },
  additionalProperties: false,
}

const roleListSuccessSchema = {
  type: 'object',
  required: ['code', 'data', 'msg'],
  properties: { code: successCodeSchema, data: roleListSchema, msg: messageSchema },
  additionalProperties: false,
}

const apiEntrySchema = {
  type: 'object',
  required: ['id', 'category', 'method', 'path', 'remark', 'creator', 'createdAt', 'updatedAt', 'version'],
  properties: {
    id: idSchema,
    category: { type: 'string' },
    method: { type: 'string' },
    path: { type: 'string' },
    remark: { type: 'string' },
    creator: creatorSchema,
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    version: recordVersionSchema,
  },
  additionalProperties: false,
}

const apiEntriesSuccessSchema = {
  type: 'object',
  required: ['code', 'data', 'msg'],
  properties: { code: successCodeSchema, data: { type: 'array', items: apiEntrySchema }, msg: messageSchema },
  additionalProperties: false,
}

const switchSchema = { type: 'integer', enum: [1, 2] }

const menuSchema = {
  type: 'object',
  required: [
    'id',
    'name',
    'title',
    'path',
    'component',
    'parentId',
    'icon',
    'redirect',
    'activeMenu',
    'sort',
    'status',
    'hidden',
    'alwaysShow',
    'noCache',
    'breadcrumb',
    'creator',
    'createdAt',
    'updatedAt',
    'version',
  ],
  properties: {
    id: idSchema,
    name: { type: 'string' },
    title: { type: 'string' },
    path: { type: 'string' },
    component: { type: 'string' },
    parentId: parentIdSchema,
    icon: { type: 'string' },
    redirect: { type: 'string' },
    activeMenu: { type: 'string' },
    sort: sortSchema,
    status: statusSchema,
    hidden: switchSchema,
    alwaysShow: switchSchema,
    noCache: switchSchema,
    breadcrumb: switchSchema,
    creator: creatorSchema,
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    version: recordVersionSchema,
  },
  additionalProperties: false,
}

const menusSuccessSchema = {
  type: 'object',
  required: ['code', 'data', 'msg'],
  properties: { code: successCodeSchema, data: { type: 'array', items: menuSchema }, msg: messageSchema },
  additionalProperties: false,
}

const roleApisSchema = {
  type: 'object',
  required: ['roleId', 'apiIds'],
  properties: { roleId: idSchema, apiIds: idsSchema, version: recordVersionSchema },
  additionalProperties: false,
}

const roleMenusSchema = {
  type: 'object',
  required: ['roleId', 'menuIds'],
  properties: { roleId: idSchema, menuIds: idsSchema, version: recordVersionSchema },
  additionalProperties: false,
}

const addMenuSchema = {
  type: 'object',
  required: ['name', 'title', 'path', 'component'],
  properties: {
    name: {
      type: 'string',
      minLength: 1,
      maxLength: 50,
      pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
    },
    title: {
      type: 'string',
      minLength: 1,
      maxLength: 50,
      pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
    },
    path: {
      type: 'string',
      minLength: 1,
      maxLength: 100,
      pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
    },
    component: {
      type: 'string',
      minLength: 1,
      maxLength: 100,
      pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
    },
    parentId: parentIdSchema,
    icon: { type: 'string', minLength: 0, maxLength: 50, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' },
    redirect: { type: 'string', minLength: 0, maxLength: 100, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' },
    activeMenu: { type: 'string', minLength: 0, maxLength: 100, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' },
    sort: sortSchema,
    status: statusSchema,
    hidden: switchSchema,
    alwaysShow: switchSchema,
    noCache: switchSchema,
    breadcrumb: switchSchema,
  },
  additionalProperties: false,
}

const updateMenuSchema = {
  type: 'object',
  required: ['id', 'name', 'title', 'path'],
  properties: {
    id: idSchema,
    name: {
      type: 'string',
      minLength: 1,
      maxLength: 50,
      pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
    },
    title: {
      type: 'string',
      minLength: 1,
      maxLength: 50,
      pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
    },
    path: {
      type: 'string',
      minLength: 1,
      maxLength: 100,
      pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
    },
    component: { type: 'string', minLength: 0, maxLength: 100, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' },
    parentId: parentIdSchema,
    icon: { type: 'string', minLength: 0, maxLength: 50, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' },
    redirect: { type: 'string', minLength: 0, maxLength: 100, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' },
    activeMenu: { type: 'string', minLength: 0, maxLength: 100, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' },
    sort: sortSchema,
    status: statusSchema,
    hidden: switchSchema,
    alwaysShow: switchSchema,
    noCache: switchSchema,
    breadcrumb: switchSchema,
    version: recordVersionSchema,
  },
  additionalProperties: false,
}

const menuIdsSchema = {
  type: 'object',
  required: ['menuIds'],
  properties: { menuIds: idsSchema },
  additionalProperties: false,
}

const menuTreeSuccessSchema = {
  type: 'object',
  required: ['code', 'data', 'msg'],
  properties: {
    code: successCodeSchema,
    data: { type: 'array', items: { $ref: 'directory.MenuNode#' } },
    msg: messageSchema,
  },
  additionalProperties: false,
}

const addApiSchema = {
  type: 'object',
  required: ['category', 'method', 'path'],
  properties: {
    category: {
      type: 'string',
      minLength: 1,
      maxLength: 50,
      pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
    },
    method: {
      type: 'string',
      minLength: 1,
      maxLength: 20,
      pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
    },
    path: {
      type: 'string',
      minLength: 1,
      maxLength: 100,
      pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
    },
    remark: {
      type: 'string',
      minLength: 0,
      maxLength: 100,
      pattern: '^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$',
    },
  },
  additionalProperties: false,
}

const updateApiSchema = {
  type: 'object',
  required: ['id'],
  properties: {
    id: idSchema,
    category: {
      type: 'string',
      minLength: 1,
      maxLength: 50,
      pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
    },
    method: {
      type: 'string',
      minLength: 1,
      maxLength: 20,
      pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
    },
    path: {
      type: 'string',
      minLength: 1,
      maxLength: 100,
      pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
    },
    remark: {
      type: 'string',
      minLength: 0,
      maxLength: 100,
      pattern: '^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$',
    },
    version: recordVersionSchema,
  },
  additionalProperties: false,
}

const apiIdsSchema = {
  type: 'object',
  required: ['apiIds'],
  properties: { apiIds: idsSchema },
  additionalProperties: false,
}

const apiListSchema = {
  type: 'object',
  required: ['total', 'apis'],
  properties: { total: totalSchema, apis: { type: 'array', items: apiEntrySchema } },
  additionalProperties: false,
}

const apiListSuccessSchema = {
  type: 'object',
  required: ['code', 'data', 'msg'],
  properties: { code: successCodeSchema, data: apiListSchema, msg: messageSchema },
  additionalProperties: false,
}

const apiNodeSchema = {
  type: 'object',
  required: ['id', 'category', 'remark', 'children'],
  properties: {
    id: { type: 'integer', maximum: 0, minimum: -9007199254740991 },
    category: { type: 'string' },
    remark: { type: 'string' },
    children: { type: 'array', items: apiEntrySchema },
  },
  additionalProperties: false,
}

const apiTreeSuccessSchema = {
  type: 'object',
  required: ['code', 'data', 'msg'],
  properties: { code: successCodeSchema, data: { type: 'array', items: apiNodeSchema }, msg: messageSchema },
  additionalProperties: false,
}

const flagSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 20,
  pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
}

const attributesSchema = {
  type: 'object',
  maxProperties: 100,
  additionalProperties: {
    type: 'string',
    maxLength: 1024,
    pattern: '^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$',
  },
}

const addFieldRelationSchema = {
  type: 'object',
  required: ['flag', 'attributes'],
  properties: { flag: flagSchema, attributes: attributesSchema },
  additionalProperties: false,
}

const updateFieldRelationSchema = {
  type: 'object',
  required: ['id', 'flag', 'attributes'],
  properties: { id: idSchema, flag: flagSchema, attributes: attributesSchema },
  additionalProperties: false,
}

const fieldRelationIdsSchema = {
  type: 'object',
  required: ['fieldRelationIds'],
  properties: { fieldRelationIds: idsSchema },
  additionalProperties: false,
}

const fieldRelationSchema = {
  type: 'object',
  required: ['id', 'flag', 'attributes', 'creator', 'createdAt', 'updatedAt'],
  properties: {
    id: idSchema,
    flag: flagSchema,
    attributes: attributesSchema,
    creator: creatorSchema,
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
  },
  additionalProperties: false,
}

const fieldRelationsSuccessSchema = {
  type: 'object',
  required: ['code', 'data', 'msg'],
  properties: { code: successCodeSchema, data: { type: 'array', items: fieldRelationSchema }, msg: messageSchema },
  additionalProperties: false,
}

const logEntrySchema = {
  type: 'object',
  required: [
    'id',
    'seq',
    'username',
    'ip',
    'method',
    'path',
    'remark',
    'status',
    'startTime',
    'timeCost',
    'userAgent',
    'target',
    'times',
  ],
  properties: {
    id: idSchema,
    seq: { type: 'integer', format: 'int64', minimum: 1, maximum: 9007199254740991 },
    username: { type: 'string' },
    ip: { type: 'string' },
    method: { type: 'string' },
    path: { type: 'string' },
    remark: { type: 'string' },
    status: { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
    startTime: timestampSchema,
    timeCost: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    userAgent: { type: 'string' },
    target: { type: 'array', items: idSchema },
    times: { type: 'integer', minimum: 1, maximum: 9007199254740991 },
  },
  additionalProperties: false,
}

const logListSchema = {
  type: 'object',
  required: ['total', 'logs'],
  properties: { total: totalSchema, logs: { type: 'array', items: logEntrySchema } },
  additionalProperties: false,
}

const logListSuccessSchema = {
  type: 'object',
  required: ['code', 'data', 'msg'],
  properties: { code: successCodeSchema, data: logListSchema, msg: messageSchema },
  additionalProperties: false,
}

const operationLogIdsSchema = {
  type: 'object',
  required: ['operationLogIds'],
  properties: { operationLogIds: idsSchema },
  additionalProperties: false,
}

export const directoryDocument: ContractDocument<DirectoryHandlers> = {
  name: 'directory',
  title: 'Directory Administration API',
  prefix: '/api',
  envelope: 'msg',
  shared: [
    {
      $id: 'directory.GroupNode',
      type: 'object',
      properties: {
        id: idSchema,
        groupName: { type: 'string' },
        groupType: groupTypeSchema,
        parentId: parentIdSchema,
        remark: { type: 'string' },
        groupDn: { type: 'string' },
        memberCount: { type: 'integer', format: 'int64', minimum: 0, maximum: 9007199254740991 },
        source: { type: 'string' },
        sourceDeptId: { type: 'string' },
        sourceDeptParentId: { type: 'string' },
        syncState: syncStateSchema,
        syncError: syncErrorSchema,
        syncStated: syncStatedSchema,
        creator: creatorSchema,
        createdAt: timestampSchema,
        updatedAt: timestampSchema,
        children: { type: 'array', items: { $ref: 'directory.GroupNode#' } },
      },
      required: [
        'id',
        'groupName',
        'groupType',
        'parentId',
        'remark',
        'groupDn',
        'memberCount',
        'source',
        'sourceDeptId',
        'sourceDeptParentId',
        'syncState',
        'syncError',
        'syncStated',
        'creator',
        'createdAt',
        'updatedAt',
        'children',
      ],
      additionalProperties: false,
    },
    {
      $id: 'directory.MenuNode',
      type: 'object',
      properties: {
        id: idSchema,
        name: { type: 'string' },
        title: { type: 'string' },
        path: { type: 'string' },
        component: { type: 'string' },
        parentId: parentIdSchema,
        icon: { type: 'string' },
        redirect: { type: 'string' },
        activeMenu: { type: 'string' },
        sort: sortSchema,
        status: statusSchema,
        hidden: switchSchema,
        alwaysShow: switchSchema,
        noCache: switchSchema,
        breadcrumb: switchSchema,
        creator: creatorSchema,
        createdAt: timestampSchema,
        updatedAt: timestampSchema,
        version: recordVersionSchema,
        children: { type: 'array', items: { $ref: 'directory.MenuNode#' } },
      },
      required: [
        'id',
        'name',
        'title',
        'path',
        'component',
        'parentId',
        'icon',
        'redirect',
        'activeMenu',
        'sort',
        'status',
        'hidden',
        'alwaysShow',
        'noCache',
        'breadcrumb',
        'creator',
        'createdAt',
        'updatedAt',
        'version',
        'children',
      ],
      additionalProperties: false,
    },
  ],
  operations: [
    {
      id: 'login',
      tag: 'base',
      group: 'base',
      summary: 'Sign in',
      method: 'POST',
      path: '/base/login',
      url: '/base/login',
      secured: false,
      schema: { body: loginSchema, response: tokenSuccessSchema },
      rateLimit: { max: 60, window: 60, by: 'address' },
    },
    {
      id: 'logout',
      tag: 'base',
      group: 'base',
      summary: 'Sign out',
      method: 'POST',
      path: '/base/logout',
      url: '/base/logout',
      secured: false,
      schema: { response: doneSuccessSchema },
    },
    {
      id: 'refreshToken',
      tag: 'base',
      group: 'base',
      summary: 'Exchange an old token for a new one',
      method: 'POST',
      path: '/base/refreshToken',
      url: '/base/refreshToken',
      secured: false,
      schema: { response: tokenSuccessSchema },
      rateLimit: { max: 60, window: 60, by: 'address' },
    },
    {
      id: 'ping',
      tag: 'base',
      group: 'base',
      summary: 'Check that the service responds',
      method: 'GET',
      path: '/base/ping',
      url: '/base/ping',
      secured: false,
      schema: { response: pongSuccessSchema },
    },
    {
      id: 'dashboard',
      tag: 'base',
      group: 'base',
      summary: 'Count the records of each kind',
      method: 'GET',
      path: '/base/dashboard',
      url: '/base/dashboard',
      secured: false,
      schema: { response: dashboardCountsSuccessSchema },
      rateLimit: { max: 60, window: 60, by: 'address' },
    },
    {
      id: 'encryptPassword',
      tag: 'base',
      group: 'base',
      summary: 'Encrypt a password for transport',
      method: 'GET',
      path: '/base/encryptpwd',
      url: '/base/encryptpwd',
      secured: false,
      schema: {
        querystring: {
          type: 'object',
          properties: { passwd: { type: 'string', maxLength: 128 } },
          required: ['passwd'],
          additionalProperties: false,
        },
        response: encryptedPasswordSuccessSchema,
      },
      rateLimit: { max: 60, window: 60, by: 'address' },
    },
    {
      id: 'decryptPassword',
      tag: 'base',
      group: 'base',
      summary: 'Decrypt a password that was encrypted for transport',
      method: 'GET',
      path: '/base/decryptpwd',
      url: '/base/decryptpwd',
      secured: false,
      schema: {
        querystring: {
          type: 'object',
          properties: { passwd: { type: 'string', maxLength: 1024 } },
          required: ['passwd'],
          additionalProperties: false,
        },
        response: plainPasswordSuccessSchema,
      },
      rateLimit: { max: 60, window: 60, by: 'address' },
    },
    {
      id: 'sendCode',
      tag: 'base',
      group: 'base',
      summary: 'Mail a code for a forgotten password',
      method: 'POST',
      path: '/base/sendcode',
      url: '/base/sendcode',
      secured: false,
      schema: { body: sendCodeSchema, response: doneSuccessSchema },
      rateLimit: { max: 10, window: 60, by: 'address' },
    },
    {
      id: 'changePasswordByCode',
      tag: 'base',
      group: 'base',
      summary: 'Change a password with a mailed code',
      method: 'POST',
      path: '/base/changePwd',
      url: '/base/changePwd',
      secured: false,
      schema: { body: changePasswordByCodeSchema, response: doneSuccessSchema },
      rateLimit: { max: 20, window: 60, by: 'address' },
    },
    {
      id: 'addUser',
      tag: 'users',
      group: 'users',
      summary: 'Add a user',
      method: 'POST',
      path: '/user/add',
      url: '/user/add',
      secured: true,
      schema: { body: addUserSchema, response: createdSuccessSchema },
    },
    {
      id: 'updateUser',
      tag: 'users',
      group: 'users',
      summary: 'Change a user',
      method: 'POST',
      path: '/user/update',
      url: '/user/update',
      secured: true,
      schema: { body: updateUserSchema, response: doneSuccessSchema },
    },
    {
      id: 'deleteUsers',
      tag: 'users',
      group: 'users',
      summary: 'Delete users',
      method: 'POST',
      path: '/user/delete',
      url: '/user/delete',
      secured: true,
      schema: { body: userIdsSchema, response: doneSuccessSchema },
    },
    {
      id: 'listUsers',
      tag: 'users',
      group: 'users',
      summary: 'List users',
      method: 'GET',
      path: '/user/list',
      url: '/user/list',
      secured: true,
      schema: {
        querystring: {
          type: 'object',
          properties: {
            pageNum: { type: 'integer', format: 'int32', minimum: 1, maximum: 2147483647 },
            pageSize: { type: 'integer', format: 'int32', minimum: 1, maximum: 1000 },
            username: textFilterSchema,
            nickname: textFilterSchema,
            givenName: textFilterSchema,
            mail: textFilterSchema,
            mobile: textFilterSchema,
            jobNumber: textFilterSchema,
            status: statusSchema,
            syncState: syncStateSchema,
            departmentId: idSchema,
          },
          additionalProperties: false,
        },
        response: userListSuccessSchema,
      },
      stream: 'users',
    },
    {
      id: 'getUserInfo',
      tag: 'users',
      group: 'users',
      summary: 'Show the signed-in user',
      method: 'GET',
      path: '/user/info',
      url: '/user/info',
      secured: true,
      schema: { response: userSuccessSchema },
    },
    {
      id: 'changeOwnPassword',
      tag: 'users',
      group: 'users',
      summary: 'Change your own password',
      method: 'POST',
      path: '/user/changePwd',
      url: '/user/changePwd',
      secured: true,
      schema: { body: changeOwnPasswordSchema, response: doneSuccessSchema },
    },
    {
      id: 'changeUserStatus',
      tag: 'users',
      group: 'users',
      summary: 'Enable or disable a user',
      method: 'POST',
      path: '/user/changeUserStatus',
      url: '/user/changeUserStatus',
      secured: true,
      schema: { body: changeUserStatusSchema, response: doneSuccessSchema },
    },
    {
      id: 'syncSqlUsers',
      tag: 'users',
      group: 'users',
      summary: 'Make the directory entries of users equal to their records',
      method: 'POST',
      path: '/user/syncSqlUsers',
      url: '/user/syncSqlUsers',
      secured: true,
      schema: { body: userIdsSchema, response: runReportSuccessSchema },
    },
    {
      id: 'syncExtAUsers',
      tag: 'users',
      group: 'users',
      summary: 'Import users from ExtA',
      method: 'POST',
      path: '/user/syncExtAUsers',
      url: '/user/syncExtAUsers',
      secured: true,
      schema: { body: nothingSchema, response: runReportSuccessSchema },
    },
    {
      id: 'syncExtBUsers',
      tag: 'users',
      group: 'users',
      summary: 'Import users from ExtB',
      method: 'POST',
      path: '/user/syncExtBUsers',
      url: '/user/syncExtBUsers',
      secured: true,
      schema: { body: nothingSchema, response: runReportSuccessSchema },
    },
    {
      id: 'syncExtCUsers',
      tag: 'users',
      group: 'users',
      summary: 'Import users from ExtC',
      method: 'POST',
      path: '/user/syncExtCUsers',
      url: '/user/syncExtCUsers',
      secured: true,
      schema: { body: nothingSchema, response: runReportSuccessSchema },
    },
    {
      id: 'syncExtLdapUsers',
      tag: 'users',
      group: 'users',
      summary: 'Import users from ExtLdap',
      method: 'POST',
      path: '/user/syncExtLdapUsers',
      url: '/user/syncExtLdapUsers',
      secured: true,
      schema: { body: nothingSchema, response: runReportSuccessSchema },
    },
    {
      id: 'addGroup',
      tag: 'groups',
      group: 'groups',
      summary: 'Add a group',
      method: 'POST',
      path: '/group/add',
      url: '/group/add',
      secured: true,
      schema: { body: addGroupSchema, response: createdSuccessSchema },
    },
    {
      id: 'updateGroup',
      tag: 'groups',
      group: 'groups',
      summary: 'Change a group',
      method: 'POST',
      path: '/group/update',
      url: '/group/update',
      secured: true,
      schema: { body: updateGroupSchema, response: doneSuccessSchema },
    },
    {
      id: 'deleteGroups',
      tag: 'groups',
      group: 'groups',
      summary: 'Delete groups',
      method: 'POST',
      path: '/group/delete',
      url: '/group/delete',
      secured: true,
      schema: { body: groupIdsSchema, response: doneSuccessSchema },
    },
    {
      id: 'listGroups',
      tag: 'groups',
      group: 'groups',
      summary: 'List groups',
      method: 'GET',
      path: '/group/list',
      url: '/group/list',
      secured: true,
      schema: {
        querystring: {
          type: 'object',
          properties: {
            pageNum: { type: 'integer', format: 'int32', minimum: 1, maximum: 2147483647 },
            pageSize: { type: 'integer', format: 'int32', minimum: 1, maximum: 1000 },
            groupName: textFilterSchema,
            remark: textFilterSchema,
            syncState: syncStateSchema,
          },
          additionalProperties: false,
        },
        response: groupListSuccessSchema,
      },
      stream: 'groups',
    },
    {
      id: 'getGroupTree',
      tag: 'groups',
      group: 'groups',
      summary: 'Show the group tree',
      method: 'GET',
      path: '/group/tree',
      url: '/group/tree',
      secured: true,
      schema: { response: groupTreeSuccessSchema },
    },
    {
      id: 'addGroupUsers',
      tag: 'groups',
      group: 'groups',
      summary: 'Add users to a group',
      method: 'POST',
      path: '/group/adduser',
      url: '/group/adduser',
      secured: true,
      schema: { body: groupUsersSchema, response: doneSuccessSchema },
    },
    {
      id: 'removeGroupUsers',
      tag: 'groups',
      group: 'groups',
      summary: 'Remove users from a group',
      method: 'POST',
      path: '/group/removeuser',
      url: '/group/removeuser',
      secured: true,
      schema: { body: groupUsersSchema, response: doneSuccessSchema },
    },
    {
      id: 'listUsersInGroup',
      tag: 'groups',
      group: 'groups',
      summary: 'List the users in a group',
      method: 'GET',
      path: '/group/useringroup',
      url: '/group/useringroup',
      secured: true,
      schema: {
        querystring: {
          type: 'object',
          properties: {
            groupId: idSchema,
            nickname: textFilterSchema,
            search: textFilterSchema,
            pageNum: { type: 'integer', format: 'int32', minimum: 1, maximum: 2147483647 },
            pageSize: { type: 'integer', format: 'int32', minimum: 1, maximum: 1000 },
          },
          required: ['groupId'],
          additionalProperties: false,
        },
        response: memberListSuccessSchema,
      },
      stream: 'userList',
    },
    {
      id: 'listUsersNotInGroup',
      tag: 'groups',
      group: 'groups',
      summary: 'List the users who are not in a group',
      method: 'GET',
      path: '/group/usernoingroup',
      url: '/group/usernoingroup',
      secured: true,
      schema: {
        querystring: {
          type: 'object',
          properties: {
            groupId: idSchema,
            nickname: textFilterSchema,
            search: textFilterSchema,
            pageNum: { type: 'integer', format: 'int32', minimum: 1, maximum: 2147483647 },
            pageSize: { type: 'integer', format: 'int32', minimum: 1, maximum: 1000 },
          },
          required: ['groupId'],
          additionalProperties: false,
        },
        response: memberListSuccessSchema,
      },
      stream: 'userList',
    },
    {
      id: 'syncSqlGroups',
      tag: 'groups',
      group: 'groups',
      summary: 'Make the directory entries of groups equal to their records',
      method: 'POST',
      path: '/group/syncSqlGroups',
      url: '/group/syncSqlGroups',
      secured: true,
      schema: { body: syncGroupsSchema, response: runReportSuccessSchema },
    },
    {
      id: 'syncExtADepts',
      tag: 'groups',
      group: 'groups',
      summary: 'Import departments from ExtA',
      method: 'POST',
      path: '/group/syncExtADepts',
      url: '/group/syncExtADepts',
      secured: true,
      schema: { response: runReportSuccessSchema },
    },
    {
      id: 'syncExtBDepts',
      tag: 'groups',
      group: 'groups',
      summary: 'Import departments from ExtB',
      method: 'POST',
      path: '/group/syncExtBDepts',
      url: '/group/syncExtBDepts',
      secured: true,
      schema: { response: runReportSuccessSchema },
    },
    {
      id: 'syncExtCDepts',
      tag: 'groups',
      group: 'groups',
      summary: 'Import departments from ExtC',
      method: 'POST',
      path: '/group/syncExtCDepts',
      url: '/group/syncExtCDepts',
      secured: true,
      schema: { response: runReportSuccessSchema },
    },
    {
      id: 'syncExtLdapDepts',
      tag: 'groups',
      group: 'groups',
      summary: 'Import departments from ExtLdap',
      method: 'POST',
      path: '/group/syncExtLdapDepts',
      url: '/group/syncExtLdapDepts',
      secured: true,
      schema: { response: runReportSuccessSchema },
    },
    {
      id: 'addRole',
      tag: 'roles',
      group: 'roles',
      summary: 'Add a role',
      method: 'POST',
      path: '/role/add',
      url: '/role/add',
      secured: true,
      schema: { body: addRoleSchema, response: createdSuccessSchema },
    },
    {
      id: 'updateRole',
      tag: 'roles',
      group: 'roles',
      summary: 'Change a role',
      method: 'POST',
      path: '/role/update',
      url: '/role/update',
      secured: true,
      schema: { body: updateRoleSchema, response: doneSuccessSchema },
    },
    {
      id: 'deleteRoles',
      tag: 'roles',
      group: 'roles',
      summary: 'Delete roles',
      method: 'POST',
      path: '/role/delete',
      url: '/role/delete',
      secured: true,
      schema: { body: roleIdsSchema, response: doneSuccessSchema },
    },
    {
      id: 'listRoles',
      tag: 'roles',
      group: 'roles',
      summary: 'List roles',
      method: 'GET',
      path: '/role/list',
      url: '/role/list',
      secured: true,
      schema: {
        querystring: {
          type: 'object',
          properties: {
            pageNum: { type: 'integer', format: 'int32', minimum: 1, maximum: 2147483647 },
            pageSize: { type: 'integer', format: 'int32', minimum: 1, maximum: 1000 },
            name: textFilterSchema,
            keyword: textFilterSchema,
            status: statusSchema,
          },
          additionalProperties: false,
        },
        response: roleListSuccessSchema,
      },
      stream: 'roles',
    },
    {
      id: 'getRoleApis',
      tag: 'roles',
      group: 'roles',
      summary: 'List the API entries of a role',
      method: 'GET',
      path: '/role/getapilist',
      url: '/role/getapilist',
      secured: true,
      schema: {
        querystring: {
          type: 'object',
          properties: { roleId: idSchema },
          required: ['roleId'],
          additionalProperties: false,
        },
        response: apiEntriesSuccessSchema,
      },
    },
    {
      id: 'getRoleMenus',
      tag: 'roles',
      group: 'roles',
      summary: 'List the menus of a role',
      method: 'GET',
      path: '/role/getmenulist',
      url: '/role/getmenulist',
      secured: true,
      schema: {
        querystring: {
          type: 'object',
          properties: { roleId: idSchema },
          required: ['roleId'],
          additionalProperties: false,
        },
        response: menusSuccessSchema,
      },
    },
    {
      id: 'updateRoleApis',
      tag: 'roles',
      group: 'roles',
      summary: 'Set the API entries of a role',
      method: 'POST',
      path: '/role/updateapis',
      url: '/role/updateapis',
      secured: true,
      schema: { body: roleApisSchema, response: doneSuccessSchema },
    },
    {
      id: 'updateRoleMenus',
      tag: 'roles',
      group: 'roles',
      summary: 'Set the menus of a role',
      method: 'POST',
      path: '/role/updatemenus',
      url: '/role/updatemenus',
      secured: true,
      schema: { body: roleMenusSchema, response: doneSuccessSchema },
    },
    {
      id: 'addMenu',
      tag: 'menus',
      group: 'menus',
      summary: 'Add a menu',
      method: 'POST',
      path: '/menu/add',
      url: '/menu/add',
      secured: true,
      schema: { body: addMenuSchema, response: createdSuccessSchema },
    },
    {
      id: 'updateMenu',
      tag: 'menus',
      group: 'menus',
      summary: 'Change a menu',
      method: 'POST',
      path: '/menu/update',
      url: '/menu/update',
      secured: true,
      schema: { body: updateMenuSchema, response: doneSuccessSchema },
    },
    {
      id: 'deleteMenus',
      tag: 'menus',
      group: 'menus',
      summary: 'Delete menus',
      method: 'POST',
      path: '/menu/delete',
      url: '/menu/delete',
      secured: true,
      schema: { body: menuIdsSchema, response: doneSuccessSchema },
    },
    {
      id: 'getMenuTree',
      tag: 'menus',
      group: 'menus',
      summary: 'Show the menu tree',
      method: 'GET',
      path: '/menu/tree',
      url: '/menu/tree',
      secured: true,
      schema: { response: menuTreeSuccessSchema },
    },
    {
      id: 'getAccessMenuTree',
      tag: 'menus',
      group: 'menus',
      summary: 'Show the menus that a user\'s roles grant',
      method: 'GET',
      path: '/menu/access/tree',
      url: '/menu/access/tree',
      secured: true,
      schema: {
        querystring: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: menuTreeSuccessSchema,
      },
    },
    {
      id: 'addApi',
      tag: 'apis',
      group: 'apis',
      summary: 'Add an API entry',
      method: 'POST',
      path: '/api/add',
      url: '/api/add',
      secured: true,
      schema: { body: addApiSchema, response: createdSuccessSchema },
    },
    {
      id: 'updateApi',
      tag: 'apis',
      group: 'apis',
      summary: 'Change an API entry',
      method: 'POST',
      path: '/api/update',
      url: '/api/update',
      secured: true,
      schema: { body: updateApiSchema, response: doneSuccessSchema },
    },
    {
      id: 'deleteApis',
      tag: 'apis',
      group: 'apis',
      summary: 'Delete API entries',
      method: 'POST',
      path: '/api/delete',
      url: '/api/delete',
      secured: true,
      schema: { body: apiIdsSchema, response: doneSuccessSchema },
    },
    {
      id: 'listApis',
      tag: 'apis',
      group: 'apis',
      summary: 'List API entries',
      method: 'GET',
      path: '/api/list',
      url: '/api/list',
      secured: true,
      schema: {
        querystring: {
          type: 'object',
          properties: {
            pageNum: { type: 'integer', format: 'int32', minimum: 1, maximum: 2147483647 },
            pageSize: { type: 'integer', format: 'int32', minimum: 1, maximum: 1000 },
            method: textFilterSchema,
            path: textFilterSchema,
            category: textFilterSchema,
            creator: textFilterSchema,
          },
          additionalProperties: false,
        },
        response: apiListSuccessSchema,
      },
      stream: 'apis',
    },
    {
      id: 'getApiTree',
      tag: 'apis',
      group: 'apis',
      summary: 'Show the API entries by category',
      method: 'GET',
      path: '/api/tree',
      url: '/api/tree',
      secured: true,
      schema: { response: apiTreeSuccessSchema },
    },
    {
      id: 'addFieldRelation',
      tag: 'fieldRelations',
      group: 'fieldRelations',
      summary: 'Add a field relation',
      method: 'POST',
      path: '/fieldrelation/add',
      url: '/fieldrelation/add',
      secured: true,
      schema: { body: addFieldRelationSchema, response: createdSuccessSchema },
    },
    {
      id: 'updateFieldRelation',
      tag: 'fieldRelations',
      group: 'fieldRelations',
      summary: 'Change a field relation',
      method: 'POST',
      path: '/fieldrelation/update',
      url: '/fieldrelation/update',
      secured: true,
      schema: { body: updateFieldRelationSchema, response: doneSuccessSchema },
    },
    {
      id: 'deleteFieldRelations',
      tag: 'fieldRelations',
      group: 'fieldRelations',
      summary: 'Delete field relations',
      method: 'POST',
      path: '/fieldrelation/delete',
      url: '/fieldrelation/delete',
      secured: true,
      schema: { body: fieldRelationIdsSchema, response: doneSuccessSchema },
    },
    {
      id: 'listFieldRelations',
      tag: 'fieldRelations',
      group: 'fieldRelations',
      summary: 'List field relations',
      method: 'GET',
      path: '/fieldrelation/list',
      url: '/fieldrelation/list',
      secured: true,
      schema: { response: fieldRelationsSuccessSchema },
    },
    {
      id: 'listOperationLogs',
      tag: 'operationLogs',
      group: 'operationLogs',
      summary: 'List log entries',
      method: 'GET',
      path: '/log/operation/list',
      url: '/log/operation/list',
      secured: true,
      schema: {
        querystring: {
          type: 'object',
          properties: {
            pageNum: { type: 'integer', format: 'int32', minimum: 1, maximum: 2147483647 },
            pageSize: { type: 'integer', format: 'int32', minimum: 1, maximum: 1000 },
            username: textFilterSchema,
            ip: textFilterSchema,
            path: textFilterSchema,
            method: textFilterSchema,
            status: { type: 'integer', format: 'int32', minimum: -9007199254740991, maximum: 9007199254740991 },
          },
          additionalProperties: false,
        },
        response: logListSuccessSchema,
      },
      stream: 'logs',
    },
    {
      id: 'deleteOperationLogs',
      tag: 'operationLogs',
      group: 'operationLogs',
      summary: 'Delete log entries',
      method: 'POST',
      path: '/log/operation/delete',
      url: '/log/operation/delete',
      secured: true,
      schema: { body: operationLogIdsSchema, response: doneSuccessSchema },
    },
    {
      id: 'cleanOperationLogs',
      tag: 'operationLogs',
      group: 'operationLogs',
      summary: 'Delete all log entries',
      method: 'DELETE',
      path: '/log/operation/clean',
      url: '/log/operation/clean',
      secured: true,
      schema: { response: doneSuccessSchema },
    },
  ],
}
