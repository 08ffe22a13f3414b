// Generated from openapi/security.yaml by scripts/codegen.ts. Do not edit.
import type { ContractDocument } from '../contract/document.ts'
import type { Data, Handler, Streamable } from '../contract/handler.ts'
import type { operations } from './security.types.ts'

export type { components, operations } from './security.types.ts'

export interface StatusHandlers {
  /** Show the security status — GET /status */
  listSecurityStatus: Handler<operations['listSecurityStatus']>
  /** Run a security check — POST /check */
  checkSecurity: Handler<operations['checkSecurity']>
}

export interface AlertsHandlers {
  /** List alerts — GET /alerts */
  listAlerts: Handler<operations['listAlerts'], Streamable<Data<operations['listAlerts']>, 'alerts'>>
  /** Mark an alert as handled — POST /alerts/{id}/handle */
  handleAlert: Handler<operations['handleAlert']>
}

export interface DevicesHandlers {
  /** List devices — GET /devices */
  listDevices: Handler<operations['listDevices'], Streamable<Data<operations['listDevices']>, 'devices'>>
  /** Set the status of a device — PUT /devices/{id}/status */
  setDeviceStatus: Handler<operations['setDeviceStatus']>
}

export interface BackupsHandlers {
  /** List backups — GET /backups */
  listBackups: Handler<operations['listBackups'], Streamable<Data<operations['listBackups']>, 'backups'>>
  /** Create a backup — POST /backups */
  createBackup: Handler<operations['createBackup']>
  /** Restore a backup — POST /backups/{id}/restore */
  restoreBackup: Handler<operations['restoreBackup']>
}

export interface EmergenciesHandlers {
  /** Call for help — POST /emergency */
  callForHelp: Handler<operations['callForHelp']>
}

export interface ReportsHandlers {
  /** Get the report — GET /report */
  getReport: Handler<operations['getReport']>
}

export interface SecurityHandlers {
  status: StatusHandlers
  alerts: AlertsHandlers
  devices: DevicesHandlers
  backups: BackupsHandlers
  emergencies: EmergenciesHandlers
  reports: ReportsHandlers
}

const successCodeSchema = { type: 'integer', enum: [200] }

const messageSchema = { type: 'string' }

const idSchema = { type: 'integer', format: 'int64', minimum: 1, maximum: 9007199254740991 }

const timeSchema = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$' }

const securityStatusSchema = {
  type: 'object',
  required: ['id', 'name', 'description', 'status', 'lastCheck'],
  properties: {
    id: idSchema,
    name: { type: 'string' },
    description: { type: 'string' },
    status: { type: 'string', enum: ['safe', 'risk', 'danger'] },
    lastCheck: timeSchema,
    details: { type: 'string' },
  },
  additionalProperties: false,
}

const statusListSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: { type: 'array', items: securityStatusSchema } },
  additionalProperties: false,
}

const totalSchema = { type: 'integer', format: 'int64', minimum: 0, maximum: 9007199254740991 }

const securityAlertSchema = {
  type: 'object',
  required: ['id', 'title', 'description', 'level', 'time', 'handled'],
  properties: {
    id: idSchema,
    title: { type: 'string' },
    description: { type: 'string' },
    level: { type: 'string', enum: ['info', 'warning', 'danger'] },
    time: timeSchema,
    handled: { type: 'boolean' },
    location: { type: 'string' },
    deviceId: idSchema,
  },
  additionalProperties: false,
}

const alertListSchema = {
  type: 'object',
  required: ['total', 'alerts'],
  properties: { total: totalSchema, alerts: { type: 'array', items: securityAlertSchema } },
  additionalProperties: false,
}

const alertListSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: alertListSchema },
  additionalProperties: false,
}

const handledAlertSchema = {
  type: 'object',
  required: ['id', 'title', 'description', 'level', 'time', 'handled', 'handledBy', 'handledTime'],
  properties: {
    id: idSchema,
    title: { type: 'string' },
    description: { type: 'string' },
    level: { type: 'string', enum: ['info', 'warning', 'danger'] },
    time: timeSchema,
    handled: { type: 'boolean' },
    location: { type: 'string' },
    deviceId: idSchema,
    handledBy: { type: 'string' },
    handledTime: timeSchema,
  },
  additionalProperties: false,
}

const alertSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: handledAlertSchema },
  additionalProperties: false,
}

const deviceStatusSchema = { type: 'string', enum: ['online', 'offline'] }

const securityDeviceSchema = {
  type: 'object',
  required: ['id', 'name', 'type', 'status', 'lastUpdate'],
  properties: {
    id: idSchema,
    name: { type: 'string' },
    type: { type: 'string' },
    status: deviceStatusSchema,
    battery: { type: 'integer', minimum: 0, maximum: 100 },
    lastUpdate: timeSchema,
  },
  additionalProperties: false,
}

const deviceListSchema = {
  type: 'object',
  required: ['total', 'devices'],
  properties: { total: totalSchema, devices: { type: 'array', items: securityDeviceSchema } },
  additionalProperties: false,
}

const deviceListSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: deviceListSchema },
  additionalProperties: false,
}

const deviceSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: securityDeviceSchema },
  additionalProperties: false,
}

const setDeviceStatusSchema = {
  type: 'object',
  required: ['status'],
  properties: { status: deviceStatusSchema },
  additionalProperties: false,
}

const backupRecordSchema = {
  type: 'object',
  required: ['id', 'type', 'size', 'time', 'status', 'path'],
  properties: {
    id: idSchema,
    type: { type: 'string', enum: ['Automatic backup', 'Manual backup'] },
    size: { type: 'string' },
    time: timeSchema,
    status: { type: 'string', enum: ['success', 'failed'] },
    path: { type: 'string' },
  },
  additionalProperties: false,
}

const backupListSchema = {
  type: 'object',
  required: ['total', 'backups'],
  properties: { total: totalSchema, backups: { type: 'array', items: backupRecordSchema } },
  additionalProperties: false,
}

const backupListSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: backupListSchema },
  additionalProperties: false,
}

const backupSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: backupRecordSchema },
  additionalProperties: false,
}

const createBackupSchema = {
  type: 'object',
  required: ['type'],
  properties: { type: { type: 'string', enum: ['auto', 'manual'] } },
  additionalProperties: false,
}

const restoredSchema = {
  type: 'object',
  required: ['backupId', 'safetyBackupId', 'rows', 'time'],
  properties: { backupId: idSchema, safetyBackupId: idSchema, rows: totalSchema, time: timeSchema },
  additionalProperties: false,
}

const restoredSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: restoredSchema },
  additionalProperties: false,
}

const issueSchema = {
  type: 'object',
  required: ['level', 'description', 'suggestion'],
  properties: {
    level: { type: 'string', enum: ['info', 'warning', 'danger'] },
    description: { type: 'string' },
    suggestion: { type: 'string' },
  },
  additionalProperties: false,
}

const checkResultSchema = {
  type: 'object',
  required: ['score', 'issues'],
  properties: { score: { type: 'integer', minimum: 0, maximum: 100 }, issues: { type: 'array', items: issueSchema } },
  additionalProperties: false,
}

const checkSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: checkResultSchema },
  additionalProperties: false,
}

const emergencyReceiptSchema = {
  type: 'object',
  required: ['id', 'alertId', 'time', 'notified'],
  properties: {
    id: idSchema,
    alertId: idSchema,
    time: timeSchema,
    notified: { type: 'array', items: { type: 'string', enum: ['mail', 'webhook'] } },
  },
  additionalProperties: false,
}

const emergencySuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: emergencyReceiptSchema },
  additionalProperties: false,
}

const callForHelpSchema = {
  type: 'object',
  required: ['type', 'description'],
  properties: {
    type: {
      type: 'string',
      minLength: 1,
      maxLength: 50,
      pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
    },
    description: {
      type: 'string',
      minLength: 1,
      maxLength: 2000,
      pattern: '^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$',
    },
  },
  additionalProperties: false,
}

const reportAddressSchema = {
  type: 'object',
  required: ['url'],
  properties: { url: { type: 'string' } },
  additionalProperties: false,
}

const reportSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: reportAddressSchema },
  additionalProperties: false,
}

export const securityDocument: ContractDocument<SecurityHandlers> = {
  name: 'security',
  title: 'Security Center API',
  prefix: '/api/v1/security',
  envelope: 'message',
  shared: [],
  operations: [
    {
      id: 'listSecurityStatus',
      tag: 'status',
      group: 'status',
      summary: 'Show the security status',
      method: 'GET',
      path: '/status',
      url: '/status',
      secured: true,
      schema: { response: statusListSuccessSchema },
    },
    {
      id: 'listAlerts',
      tag: 'alerts',
      group: 'alerts',
      summary: 'List alerts',
      method: 'GET',
      path: '/alerts',
      url: '/alerts',
      secured: true,
      schema: {
        querystring: { type: 'object', properties: { handled: { type: 'boolean' } }, additionalProperties: false },
        response: alertListSuccessSchema,
      },
      stream: 'alerts',
    },
    {
      id: 'handleAlert',
      tag: 'alerts',
      group: 'alerts',
      summary: 'Mark an alert as handled',
      method: 'POST',
      path: '/alerts/{id}/handle',
      url: '/alerts/:id/handle',
      secured: true,
      schema: {
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: alertSuccessSchema,
      },
    },
    {
      id: 'listDevices',
      tag: 'devices',
      group: 'devices',
      summary: 'List devices',
      method: 'GET',
      path: '/devices',
      url: '/devices',
      secured: true,
      schema: { response: deviceListSuccessSchema },
      stream: 'devices',
    },
    {
      id: 'setDeviceStatus',
      tag: 'devices',
      group: 'devices',
      summary: 'Set the status of a device',
      method: 'PUT',
      path: '/devices/{id}/status',
      url: '/devices/:id/status',
      secured: true,
      schema: {
        body: setDeviceStatusSchema,
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: deviceSuccessSchema,
      },
    },
    {
      id: 'listBackups',
      tag: 'backups',
      group: 'backups',
      summary: 'List backups',
      method: 'GET',
      path: '/backups',
      url: '/backups',
      secured: true,
      schema: { response: backupListSuccessSchema },
      stream: 'backups',
    },
    {
      id: 'createBackup',
      tag: 'backups',
      group: 'backups',
      summary: 'Create a backup',
      method: 'POST',
      path: '/backups',
      url: '/backups',
      secured: true,
      schema: { body: createBackupSchema, response: backupSuccessSchema },
    },
    {
      id: 'restoreBackup',
      tag: 'backups',
      group: 'backups',
      summary: 'Restore a backup',
      method: 'POST',
      path: '/backups/{id}/restore',
      url: '/backups/:id/restore',
      secured: true,
      schema: {
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: restoredSuccessSchema,
      },
    },
    {
      id: 'checkSecurity',
      tag: 'status',
      group: 'status',
      summary: 'Run a security check',
      method: 'POST',
      path: '/check',
      url: '/check',
      secured: true,
      schema: { response: checkSuccessSchema },
    },
    {
      id: 'callForHelp',
      tag: 'emergencies',
      group: 'emergencies',
      summary: 'Call for help',
      method: 'POST',
      path: '/emergency',
      url: '/emergency',
      secured: true,
      schema: { body: callForHelpSchema, response: emergencySuccessSchema },
      rateLimit: { max: 10, window: 60, by: 'user' },
    },
    {
      id: 'getReport',
      tag: 'reports',
      group: 'reports',
      summary: 'Get the report',
      method: 'GET',
      path: '/report',
      url: '/report',
      secured: true,
      schema: { response: reportSuccessSchema },
      rateLimit: { max: 10, window: 60, by: 'user' },
    },
  ],
}
