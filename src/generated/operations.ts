// Generated from openapi/operations.yaml by scripts/codegen.ts. Do not edit.
import type { ContractDocument } from '../contract/document.ts'
import type { Content, Data, Handler, PublicHandler, Streamable } from '../contract/handler.ts'
import type { operations } from './operations.types.ts'

export type { components, operations } from './operations.types.ts'

export interface RunsHandlers {
  /** List runs — GET /runs */
  listRuns: Handler<operations['listRuns'], Streamable<Data<operations['listRuns']>, 'runs'>>
  /** Show a run — GET /runs/{id} */
  getRun: Handler<operations['getRun']>
  /** List the changes of a run's plan — GET /runs/{id}/changes */
  listRunChanges: Handler<operations['listRunChanges'], Streamable<Data<operations['listRunChanges']>, 'changes'>>
  /** Carry out a held plan — POST /runs/{id}/confirm */
  confirmRun: Handler<operations['confirmRun']>
  /** Give a held plan up — POST /runs/{id}/discard */
  discardRun: Handler<operations['discardRun']>
}

export interface SourcesHandlers {
  /** List sources — GET /sources */
  listSources: Handler<operations['listSources']>
  /** Plan a synchronisation without applying it — POST /sources/{source}/dry-runs */
  startDryRun: Handler<operations['startDryRun']>
  /** Diagnose a source — POST /sources/{source}/diagnose */
  diagnoseSource: Handler<operations['diagnoseSource']>
  /** Show what some records of a source become — POST /sources/{source}/mapping-previews */
  previewMapping: Handler<operations['previewMapping']>
}

export interface SchedulesHandlers {
  /** List schedules — GET /schedules */
  listSchedules: Handler<operations['listSchedules']>
}

export interface OrphansHandlers {
  /** List orphan entries — GET /orphans */
  listOrphans: Handler<operations['listOrphans']>
  /** Show what adopting or ignoring by a filter would do — POST /orphans/preview */
  previewOrphans: Handler<operations['previewOrphans']>
  /** Make orphan entries those of their records — POST /orphans/adopt */
  adoptOrphans: Handler<operations['adoptOrphans']>
  /** Be told of orphan entries no more — POST /orphans/ignore */
  ignoreOrphans: Handler<operations['ignoreOrphans']>
  /** Be told of ignored entries again — POST /orphans/heed */
  heedOrphans: Handler<operations['heedOrphans']>
}

export interface DevicesHandlers {
  /** Register a device — POST /devices */
  registerDevice: Handler<operations['registerDevice']>
  /** Rename a device, or say where it is — PUT /devices/{id} */
  updateDevice: Handler<operations['updateDevice']>
  /** Remove a device — DELETE /devices/{id} */
  removeDevice: Handler<operations['removeDevice']>
  /** Say that a device is there — POST /devices/heartbeat */
  sendHeartbeat: PublicHandler<operations['sendHeartbeat']>
}

export interface SecondFactorHandlers {
  /** Show your own second factor — GET /second-factor */
  getSecondFactor: Handler<operations['getSecondFactor']>
  /** Give your authenticator app up — DELETE /second-factor */
  disableSecondFactor: Handler<operations['disableSecondFactor']>
  /** Enrol an authenticator app — POST /second-factor/totp */
  enrolTotp: Handler<operations['enrolTotp']>
  /** Confirm an authenticator app by its first code — POST /second-factor/totp/confirm */
  confirmTotp: Handler<operations['confirmTotp']>
  /** Replace your recovery codes — POST /second-factor/recovery-codes */
  renewRecoveryCodes: Handler<operations['renewRecoveryCodes']>
  /** Remove a user's authenticator app — DELETE /users/{id}/second-factor */
  resetSecondFactor: Handler<operations['resetSecondFactor']>
}

export interface StepUpHandlers {
  /** Step this session up — POST /step-up */
  stepUp: Handler<operations['stepUp']>
  /** Have a code mailed to step up with — POST /step-up/mail */
  sendStepUpCode: Handler<operations['sendStepUpCode']>
}

export interface SessionsHandlers {
  /** List your own sessions — GET /sessions */
  listOwnSessions: Handler<operations['listOwnSessions']>
  /** End one of your own sessions — DELETE /sessions/{sessionId} */
  endOwnSession: Handler<operations['endOwnSession']>
  /** List a user's sessions — GET /users/{id}/sessions */
  listUserSessions: Handler<operations['listUserSessions']>
  /** End one of a user's sessions — DELETE /users/{id}/sessions/{sessionId} */
  endUserSession: Handler<operations['endUserSession']>
}

export interface HealthHandlers {
  /** Tell that the process runs — GET /health/live */
  getLiveness: PublicHandler<operations['getLiveness']>
  /** Tell whether requests can be answered — GET /health/ready */
  getReadiness: PublicHandler<operations['getReadiness']>
}

export interface ReportPagesHandlers {
  /** Show a report — GET /reports/{id}/page */
  showReport: PublicHandler<operations['showReport'], Content>
}

export interface BackupFilesHandlers {
  /** Download a backup — GET /backups/{id}/file */
  downloadBackup: Handler<operations['downloadBackup'], Content>
}

export interface OperationsHandlers {
  runs: RunsHandlers
  sources: SourcesHandlers
  schedules: SchedulesHandlers
  orphans: OrphansHandlers
  devices: DevicesHandlers
  secondFactor: SecondFactorHandlers
  stepUp: StepUpHandlers
  sessions: SessionsHandlers
  health: HealthHandlers
  reportPages: ReportPagesHandlers
  backupFiles: BackupFilesHandlers
}

const successCodeSchema = { type: 'integer', enum: [200] }

const messageSchema = { type: 'string' }

const totalSchema = { type: 'integer', format: 'int64', minimum: 0, maximum: 9007199254740991 }

const idSchema = { type: 'integer', format: 'int64', minimum: 1, maximum: 9007199254740991 }

const runSourceSchema = { type: 'string', enum: ['sql', 'exta', 'extb', 'extc', 'extldap'] }

const runKindSchema = { type: 'string', enum: ['users', 'groups'] }

const runStateSchema = { type: 'string', enum: ['running', 'done', 'held', 'failed', 'planned', 'discarded'] }

const timestampSchema = { type: 'string', format: 'date-time' }

const runSummarySchema = {
  type: 'object',
  required: [
    'runId',
    'source',
    'kind',
    'state',
    'dryRun',
    'startedAt',
    'finishedAt',
    'phase',
    'progress',
    'progressOf',
    'total',
    'added',
    'updated',
    'moved',
    'disabled',
    'unchanged',
    'skipped',
    'failed',
    'held',
    'planHash',
    'heldBecause',
    'gaps',
    'creator',
    'decidedBy',
    'decidedAt',
  ],
  properties: {
    runId: idSchema,
    source: runSourceSchema,
    kind: runKindSchema,
    state: runStateSchema,
    dryRun: { type: 'boolean' },
    startedAt: timestampSchema,
    finishedAt: { type: ['string', 'null'], format: 'date-time' },
    phase: { type: 'string' },
    progress: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    progressOf: { type: ['integer', 'null'], minimum: 0, maximum: 9007199254740991 },
    total: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    added: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    updated: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    moved: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    disabled: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    unchanged: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    skipped: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    failed: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    held: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    planHash: { type: 'string' },
    heldBecause: { type: 'array', items: { type: 'string' } },
    gaps: { type: 'array', items: { type: 'string' } },
    creator: { type: 'string' },
    decidedBy: { type: 'string' },
    decidedAt: { type: ['string', 'null'], format: 'date-time' },
  },
  additionalProperties: false,
}

const runListSchema = {
  type: 'object',
  required: ['total', 'runs'],
  properties: { total: totalSchema, runs: { type: 'array', items: runSummarySchema } },
  additionalProperties: false,
}

const runListSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: runListSchema },
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
  },
  additionalProperties: false,
}

const runSchema = {
  type: 'object',
  properties: {
    runId: idSchema,
    source: runSourceSchema,
    kind: runKindSchema,
    state: runStateSchema,
    dryRun: { type: 'boolean' },
    startedAt: timestampSchema,
    finishedAt: { type: ['string', 'null'], format: 'date-time' },
    phase: { type: 'string' },
    progress: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    progressOf: { type: ['integer', 'null'], minimum: 0, maximum: 9007199254740991 },
    total: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    added: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    updated: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    moved: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    disabled: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    unchanged: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    skipped: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    failed: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    held: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    planHash: { type: 'string' },
    heldBecause: { type: 'array', items: { type: 'string' } },
    gaps: { type: 'array', items: { type: 'string' } },
    creator: { type: 'string' },
    decidedBy: { type: 'string' },
    decidedAt: { type: ['string', 'null'], format: 'date-time' },
    problems: { type: 'array', items: runProblemSchema },
  },
  required: [
    'runId',
    'source',
    'kind',
    'state',
    'dryRun',
    'startedAt',
    'finishedAt',
    'phase',
    'progress',
    'progressOf',
    'total',
    'added',
    'updated',
    'moved',
    'disabled',
    'unchanged',
    'skipped',
    'failed',
    'held',
    'planHash',
    'heldBecause',
    'gaps',
    'creator',
    'decidedBy',
    'decidedAt',
    'problems',
  ],
  additionalProperties: false,
}

const runSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: runSchema },
  additionalProperties: false,
}

const changeActionSchema = { type: 'string', enum: ['add', 'update', 'move', 'enable', 'disable', 'remove'] }

const changedFieldsSchema = { type: 'object', additionalProperties: true }

const changeStateSchema = { type: 'string', enum: ['planned', 'done', 'failed', 'held'] }

const changeSchema = {
  type: 'object',
  required: ['seq', 'action', 'sourceId', 'recordId', 'name', 'before', 'after', 'state', 'reason'],
  properties: {
    seq: { type: 'integer', minimum: 1, maximum: 9007199254740991 },
    action: changeActionSchema,
    sourceId: { type: 'string' },
    recordId: { type: ['integer', 'null'], format: 'int64', minimum: 1, maximum: 9007199254740991 },
    name: { type: 'string' },
    before: changedFieldsSchema,
    after: changedFieldsSchema,
    state: changeStateSchema,
    reason: { type: 'string' },
  },
  additionalProperties: false,
}

const changeListSchema = {
  type: 'object',
  required: ['total', 'changes'],
  properties: { total: totalSchema, changes: { type: 'array', items: changeSchema } },
  additionalProperties: false,
}

const changeListSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: changeListSchema },
  additionalProperties: false,
}

const confirmRunSchema = {
  type: 'object',
  required: ['planHash'],
  properties: {
    planHash: { type: 'string', minLength: 64, maxLength: 64, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' },
  },
  additionalProperties: false,
}

const slotSchema = { type: 'string', enum: ['exta', 'extb', 'extc', 'extldap'] }

const sourceStateSchema = {
  type: 'object',
  required: ['source', 'connector', 'configured', 'missing', 'schedule', 'nextRunAt', 'lastRuns'],
  properties: {
    source: slotSchema,
    connector: { type: 'string', enum: ['dingtalk', 'feishu', 'wecom', 'ldap'] },
    configured: { type: 'boolean' },
    missing: { type: 'array', items: { type: 'string' } },
    schedule: { type: 'string' },
    nextRunAt: { type: ['string', 'null'], format: 'date-time' },
    lastRuns: { type: 'array', items: runSummarySchema },
  },
  additionalProperties: false,
}

const sourcesSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: { type: 'array', items: sourceStateSchema } },
  additionalProperties: false,
}

const startDryRunSchema = {
  type: 'object',
  required: ['kind'],
  properties: { kind: runKindSchema },
  additionalProperties: false,
}

const diagnosisStepSchema = {
  type: 'object',
  required: ['step', 'ok', 'found', 'advice'],
  properties: {
    step: { type: 'string' },
    ok: { type: 'boolean' },
    found: { type: 'string' },
    advice: { type: 'string' },
  },
  additionalProperties: false,
}

const diagnosisSchema = {
  type: 'object',
  required: ['steps', 'roots', 'missingFields'],
  properties: {
    steps: { type: 'array', items: diagnosisStepSchema },
    roots: { type: 'array', items: { type: 'string' } },
    missingFields: { type: 'array', items: { type: 'string' } },
  },
  additionalProperties: false,
}

const diagnosisSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: diagnosisSchema },
  additionalProperties: false,
}

const mappingProblemSchema = {
  type: 'object',
  required: ['field', 'reason'],
  properties: { field: { type: 'string' }, reason: { type: 'string' } },
  additionalProperties: false,
}

const mappedRecordSchema = {
  type: 'object',
  required: ['sourceId', 'record', 'fields', 'problems'],
  properties: {
    sourceId: { type: 'string' },
    record: { type: 'object', additionalProperties: true },
    fields: { type: 'object', additionalProperties: { type: 'string' } },
    problems: { type: 'array', items: mappingProblemSchema },
  },
  additionalProperties: false,
}

const mappingPreviewSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: { type: 'array', items: mappedRecordSchema } },
  additionalProperties: false,
}

const previewMappingSchema = {
  type: 'object',
  required: ['kind'],
  properties: {
    kind: runKindSchema,
    attributes: {
      type: 'object',
      maxProperties: 100,
      additionalProperties: {
        type: 'string',
        maxLength: 1024,
        pattern: '^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$',
      },
    },
  },
  additionalProperties: false,
}

const scheduleSchema = {
  type: 'object',
  required: ['source', 'cron', 'timeZone', 'nextRunAt', 'running', 'lastOkAt', 'lastError'],
  properties: {
    source: slotSchema,
    cron: { type: 'string' },
    timeZone: { type: 'string' },
    nextRunAt: timestampSchema,
    running: { type: 'boolean' },
    lastOkAt: { type: ['string', 'null'], format: 'date-time' },
    lastError: { type: 'string' },
  },
  additionalProperties: false,
}

const schedulesSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: { type: 'array', items: scheduleSchema } },
  additionalProperties: false,
}

const orphanKindSchema = { type: 'string', enum: ['user', 'group'] }

const orphanSchema = {
  type: 'object',
  required: ['dn', 'kind', 'objectClasses', 'recordId', 'recordName', 'obstacle', 'ignored'],
  properties: {
    dn: { type: 'string' },
    kind: orphanKindSchema,
    objectClasses: { type: 'array', items: { type: 'string' } },
    recordId: { type: ['integer', 'null'], format: 'int64', minimum: 1, maximum: 9007199254740991 },
    recordName: { type: 'string' },
    obstacle: { type: ['string', 'null'] },
    ignored: { type: 'boolean' },
  },
  additionalProperties: false,
}

const orphanListSchema = {
  type: 'object',
  required: ['total', 'orphans'],
  properties: { total: totalSchema, orphans: { type: 'array', items: orphanSchema } },
  additionalProperties: false,
}

const orphanListSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: orphanListSchema },
  additionalProperties: false,
}

const orphanStateSchema = { type: 'string', enum: ['open', 'adoptable', 'ignored', 'all'] }

const orphanTextSchema = { type: 'string', maxLength: 500, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' }

const orphanPreviewSchema = {
  type: 'object',
  required: ['hash', 'total', 'orphans'],
  properties: {
    hash: { type: 'string' },
    total: totalSchema,
    orphans: { type: 'array', maxItems: 100, items: orphanSchema },
  },
  additionalProperties: false,
}

const orphanPreviewSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: orphanPreviewSchema },
  additionalProperties: false,
}

const orphanFilterSchema = {
  type: 'object',
  properties: { kind: orphanKindSchema, text: orphanTextSchema },
  additionalProperties: false,
}

const previewOrphansSchema = {
  type: 'object',
  required: ['action', 'filter'],
  properties: { action: { type: 'string', enum: ['adopt', 'ignore'] }, filter: orphanFilterSchema },
  additionalProperties: false,
}

const orphansChangedSchema = {
  type: 'object',
  required: ['total'],
  properties: { total: totalSchema },
  additionalProperties: false,
}

const orphansChangedSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: orphansChangedSchema },
  additionalProperties: false,
}

const orphanDnSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 4000,
  pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
}

const selectOrphansSchema = {
  type: 'object',
  properties: {
    dns: { type: 'array', minItems: 1, maxItems: 1000, items: orphanDnSchema },
    filter: orphanFilterSchema,
    hash: { type: 'string', pattern: '^[0-9a-f]{64}$', minLength: 64, maxLength: 64 },
  },
  additionalProperties: false,
}

const heedOrphansSchema = {
  type: 'object',
  required: ['dns'],
  properties: { dns: { type: 'array', minItems: 1, maxItems: 1000, items: orphanDnSchema } },
  additionalProperties: false,
}

const registeredDeviceSchema = {
  type: 'object',
  required: ['id', 'token'],
  properties: { id: idSchema, token: { type: 'string' } },
  additionalProperties: false,
}

const registeredDeviceSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: registeredDeviceSchema },
  additionalProperties: false,
}

const deviceNameSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
}

const deviceLocationSchema = { type: 'string', maxLength: 200, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' }

const registerDeviceSchema = {
  type: 'object',
  required: ['name', 'type'],
  properties: {
    name: deviceNameSchema,
    type: {
      type: 'string',
      minLength: 1,
      maxLength: 50,
      pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
    },
    location: deviceLocationSchema,
  },
  additionalProperties: false,
}

const doneSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: { type: 'null' } },
  additionalProperties: false,
}

const updateDeviceSchema = {
  type: 'object',
  properties: { name: deviceNameSchema, location: deviceLocationSchema },
  additionalProperties: false,
}

const heardDeviceSchema = {
  type: 'object',
  required: ['id', 'status'],
  properties: { id: idSchema, status: { type: 'string', enum: ['online', 'offline'] } },
  additionalProperties: false,
}

const heardDeviceSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: heardDeviceSchema },
  additionalProperties: false,
}

const heartbeatSchema = {
  type: 'object',
  properties: {
    battery: { type: 'integer', minimum: 0, maximum: 100 },
    status: { type: 'string', enum: ['online', 'offline'] },
  },
  additionalProperties: false,
}

const stepUpMethodSchema = { type: 'string', enum: ['totp', 'recovery', 'mail'] }

const secondFactorSchema = {
  type: 'object',
  required: ['totp', 'confirmedAt', 'recoveryCodesLeft', 'methods', 'steppedUpUntil'],
  properties: {
    totp: { type: 'string', enum: ['none', 'pending', 'confirmed'] },
    confirmedAt: { type: ['string', 'null'], format: 'date-time' },
    recoveryCodesLeft: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    methods: { type: 'array', items: stepUpMethodSchema },
    steppedUpUntil: { type: ['string', 'null'], format: 'date-time' },
  },
  additionalProperties: false,
}

const secondFactorSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: secondFactorSchema },
  additionalProperties: false,
}

const totpSecretSchema = {
  type: 'object',
  required: ['secret', 'uri', 'qr'],
  properties: { secret: { type: 'string' }, uri: { type: 'string' }, qr: { type: 'string' } },
  additionalProperties: false,
}

const totpSecretSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: totpSecretSchema },
  additionalProperties: false,
}

const enrolTotpSchema = {
  type: 'object',
  required: ['password'],
  properties: { password: { type: 'string', maxLength: 1024 } },
  additionalProperties: false,
}

const recoveryCodesSchema = {
  type: 'object',
  required: ['recoveryCodes'],
  properties: { recoveryCodes: { type: 'array', items: { type: 'string' } } },
  additionalProperties: false,
}

const recoveryCodesSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: recoveryCodesSchema },
  additionalProperties: false,
}

const confirmTotpSchema = {
  type: 'object',
  required: ['code'],
  properties: { code: { type: 'string', minLength: 6, maxLength: 6, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' } },
  additionalProperties: false,
}

const steppedUpSchema = {
  type: 'object',
  required: ['steppedUpUntil'],
  properties: { steppedUpUntil: timestampSchema },
  additionalProperties: false,
}

const steppedUpSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: steppedUpSchema },
  additionalProperties: false,
}

const stepUpSchema = {
  type: 'object',
  required: ['method', 'code'],
  properties: {
    method: stepUpMethodSchema,
    code: { type: 'string', maxLength: 64, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' },
  },
  additionalProperties: false,
}

const sessionIdSchema = { type: 'string', format: 'uuid', pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }

const sessionSchema = {
  type: 'object',
  required: ['id', 'createdAt', 'lastUsedAt', 'address', 'userAgent', 'current', 'steppedUpUntil'],
  properties: {
    id: sessionIdSchema,
    createdAt: timestampSchema,
    lastUsedAt: timestampSchema,
    address: { type: 'string' },
    userAgent: { type: 'string' },
    current: { type: 'boolean' },
    steppedUpUntil: { type: ['string', 'null'], format: 'date-time' },
  },
  additionalProperties: false,
}

const sessionsSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: { type: 'array', items: sessionSchema } },
  additionalProperties: false,
}

const livenessSchema = {
  type: 'object',
  required: ['status'],
  properties: { status: { type: 'string', enum: ['live'] } },
  additionalProperties: false,
}

const livenessSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: livenessSchema },
  additionalProperties: false,
}

const readinessSchema = {
  type: 'object',
  required: ['status'],
  properties: { status: { type: 'string', enum: ['ready'] }, redis: { type: 'string', enum: ['used', 'away'] } },
  additionalProperties: false,
}

const readinessSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: readinessSchema },
  additionalProperties: false,
}

export const operationsDocument: ContractDocument<OperationsHandlers> = {
  name: 'operations',
  title: 'Operations API',
  prefix: '/api/v1/operations',
  envelope: 'message',
  shared: [],
  operations: [
    {
      id: 'listRuns',
      tag: 'runs',
      group: 'runs',
      summary: 'List runs',
      method: 'GET',
      path: '/runs',
      url: '/runs',
      secured: true,
      schema: {
        querystring: {
          type: 'object',
          properties: {
            pageNum: { type: 'integer', minimum: 1, maximum: 9007199254740991 },
            pageSize: { type: 'integer', minimum: 1, maximum: 1000 },
            source: runSourceSchema,
            kind: runKindSchema,
            state: runStateSchema,
          },
          additionalProperties: false,
        },
        response: runListSuccessSchema,
      },
      stream: 'runs',
    },
    {
      id: 'getRun',
      tag: 'runs',
      group: 'runs',
      summary: 'Show a run',
      method: 'GET',
      path: '/runs/{id}',
      url: '/runs/:id',
      secured: true,
      schema: {
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: runSuccessSchema,
      },
    },
    {
      id: 'listRunChanges',
      tag: 'runs',
      group: 'runs',
      summary: 'List the changes of a run\'s plan',
      method: 'GET',
      path: '/runs/{id}/changes',
      url: '/runs/:id/changes',
      secured: true,
      schema: {
        querystring: {
          type: 'object',
          properties: {
            pageNum: { type: 'integer', minimum: 1, maximum: 9007199254740991 },
            pageSize: { type: 'integer', minimum: 1, maximum: 1000 },
            action: changeActionSchema,
            state: changeStateSchema,
          },
          additionalProperties: false,
        },
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: changeListSuccessSchema,
      },
      stream: 'changes',
    },
    {
      id: 'confirmRun',
      tag: 'runs',
      group: 'runs',
      summary: 'Carry out a held plan',
      method: 'POST',
      path: '/runs/{id}/confirm',
      url: '/runs/:id/confirm',
      secured: true,
      schema: {
        body: confirmRunSchema,
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: runSuccessSchema,
      },
    },
    {
      id: 'discardRun',
      tag: 'runs',
      group: 'runs',
      summary: 'Give a held plan up',
      method: 'POST',
      path: '/runs/{id}/discard',
      url: '/runs/:id/discard',
      secured: true,
      schema: {
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: runSuccessSchema,
      },
    },
    {
      id: 'listSources',
      tag: 'sources',
      group: 'sources',
      summary: 'List sources',
      method: 'GET',
      path: '/sources',
      url: '/sources',
      secured: true,
      schema: { response: sourcesSuccessSchema },
    },
    {
      id: 'startDryRun',
      tag: 'sources',
      group: 'sources',
      summary: 'Plan a synchronisation without applying it',
      method: 'POST',
      path: '/sources/{source}/dry-runs',
      url: '/sources/:source/dry-runs',
      secured: true,
      schema: {
        body: startDryRunSchema,
        params: {
          type: 'object',
          properties: { source: slotSchema },
          required: ['source'],
          additionalProperties: false,
        },
        response: runSuccessSchema,
      },
    },
    {
      id: 'diagnoseSource',
      tag: 'sources',
      group: 'sources',
      summary: 'Diagnose a source',
      method: 'POST',
      path: '/sources/{source}/diagnose',
      url: '/sources/:source/diagnose',
      secured: true,
      schema: {
        params: {
          type: 'object',
          properties: { source: slotSchema },
          required: ['source'],
          additionalProperties: false,
        },
        response: diagnosisSuccessSchema,
      },
      rateLimit: { max: 20, window: 60, by: 'address' },
    },
    {
      id: 'previewMapping',
      tag: 'sources',
      group: 'sources',
      summary: 'Show what some records of a source become',
      method: 'POST',
      path: '/sources/{source}/mapping-previews',
      url: '/sources/:source/mapping-previews',
      secured: true,
      schema: {
        body: previewMappingSchema,
        params: {
          type: 'object',
          properties: { source: slotSchema },
          required: ['source'],
          additionalProperties: false,
        },
        response: mappingPreviewSuccessSchema,
      },
      rateLimit: { max: 20, window: 60, by: 'address' },
    },
    {
      id: 'listSchedules',
      tag: 'schedules',
      group: 'schedules',
      summary: 'List schedules',
      method: 'GET',
      path: '/schedules',
      url: '/schedules',
      secured: true,
      schema: { response: schedulesSuccessSchema },
    },
    {
      id: 'listOrphans',
      tag: 'orphans',
      group: 'orphans',
      summary: 'List orphan entries',
      method: 'GET',
      path: '/orphans',
      url: '/orphans',
      secured: true,
      schema: {
        querystring: {
          type: 'object',
          properties: {
            pageNum: { type: 'integer', minimum: 1, maximum: 9007199254740991 },
            pageSize: { type: 'integer', minimum: 1, maximum: 1000 },
            state: orphanStateSchema,
            kind: orphanKindSchema,
            text: orphanTextSchema,
          },
          additionalProperties: false,
        },
        response: orphanListSuccessSchema,
      },
      rateLimit: { max: 60, window: 60, by: 'address' },
    },
    {
      id: 'previewOrphans',
      tag: 'orphans',
      group: 'orphans',
      summary: 'Show what adopting or ignoring by a filter would do',
      method: 'POST',
      path: '/orphans/preview',
      url: '/orphans/preview',
      secured: true,
      schema: { body: previewOrphansSchema, response: orphanPreviewSuccessSchema },
      rateLimit: { max: 60, window: 60, by: 'address' },
    },
    {
      id: 'adoptOrphans',
      tag: 'orphans',
      group: 'orphans',
      summary: 'Make orphan entries those of their records',
      method: 'POST',
      path: '/orphans/adopt',
      url: '/orphans/adopt',
      secured: true,
      schema: { body: selectOrphansSchema, response: orphansChangedSuccessSchema },
      rateLimit: { max: 60, window: 60, by: 'address' },
    },
    {
      id: 'ignoreOrphans',
      tag: 'orphans',
      group: 'orphans',
      summary: 'Be told of orphan entries no more',
      method: 'POST',
      path: '/orphans/ignore',
      url: '/orphans/ignore',
      secured: true,
      schema: { body: selectOrphansSchema, response: orphansChangedSuccessSchema },
      rateLimit: { max: 60, window: 60, by: 'address' },
    },
    {
      id: 'heedOrphans',
      tag: 'orphans',
      group: 'orphans',
      summary: 'Be told of ignored entries again',
      method: 'POST',
      path: '/orphans/heed',
      url: '/orphans/heed',
      secured: true,
      schema: { body: heedOrphansSchema, response: orphansChangedSuccessSchema },
    },
    {
      id: 'registerDevice',
      tag: 'devices',
      group: 'devices',
      summary: 'Register a device',
      method: 'POST',
      path: '/devices',
      url: '/devices',
      secured: true,
      schema: { body: registerDeviceSchema, response: registeredDeviceSuccessSchema },
    },
    {
      id: 'updateDevice',
      tag: 'devices',
      group: 'devices',
      summary: 'Rename a device, or say where it is',
      method: 'PUT',
      path: '/devices/{id}',
      url: '/devices/:id',
      secured: true,
      schema: {
        body: updateDeviceSchema,
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: doneSuccessSchema,
      },
    },
    {
      id: 'removeDevice',
      tag: 'devices',
      group: 'devices',
      summary: 'Remove a device',
      method: 'DELETE',
      path: '/devices/{id}',
      url: '/devices/:id',
      secured: true,
      schema: {
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: doneSuccessSchema,
      },
    },
    {
      id: 'sendHeartbeat',
      tag: 'devices',
      group: 'devices',
      summary: 'Say that a device is there',
      method: 'POST',
      path: '/devices/heartbeat',
      url: '/devices/heartbeat',
      secured: false,
      schema: { body: heartbeatSchema, response: heardDeviceSuccessSchema },
      rateLimit: { max: 600, window: 60, by: 'address' },
    },
    {
      id: 'getSecondFactor',
      tag: 'secondFactor',
      group: 'secondFactor',
      summary: 'Show your own second factor',
      method: 'GET',
      path: '/second-factor',
      url: '/second-factor',
      secured: true,
      schema: { response: secondFactorSuccessSchema },
    },
    {
      id: 'disableSecondFactor',
      tag: 'secondFactor',
      group: 'secondFactor',
      summary: 'Give your authenticator app up',
      method: 'DELETE',
      path: '/second-factor',
      url: '/second-factor',
      secured: true,
      schema: { response: doneSuccessSchema },
    },
    {
      id: 'enrolTotp',
      tag: 'secondFactor',
      group: 'secondFactor',
      summary: 'Enrol an authenticator app',
      method: 'POST',
      path: '/second-factor/totp',
      url: '/second-factor/totp',
      secured: true,
      schema: { body: enrolTotpSchema, response: totpSecretSuccessSchema },
    },
    {
      id: 'confirmTotp',
      tag: 'secondFactor',
      group: 'secondFactor',
      summary: 'Confirm an authenticator app by its first code',
      method: 'POST',
      path: '/second-factor/totp/confirm',
      url: '/second-factor/totp/confirm',
      secured: true,
      schema: { body: confirmTotpSchema, response: recoveryCodesSuccessSchema },
    },
    {
      id: 'renewRecoveryCodes',
      tag: 'secondFactor',
      group: 'secondFactor',
      summary: 'Replace your recovery codes',
      method: 'POST',
      path: '/second-factor/recovery-codes',
      url: '/second-factor/recovery-codes',
      secured: true,
      schema: { response: recoveryCodesSuccessSchema },
    },
    {
      id: 'resetSecondFactor',
      tag: 'secondFactor',
      group: 'secondFactor',
      summary: 'Remove a user\'s authenticator app',
      method: 'DELETE',
      path: '/users/{id}/second-factor',
      url: '/users/:id/second-factor',
      secured: true,
      schema: {
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: doneSuccessSchema,
      },
    },
    {
      id: 'stepUp',
      tag: 'stepUp',
      group: 'stepUp',
      summary: 'Step this session up',
      method: 'POST',
      path: '/step-up',
      url: '/step-up',
      secured: true,
      schema: { body: stepUpSchema, response: steppedUpSuccessSchema },
    },
    {
      id: 'sendStepUpCode',
      tag: 'stepUp',
      group: 'stepUp',
      summary: 'Have a code mailed to step up with',
      method: 'POST',
      path: '/step-up/mail',
      url: '/step-up/mail',
      secured: true,
      schema: { response: doneSuccessSchema },
    },
    {
      id: 'listOwnSessions',
      tag: 'sessions',
      group: 'sessions',
      summary: 'List your own sessions',
      method: 'GET',
      path: '/sessions',
      url: '/sessions',
      secured: true,
      schema: { response: sessionsSuccessSchema },
    },
    {
      id: 'endOwnSession',
      tag: 'sessions',
      group: 'sessions',
      summary: 'End one of your own sessions',
      method: 'DELETE',
      path: '/sessions/{sessionId}',
      url: '/sessions/:sessionId',
      secured: true,
      schema: {
        params: {
          type: 'object',
          properties: { sessionId: sessionIdSchema },
          required: ['sessionId'],
          additionalProperties: false,
        },
        response: doneSuccessSchema,
      },
    },
    {
      id: 'listUserSessions',
      tag: 'sessions',
      group: 'sessions',
      summary: 'List a user\'s sessions',
      method: 'GET',
      path: '/users/{id}/sessions',
      url: '/users/:id/sessions',
      secured: true,
      schema: {
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: sessionsSuccessSchema,
      },
    },
    {
      id: 'endUserSession',
      tag: 'sessions',
      group: 'sessions',
      summary: 'End one of a user\'s sessions',
      method: 'DELETE',
      path: '/users/{id}/sessions/{sessionId}',
      url: '/users/:id/sessions/:sessionId',
      secured: true,
      schema: {
        params: {
          type: 'object',
          properties: { id: idSchema, sessionId: sessionIdSchema },
          required: ['id', 'sessionId'],
          additionalProperties: false,
        },
        response: doneSuccessSchema,
      },
    },
    {
      id: 'getLiveness',
      tag: 'health',
      group: 'health',
      summary: 'Tell that the process runs',
      method: 'GET',
      path: '/health/live',
      url: '/health/live',
      secured: false,
      schema: { response: livenessSuccessSchema },
    },
    {
      id: 'getReadiness',
      tag: 'health',
      group: 'health',
      summary: 'Tell whether requests can be answered',
      method: 'GET',
      path: '/health/ready',
      url: '/health/ready',
      secured: false,
      schema: { response: readinessSuccessSchema },
    },
    {
      id: 'showReport',
      tag: 'reportPages',
      group: 'reportPages',
      summary: 'Show a report',
      method: 'GET',
      path: '/reports/{id}/page',
      url: '/reports/:id/page',
      secured: false,
      schema: {
        querystring: {
          type: 'object',
          properties: {
            expires: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
            signature: { type: 'string', maxLength: 100, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' },
          },
          required: ['expires', 'signature'],
          additionalProperties: false,
        },
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: {},
      },
      media: 'text/html',
      rateLimit: { max: 60, window: 60, by: 'address' },
    },
    {
      id: 'downloadBackup',
      tag: 'backupFiles',
      group: 'backupFiles',
      summary: 'Download a backup',
      method: 'GET',
      path: '/backups/{id}/file',
      url: '/backups/:id/file',
      secured: true,
      schema: {
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: {},
      },
      media: 'application/octet-stream',
    },
  ],
}
