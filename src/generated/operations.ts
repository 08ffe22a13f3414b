// Generated from openapi/operations.yaml by scripts/codegen.ts. Do not edit.
import type { ContractDocument } from '../contract/document.ts'
import type { Content, Data, Handler, PublicHandler, Streamable } from '../contract/handler.ts'
import type { operations } from './operations.types.ts'

export type { components, operations } from './operations.types.ts'

export interface RunsHandlers {
  /** List runs — GET /runs */
  listRuns: Handler<operations['listRuns'], Streamable<Data<operations['listRuns']>, 'runs'>>
  /** Compare all people or all groups with the directory — POST /comparisons */
  compareDirectory: Handler<operations['compareDirectory']>
  /** List the directories — GET /directories */
  listDirectories: Handler<operations['listDirectories']>
  /** List records that a directory does not show yet — GET /directories/{directory}/pending */
  listPendingEntries: Handler<operations['listPendingEntries']>
  /** Show the plan for another layout of groups — GET /directories/{directory}/layout */
  getGroupLayout: Handler<operations['getGroupLayout']>
  /** Change the layout of groups in a directory — POST /directories/{directory}/layout */
  changeGroupLayout: Handler<operations['changeGroupLayout']>
  /** Show a run — GET /runs/{id} */
  getRun: Handler<operations['getRun']>
  /** List the changes of a run's plan — GET /runs/{id}/changes */
  listRunChanges: Handler<operations['listRunChanges'], Streamable<Data<operations['listRunChanges']>, 'changes'>>
  /** Confirm a held plan — POST /runs/{id}/confirm */
  confirmRun: Handler<operations['confirmRun']>
  /** Discard a held plan — POST /runs/{id}/discard */
  discardRun: Handler<operations['discardRun']>
}

export interface SourcesHandlers {
  /** List sources — GET /sources */
  listSources: Handler<operations['listSources']>
  /** Plan a synchronisation without applying it — POST /sources/{source}/dry-runs */
  startDryRun: Handler<operations['startDryRun']>
  /** Diagnose a source — POST /sources/{source}/diagnose */
  diagnoseSource: Handler<operations['diagnoseSource']>
  /** Preview the mapping of some records of a source — POST /sources/{source}/mapping-previews */
  previewMapping: Handler<operations['previewMapping']>
}

export interface SchedulesHandlers {
  /** List schedules — GET /schedules */
  listSchedules: Handler<operations['listSchedules']>
}

export interface OperationLogHandlers {
  /** List entries of the operation log — GET /log */
  listLogEntries: Handler<operations['listLogEntries']>
  /** Export entries of the operation log — GET /log/export */
  exportLog: Handler<operations['exportLog'], Content>
  /** Show the state of the operation log's chain — GET /log/chain */
  getLogChain: Handler<operations['getLogChain']>
  /** Verify the operation log — POST /log/verify */
  verifyLog: Handler<operations['verifyLog']>
  /** Show an entry of the operation log — GET /log/{id} */
  getLogEntry: Handler<operations['getLogEntry']>
}

export interface ProgressHandlers {
  /** Watch the progress of long work — GET /progress */
  watchProgress: Handler<operations['watchProgress'], Content>
  /** Show the progress of long work — GET /progress/snapshot */
  getProgress: Handler<operations['getProgress']>
}

export interface NoticesHandlers {
  /** Watch what is urgent — GET /notices */
  watchNotices: Handler<operations['watchNotices'], Content>
  /** List what is urgent — GET /notices/snapshot */
  listNotices: Handler<operations['listNotices']>
}

export interface OverviewHandlers {
  /** Show the overview — GET /overview */
  getOverview: Handler<operations['getOverview']>
  /** List the first steps of an installation — GET /first-steps */
  listFirstSteps: Handler<operations['listFirstSteps']>
  /** Show the score with its deductions — GET /score */
  getScore: Handler<operations['getScore']>
}

export interface AlertsHandlers {
  /** Search alerts — GET /alerts */
  searchAlerts: Handler<operations['searchAlerts']>
  /** Mark alerts as handled — POST /alerts/handle */
  handleAlerts: Handler<operations['handleAlerts']>
}

export interface CatalogueHandlers {
  /** Search foods — GET /foods */
  searchFoods: Handler<operations['searchFoods']>
  /** Search recipes — GET /recipes */
  searchRecipes: Handler<operations['searchRecipes']>
}

export interface PlannerHandlers {
  /** List the planned days — GET /diet/days */
  listDietDays: Handler<operations['listDietDays']>
  /** Preview the figures of a day — POST /diet/previews */
  previewDietDay: Handler<operations['previewDietDay']>
  /** Explain what an allergy refuses — GET /diet/allergies */
  explainAllergy: Handler<operations['explainAllergy']>
}

export interface OrphansHandlers {
  /** List orphan entries — GET /orphans */
  listOrphans: Handler<operations['listOrphans']>
  /** Preview adopting or ignoring orphan entries — POST /orphans/preview */
  previewOrphans: Handler<operations['previewOrphans']>
  /** Adopt orphan entries — POST /orphans/adopt */
  adoptOrphans: Handler<operations['adoptOrphans']>
  /** Ignore orphan entries — POST /orphans/ignore */
  ignoreOrphans: Handler<operations['ignoreOrphans']>
  /** Stop ignoring orphan entries — POST /orphans/heed */
  heedOrphans: Handler<operations['heedOrphans']>
}

export interface PeopleHandlers {
  /** List people — GET /people */
  listPeople: Handler<operations['listPeople']>
  /** Show a person — GET /people/{id} */
  getPerson: Handler<operations['getPerson']>
  /** Retry the directory entry of a person — POST /people/{id}/sync */
  retryPerson: Handler<operations['retryPerson']>
  /** Change many people — POST /people/bulk */
  changePeople: Handler<operations['changePeople']>
  /** Show the declared attributes of a person — GET /people/{id}/attributes */
  getPersonAttributes: Handler<operations['getPersonAttributes']>
  /** Change declared attributes of a person — PUT /people/{id}/attributes */
  setPersonAttributes: Handler<operations['setPersonAttributes']>
  /** Show the POSIX account of a person — GET /people/{id}/posix */
  getPersonPosix: Handler<operations['getPersonPosix']>
  /** Set the POSIX number of a person — PUT /people/{id}/posix */
  setPersonPosix: Handler<operations['setPersonPosix']>
  /** List the SSH keys of a person — GET /people/{id}/ssh-keys */
  listPersonSshKeys: Handler<operations['listPersonSshKeys']>
  /** Add an SSH key to a person — POST /people/{id}/ssh-keys */
  addPersonSshKey: Handler<operations['addPersonSshKey']>
  /** Remove an SSH key of a person — POST /people/{id}/ssh-keys/remove */
  removePersonSshKey: Handler<operations['removePersonSshKey']>
}

export interface PermissionsHandlers {
  /** Explain why a person may call an operation — GET /people/{id}/why */
  explainGrant: Handler<operations['explainGrant']>
  /** List the people who have a role — GET /roles/{id}/holders */
  listRoleHolders: Handler<operations['listRoleHolders']>
  /** List the people whose roles grant an API entry — GET /apis/{id}/holders */
  listApiHolders: Handler<operations['listApiHolders']>
}

export interface DepartmentsHandlers {
  /** List departments and groups — GET /departments */
  listDepartments: Handler<operations['listDepartments']>
  /** Show a department or group — GET /departments/{id} */
  getDepartment: Handler<operations['getDepartment']>
  /** Show the path of a department — GET /departments/{id}/path */
  getDepartmentPath: Handler<operations['getDepartmentPath']>
  /** Move a department — POST /departments/{id}/move */
  moveDepartment: Handler<operations['moveDepartment']>
  /** List the members of a department — GET /departments/{id}/members */
  listMembers: Handler<operations['listMembers']>
  /** Retry the directory entry of a department — POST /departments/{id}/sync */
  retryDepartment: Handler<operations['retryDepartment']>
  /** Show the declared attributes of a department — GET /departments/{id}/attributes */
  getDepartmentAttributes: Handler<operations['getDepartmentAttributes']>
  /** Change declared attributes of a department — PUT /departments/{id}/attributes */
  setDepartmentAttributes: Handler<operations['setDepartmentAttributes']>
  /** Show the POSIX group of a department — GET /departments/{id}/posix */
  getDepartmentPosix: Handler<operations['getDepartmentPosix']>
  /** Switch a POSIX group on or off — PUT /departments/{id}/posix */
  setDepartmentPosix: Handler<operations['setDepartmentPosix']>
}

export interface AttributesHandlers {
  /** List the declared attributes — GET /attributes */
  listAttributes: Handler<operations['listAttributes']>
  /** Declare an attribute — POST /attributes */
  declareAttribute: Handler<operations['declareAttribute']>
  /** Change an attribute — PUT /attributes/{id} */
  updateAttribute: Handler<operations['updateAttribute']>
  /** Remove an attribute — DELETE /attributes/{id} */
  removeAttribute: Handler<operations['removeAttribute']>
}

export interface ServiceAccountsHandlers {
  /** List the service accounts — GET /service-accounts */
  listServiceAccounts: Handler<operations['listServiceAccounts']>
  /** Create a service account — POST /service-accounts */
  createServiceAccount: Handler<operations['createServiceAccount']>
  /** Change a service account — PUT /service-accounts/{id} */
  updateServiceAccount: Handler<operations['updateServiceAccount']>
  /** Delete a service account — DELETE /service-accounts/{id} */
  removeServiceAccount: Handler<operations['removeServiceAccount']>
  /** Show the access rules of a service account — GET /service-accounts/{id}/access-rules */
  getServiceAccountRules: Handler<operations['getServiceAccountRules']>
  /** Give a service account a new password — POST /service-accounts/{id}/password */
  rotateServicePassword: Handler<operations['rotateServicePassword']>
  /** End the old password of a service account — DELETE /service-accounts/{id}/old-password */
  endOldServicePassword: Handler<operations['endOldServicePassword']>
}

export interface DevicesHandlers {
  /** List devices with all that is known — GET /devices */
  listDevicesInFull: Handler<operations['listDevicesInFull']>
  /** Register a device — POST /devices */
  registerDevice: Handler<operations['registerDevice']>
  /** Change the name or the location of a device — PUT /devices/{id} */
  updateDevice: Handler<operations['updateDevice']>
  /** Remove a device — DELETE /devices/{id} */
  removeDevice: Handler<operations['removeDevice']>
  /** Send a heartbeat — POST /devices/heartbeat */
  sendHeartbeat: PublicHandler<operations['sendHeartbeat']>
}

export interface ConsoleHandlers {
  /** Sign in to the web console — POST /console/session */
  openConsoleSession: PublicHandler<operations['openConsoleSession']>
  /** Sign out of the web console — DELETE /console/session */
  closeConsoleSession: PublicHandler<operations['closeConsoleSession']>
  /** Mail a code for the sign-in — POST /console/session/code */
  sendSignInCode: PublicHandler<operations['sendSignInCode']>
  /** Set a password with a mailed link — POST /console/password */
  setPasswordByLink: PublicHandler<operations['setPasswordByLink']>
}

export interface MeHandlers {
  /** Show your own profile — GET /me */
  getMe: Handler<operations['getMe']>
  /** Change your own profile — PUT /me */
  updateMe: Handler<operations['updateMe']>
  /** Mail a code to your new mail address — POST /me/mail */
  sendMailProof: Handler<operations['sendMailProof']>
  /** Confirm your new mail address — POST /me/mail/confirm */
  confirmMail: Handler<operations['confirmMail']>
  /** Show your own declared attributes — GET /me/attributes */
  getMyAttributes: Handler<operations['getMyAttributes']>
  /** Change your own declared attributes — PUT /me/attributes */
  setMyAttributes: Handler<operations['setMyAttributes']>
  /** List your own SSH keys — GET /me/ssh-keys */
  listMySshKeys: Handler<operations['listMySshKeys']>
  /** Add an SSH key of your own — POST /me/ssh-keys */
  addMySshKey: Handler<operations['addMySshKey']>
  /** Remove an SSH key of your own — POST /me/ssh-keys/remove */
  removeMySshKey: Handler<operations['removeMySshKey']>
  /** Show what you may do — GET /me/grants */
  getMyGrants: Handler<operations['getMyGrants']>
}

export interface AccountsHandlers {
  /** Reset a user's password — POST /users/{id}/password-reset */
  resetUserPassword: Handler<operations['resetUserPassword']>
  /** Reset the passwords of many users — POST /users/password-resets */
  resetUserPasswords: Handler<operations['resetUserPasswords']>
  /** Unlock a user's account — POST /users/{id}/unlock */
  unlockUser: Handler<operations['unlockUser']>
}

export interface SecondFactorHandlers {
  /** Show your own second factor — GET /second-factor */
  getSecondFactor: Handler<operations['getSecondFactor']>
  /** Remove your authenticator app — DELETE /second-factor */
  disableSecondFactor: Handler<operations['disableSecondFactor']>
  /** Enrol an authenticator app — POST /second-factor/totp */
  enrolTotp: Handler<operations['enrolTotp']>
  /** Confirm an authenticator app with its first code — POST /second-factor/totp/confirm */
  confirmTotp: Handler<operations['confirmTotp']>
  /** Replace your recovery codes — POST /second-factor/recovery-codes */
  renewRecoveryCodes: Handler<operations['renewRecoveryCodes']>
  /** Remove a user's authenticator app — DELETE /users/{id}/second-factor */
  resetSecondFactor: Handler<operations['resetSecondFactor']>
}

export interface StepUpHandlers {
  /** Step this session up — POST /step-up */
  stepUp: Handler<operations['stepUp']>
  /** Mail a code for the step-up — POST /step-up/mail */
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
  /** Check that the process runs — GET /health/live */
  getLiveness: PublicHandler<operations['getLiveness']>
  /** Check that the service is ready for requests — GET /health/ready */
  getReadiness: PublicHandler<operations['getReadiness']>
}

export interface ReportPagesHandlers {
  /** Show a report — GET /reports/{id}/page */
  showReport: PublicHandler<operations['showReport'], Content>
}

export interface BackupFilesHandlers {
  /** List backups with all that is known — GET /backups */
  listBackupFiles: Handler<operations['listBackupFiles']>
  /** Delete a backup — DELETE /backups/{id} */
  deleteBackup: Handler<operations['deleteBackup']>
  /** Verify a backup and show what it contains — GET /backups/{id}/contents */
  getBackupContents: Handler<operations['getBackupContents']>
  /** Download a backup — GET /backups/{id}/file */
  downloadBackup: Handler<operations['downloadBackup'], Content>
}

export interface OperationsHandlers {
  runs: RunsHandlers
  sources: SourcesHandlers
  schedules: SchedulesHandlers
  operationLog: OperationLogHandlers
  progress: ProgressHandlers
  notices: NoticesHandlers
  overview: OverviewHandlers
  alerts: AlertsHandlers
  catalogue: CatalogueHandlers
  planner: PlannerHandlers
  orphans: OrphansHandlers
  people: PeopleHandlers
  permissions: PermissionsHandlers
  departments: DepartmentsHandlers
  attributes: AttributesHandlers
  serviceAccounts: ServiceAccountsHandlers
  devices: DevicesHandlers
  console: ConsoleHandlers
  me: MeHandlers
  accounts: AccountsHandlers
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
    heldStatements: { type: 'array', items: statementSchema },
    gaps: { type: 'array', items: { type: 'string' } },
    gapStatements: { type: 'array', items: statementSchema },
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
    stated: statementSchema,
    advised: statementSchema,
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
    heldStatements: { type: 'array', items: statementSchema },
    gaps: { type: 'array', items: { type: 'string' } },
    gapStatements: { type: 'array', items: statementSchema },
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

const compareDirectorySchema = {
  type: 'object',
  required: ['kind'],
  properties: { kind: runKindSchema, dryRun: { type: 'boolean' } },
  additionalProperties: false,
}

const groupLayoutNameSchema = { type: 'string', enum: ['nested', 'flat'] }

const directoryPartSchema = {
  type: ['object', 'null'],
  required: ['roots', 'groups', 'people'],
  properties: {
    roots: {
      type: 'array',
      items: {
        type: 'object',
        required: ['groupId', 'groupName'],
        properties: { groupId: idSchema, groupName: { type: ['string', 'null'] } },
        additionalProperties: false,
      },
    },
    groups: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    people: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
  },
  additionalProperties: false,
}

const directoryFactsSchema = {
  type: 'object',
  required: ['directory', 'baseDn', 'layout', 'wanted', 'waiting', 'refused', 'incomplete', 'oldestWaitingAt', 'part'],
  properties: {
    directory: { type: 'integer', minimum: 1, maximum: 9 },
    baseDn: { type: 'string' },
    layout: groupLayoutNameSchema,
    wanted: groupLayoutNameSchema,
    waiting: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    refused: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    incomplete: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    oldestWaitingAt: { type: ['string', 'null'], format: 'date-time' },
    part: directoryPartSchema,
  },
  additionalProperties: false,
}

const directoryListSchema = {
  type: 'object',
  required: ['directories'],
  properties: { directories: { type: 'array', items: directoryFactsSchema } },
  additionalProperties: false,
}

const directoryListSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: directoryListSchema },
  additionalProperties: false,
}

const pendingStateSchema = { type: 'string', enum: ['waiting', 'refused', 'incomplete'] }

const statementOrNullSchema = {
  type: ['object', 'null'],
  required: ['code', 'params', 'text'],
  properties: {
    code: { type: 'string' },
    params: { type: 'object', additionalProperties: true },
    text: { type: 'string' },
  },
  additionalProperties: false,
}

const pendingEntrySchema = {
  type: 'object',
  required: [
    'kind',
    'recordId',
    'name',
    'dn',
    'removal',
    'state',
    'waitingSince',
    'triedAt',
    'nextTryAt',
    'reason',
    'stated',
  ],
  properties: {
    kind: { type: 'string', enum: ['user', 'group'] },
    recordId: idSchema,
    name: { type: ['string', 'null'] },
    dn: { type: 'string' },
    removal: { type: 'boolean' },
    state: pendingStateSchema,
    waitingSince: { type: ['string', 'null'], format: 'date-time' },
    triedAt: { type: ['string', 'null'], format: 'date-time' },
    nextTryAt: { type: ['string', 'null'], format: 'date-time' },
    reason: { type: 'string' },
    stated: statementOrNullSchema,
  },
  additionalProperties: false,
}

const pendingEntryListSchema = {
  type: 'object',
  required: ['total', 'entries'],
  properties: { total: totalSchema, entries: { type: 'array', items: pendingEntrySchema } },
  additionalProperties: false,
}

const pendingEntryListSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: pendingEntryListSchema },
  additionalProperties: false,
}

const groupLayoutMoveSchema = {
  type: 'object',
  required: ['groupId', 'groupName', 'from', 'to', 'renamed', 'obstacle'],
  properties: {
    groupId: idSchema,
    groupName: { type: 'string' },
    from: { type: ['string', 'null'] },
    to: { type: 'string' },
    renamed: { type: 'boolean' },
    obstacle: statementOrNullSchema,
  },
  additionalProperties: false,
}

const groupLayoutSchema = {
  type: 'object',
  required: ['directory', 'layout', 'wanted', 'planHash', 'heldBecause', 'waiting', 'total', 'moves'],
  properties: {
    directory: { type: 'integer', minimum: 1, maximum: 9 },
    layout: groupLayoutNameSchema,
    wanted: groupLayoutNameSchema,
    planHash: { type: 'string' },
    heldBecause: { type: 'array', items: statementSchema },
    waiting: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    total: totalSchema,
    moves: { type: 'array', items: groupLayoutMoveSchema },
  },
  additionalProperties: false,
}

const groupLayoutSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: groupLayoutSchema },
  additionalProperties: false,
}

const changeGroupLayoutSchema = {
  type: 'object',
  required: ['planHash'],
  properties: {
    planHash: { type: 'string', minLength: 64, maxLength: 64, pattern: '^[0-9a-f]{64}$' },
    confirmed: { type: 'boolean' },
  },
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
    stated: statementOrNullSchema,
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
    stated: statementSchema,
    advised: statementOrNullSchema,
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
  properties: { field: { type: 'string' }, reason: { type: 'string' }, stated: statementSchema },
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
  required: ['source', 'cron', 'timeZone', 'nextRunAt', 'running', 'lastOkAt', 'lastError', 'stated'],
  properties: {
    source: slotSchema,
    cron: { type: 'string' },
    timeZone: { type: 'string' },
    nextRunAt: timestampSchema,
    running: { type: 'boolean' },
    lastOkAt: { type: ['string', 'null'], format: 'date-time' },
    lastError: { type: 'string' },
    stated: statementOrNullSchema,
  },
  additionalProperties: false,
}

const schedulesSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: { type: 'array', items: scheduleSchema } },
  additionalProperties: false,
}

const logResultSchema = { type: 'string', enum: ['success', 'refused', 'failed'] }

const logEntrySchema = {
  type: 'object',
  required: [
    'id',
    'username',
    'userId',
    'ip',
    'method',
    'path',
    'remark',
    'status',
    'result',
    'startTime',
    'timeCost',
    'userAgent',
    'target',
    'times',
    'preview',
  ],
  properties: {
    id: idSchema,
    username: { type: 'string' },
    userId: { type: ['integer', 'null'], format: 'int64', minimum: 1, maximum: 9007199254740991 },
    ip: { type: 'string' },
    method: { type: 'string' },
    path: { type: 'string' },
    remark: { type: 'string' },
    status: { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
    result: logResultSchema,
    startTime: timestampSchema,
    timeCost: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    userAgent: { type: 'string' },
    target: { type: 'array', items: idSchema },
    times: { type: 'integer', minimum: 1, maximum: 9007199254740991 },
    preview: { type: 'boolean' },
  },
  additionalProperties: false,
}

const logPageSchema = {
  type: 'object',
  required: ['entries', 'next'],
  properties: {
    entries: { type: 'array', items: logEntrySchema },
    next: { type: ['integer', 'null'], format: 'int64', minimum: 1, maximum: 9007199254740991 },
  },
  additionalProperties: false,
}

const logPageSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: logPageSchema },
  additionalProperties: false,
}

const logGapSchema = {
  type: 'object',
  required: ['seq', 'message'],
  properties: {
    seq: { type: 'integer', format: 'int64', minimum: 0, maximum: 9007199254740991 },
    message: { type: 'string' },
  },
  additionalProperties: false,
}

const workKindSchema = { type: 'string', enum: ['run', 'backup', 'restore', 'check', 'verification'] }

const logChainSchema = {
  type: 'object',
  required: ['head', 'first', 'entries', 'waiting', 'state'],
  properties: {
    head: {
      type: 'object',
      properties: {
        seq: { type: 'integer', format: 'int64', minimum: 0, maximum: 9007199254740991 },
        hash: { type: 'string' },
        at: { type: ['string', 'null'], format: 'date-time' },
      },
      required: ['seq', 'hash', 'at'],
      additionalProperties: false,
    },
    first: { type: 'integer', format: 'int64', minimum: 0, maximum: 9007199254740991 },
    entries: { type: 'integer', format: 'int64', minimum: 0, maximum: 9007199254740991 },
    waiting: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    state: { type: 'string', enum: ['unknown', 'intact', 'incomplete', 'broken'] },
    verification: {
      type: 'object',
      properties: {
        id: idSchema,
        startedAt: timestampSchema,
        finishedAt: timestampSchema,
        creator: { type: 'string' },
        head: {
          type: 'object',
          properties: {
            seq: { type: 'integer', format: 'int64', minimum: 0, maximum: 9007199254740991 },
            hash: { type: 'string' },
          },
          required: ['seq', 'hash'],
          additionalProperties: false,
        },
        checked: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
        broken: {
          type: 'object',
          properties: {
            seq: { type: 'integer', format: 'int64', minimum: 0, maximum: 9007199254740991 },
            what: { type: 'string', enum: ['changed', 'removed', 'inserted', 'hidden', 'end'] },
            message: { type: 'string' },
          },
          required: ['seq', 'what', 'message'],
          additionalProperties: false,
        },
        unchecked: {
          type: 'object',
          properties: {
            count: { type: 'integer', minimum: 1, maximum: 9007199254740991 },
            first: { type: 'integer', format: 'int64', minimum: 0, maximum: 9007199254740991 },
            last: { type: 'integer', format: 'int64', minimum: 0, maximum: 9007199254740991 },
            keyId: { type: 'string' },
          },
          required: ['count', 'first', 'last', 'keyId'],
          additionalProperties: false,
        },
        gaps: { type: 'array', items: logGapSchema },
        failure: { type: 'string' },
      },
      required: ['id', 'startedAt', 'finishedAt', 'creator', 'checked', 'gaps', 'failure'],
      additionalProperties: false,
    },
    running: {
      type: 'object',
      properties: {
        kind: workKindSchema,
        id: { type: 'integer', format: 'int64', minimum: 1, maximum: 9007199254740991 },
        state: runStateSchema,
        phase: { type: 'string' },
        done: { type: 'integer', format: 'int64', minimum: 0, maximum: 9007199254740991 },
        total: { type: ['integer', 'null'], format: 'int64', minimum: 0, maximum: 9007199254740991 },
        creator: { type: 'string' },
        startedAt: timestampSchema,
        finishedAt: { type: ['string', 'null'], format: 'date-time' },
        message: { type: 'string' },
        source: runSourceSchema,
        runKind: runKindSchema,
        dryRun: { type: 'boolean' },
        backupId: { type: 'integer', format: 'int64', minimum: 1, maximum: 9007199254740991 },
      },
      required: ['kind', 'id', 'state', 'phase', 'done', 'total', 'creator', 'startedAt', 'finishedAt', 'message'],
      additionalProperties: false,
    },
  },
  additionalProperties: false,
}

const logChainSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: logChainSchema },
  additionalProperties: false,
}

const workSchema = {
  type: 'object',
  required: ['kind', 'id', 'state', 'phase', 'done', 'total', 'creator', 'startedAt', 'finishedAt', 'message'],
  properties: {
    kind: workKindSchema,
    id: { type: 'integer', format: 'int64', minimum: 1, maximum: 9007199254740991 },
    state: runStateSchema,
    phase: { type: 'string' },
    done: { type: 'integer', format: 'int64', minimum: 0, maximum: 9007199254740991 },
    total: { type: ['integer', 'null'], format: 'int64', minimum: 0, maximum: 9007199254740991 },
    creator: { type: 'string' },
    startedAt: timestampSchema,
    finishedAt: { type: ['string', 'null'], format: 'date-time' },
    message: { type: 'string' },
    source: runSourceSchema,
    runKind: runKindSchema,
    dryRun: { type: 'boolean' },
    backupId: { type: 'integer', format: 'int64', minimum: 1, maximum: 9007199254740991 },
  },
  additionalProperties: false,
}

const workSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: workSchema },
  additionalProperties: false,
}

const touchedRecordSchema = {
  type: 'object',
  required: ['kind', 'id', 'name'],
  properties: {
    kind: {
      type: 'string',
      enum: [
        'user',
        'group',
        'role',
        'menu',
        'api',
        'fieldRelation',
        'logEntry',
        'run',
        'backup',
        'alert',
        'device',
        'serviceAccount',
        'attribute',
        'meal',
        'record',
      ],
    },
    id: idSchema,
    name: { type: ['string', 'null'] },
  },
  additionalProperties: false,
}

const logEntryDetailSchema = {
  type: 'object',
  properties: {
    id: idSchema,
    username: { type: 'string' },
    userId: { type: ['integer', 'null'], format: 'int64', minimum: 1, maximum: 9007199254740991 },
    ip: { type: 'string' },
    method: { type: 'string' },
    path: { type: 'string' },
    remark: { type: 'string' },
    status: { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
    result: logResultSchema,
    startTime: timestampSchema,
    timeCost: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    userAgent: { type: 'string' },
    target: { type: 'array', items: idSchema },
    times: { type: 'integer', minimum: 1, maximum: 9007199254740991 },
    preview: { type: 'boolean' },
    hash: { type: 'string' },
    previousHash: { type: 'string' },
    operationId: { type: ['string', 'null'] },
    touched: { type: 'array', items: touchedRecordSchema },
  },
  required: [
    'id',
    'username',
    'userId',
    'ip',
    'method',
    'path',
    'remark',
    'status',
    'result',
    'startTime',
    'timeCost',
    'userAgent',
    'target',
    'times',
    'preview',
    'hash',
    'previousHash',
    'operationId',
    'touched',
  ],
  additionalProperties: false,
}

const logEntrySuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: logEntryDetailSchema },
  additionalProperties: false,
}

const progressSnapshotSchema = {
  type: 'object',
  required: ['at', 'work'],
  properties: { at: timestampSchema, work: { type: 'array', items: workSchema } },
  additionalProperties: false,
}

const progressSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: progressSnapshotSchema },
  additionalProperties: false,
}

const noticeSchema = {
  type: 'object',
  required: ['key', 'kind', 'id', 'title', 'detail', 'rule', 'params', 'since', 'times'],
  properties: {
    key: { type: 'string' },
    kind: { type: 'string', enum: ['alert', 'heldRun', 'lockedAccount'] },
    id: { type: ['integer', 'null'], format: 'int64', minimum: 1, maximum: 9007199254740991 },
    title: { type: 'string' },
    detail: { type: 'string' },
    stated: statementOrNullSchema,
    rule: { type: 'string' },
    params: { type: 'object', additionalProperties: { type: 'string' } },
    since: timestampSchema,
    times: { type: 'integer', minimum: 1, maximum: 9007199254740991 },
  },
  additionalProperties: false,
}

const noticeListSchema = {
  type: 'object',
  required: ['at', 'total', 'counts', 'notices'],
  properties: {
    at: timestampSchema,
    total: totalSchema,
    counts: {
      type: 'object',
      required: ['alert', 'heldRun', 'lockedAccount'],
      properties: {
        alert: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
        heldRun: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
        lockedAccount: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
      },
      additionalProperties: false,
    },
    notices: { type: 'array', items: noticeSchema },
  },
  additionalProperties: false,
}

const noticeListSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: noticeListSchema },
  additionalProperties: false,
}

const lastRunSchema = {
  type: 'object',
  required: ['source', 'kind', 'runId', 'state', 'startedAt', 'finishedAt', 'failed'],
  properties: {
    source: slotSchema,
    kind: runKindSchema,
    runId: idSchema,
    state: runStateSchema,
    startedAt: timestampSchema,
    finishedAt: { type: ['string', 'null'], format: 'date-time' },
    failed: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
  },
  additionalProperties: false,
}

const happenedChangeSchema = {
  type: 'object',
  required: ['method', 'path', 'remark', 'touched', 'records'],
  properties: {
    method: { type: 'string' },
    path: { type: 'string' },
    remark: { type: 'string' },
    touched: {
      type: 'object',
      properties: {
        kind: {
          type: 'string',
          enum: [
            'user',
            'group',
            'role',
            'menu',
            'api',
            'fieldRelation',
            'logEntry',
            'run',
            'backup',
            'alert',
            'device',
            'serviceAccount',
            'attribute',
            'meal',
            'record',
          ],
        },
        id: idSchema,
        name: { type: ['string', 'null'] },
      },
      required: ['kind', 'id', 'name'],
      additionalProperties: false,
    },
    records: { type: 'integer', minimum: 1, maximum: 9007199254740991 },
  },
  additionalProperties: false,
}

const happenedRunSchema = {
  type: 'object',
  required: ['source', 'kind', 'state', 'added', 'updated', 'moved', 'disabled', 'failed', 'held'],
  properties: {
    source: runSourceSchema,
    kind: runKindSchema,
    state: runStateSchema,
    added: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    updated: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    moved: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    disabled: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    failed: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    held: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
  },
  additionalProperties: false,
}

const alertLevelSchema = { type: 'string', enum: ['info', 'warning', 'danger'] }

const happenedAlertSchema = {
  type: 'object',
  required: ['level', 'title', 'description', 'rule', 'params', 'handledAt'],
  properties: {
    level: alertLevelSchema,
    title: { type: 'string' },
    description: { type: 'string' },
    rule: { type: 'string' },
    params: { type: 'object', additionalProperties: { type: 'string' } },
    handledAt: { type: ['string', 'null'], format: 'date-time' },
  },
  additionalProperties: false,
}

const happenedBackupSchema = {
  type: 'object',
  required: ['status'],
  properties: { status: { type: 'string', enum: ['running', 'success', 'failed'] } },
  additionalProperties: false,
}

const happenedRestoreSchema = {
  type: 'object',
  required: ['state', 'backupId'],
  properties: {
    state: { type: 'string', enum: ['running', 'done', 'failed'] },
    backupId: { type: ['integer', 'null'], format: 'int64', minimum: 1, maximum: 9007199254740991 },
  },
  additionalProperties: false,
}

const happeningSchema = {
  type: 'object',
  required: ['kind', 'id', 'at', 'by'],
  properties: {
    kind: { type: 'string', enum: ['change', 'run', 'alert', 'backup', 'restore'] },
    id: { type: 'integer', format: 'int64', minimum: 1, maximum: 9007199254740991 },
    at: timestampSchema,
    by: { type: 'string' },
    change: happenedChangeSchema,
    run: happenedRunSchema,
    alert: happenedAlertSchema,
    backup: happenedBackupSchema,
    restore: happenedRestoreSchema,
  },
  additionalProperties: false,
}

const signInSchema = {
  type: 'object',
  required: ['userId', 'username', 'at', 'ip'],
  properties: { userId: idSchema, username: { type: 'string' }, at: timestampSchema, ip: { type: 'string' } },
  additionalProperties: false,
}

const overviewSchema = {
  type: 'object',
  required: ['at', 'people', 'departments', 'groups', 'alerts', 'runs', 'directory', 'sources', 'lately', 'signIns'],
  properties: {
    at: timestampSchema,
    people: {
      type: 'object',
      required: ['enabled', 'disabled'],
      properties: {
        enabled: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
        disabled: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
      },
      additionalProperties: false,
    },
    departments: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    groups: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    alerts: {
      type: 'object',
      required: ['info', 'warning', 'danger'],
      properties: {
        info: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
        warning: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
        danger: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
      },
      additionalProperties: false,
    },
    runs: {
      type: 'object',
      required: ['held', 'running'],
      properties: {
        held: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
        running: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
      },
      additionalProperties: false,
    },
    directory: {
      type: 'object',
      required: ['kind', 'inStep', 'waiting', 'refused', 'oldestWaitingAt'],
      properties: {
        kind: { type: 'string', enum: ['none', 'embedded', 'external'] },
        inStep: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
        waiting: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
        refused: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
        oldestWaitingAt: { type: ['string', 'null'], format: 'date-time' },
      },
      additionalProperties: false,
    },
    sources: { type: 'array', items: lastRunSchema },
    lastBackup: {
      type: 'object',
      properties: {
        id: idSchema,
        status: { type: 'string', enum: ['running', 'success', 'failed'] },
        startedAt: timestampSchema,
        finishedAt: { type: ['string', 'null'], format: 'date-time' },
        size: { type: 'integer', format: 'int64', minimum: 0, maximum: 9007199254740991 },
        encrypted: { type: 'boolean' },
      },
      required: ['id', 'status', 'startedAt', 'finishedAt', 'size', 'encrypted'],
      additionalProperties: false,
    },
    lately: { type: 'array', items: happeningSchema },
    signIns: { type: 'array', items: signInSchema },
    score: {
      type: 'object',
      properties: { score: { type: 'integer', minimum: 0, maximum: 100 }, at: timestampSchema },
      required: ['score', 'at'],
      additionalProperties: false,
    },
  },
  additionalProperties: false,
}

const overviewSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: overviewSchema },
  additionalProperties: false,
}

const firstStepSchema = {
  type: 'object',
  required: ['id', 'done', 'title', 'why', 'action', 'deduction'],
  properties: {
    id: {
      type: 'string',
      enum: ['ownPassword', 'secondFactor', 'backupKey', 'backup', 'mail', 'source', 'directory', 'https'],
    },
    done: { type: 'boolean' },
    title: { type: 'string' },
    why: { type: 'string' },
    action: {
      type: 'object',
      properties: { operation: { type: 'string' }, setting: { type: 'string' } },
      additionalProperties: false,
    },
    deduction: { type: ['integer', 'null'], minimum: 0, maximum: 9007199254740991 },
  },
  additionalProperties: false,
}

const firstStepsSchema = {
  type: 'object',
  required: ['open', 'steps'],
  properties: {
    open: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    steps: { type: 'array', items: firstStepSchema },
  },
  additionalProperties: false,
}

const firstStepsSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: firstStepsSchema },
  additionalProperties: false,
}

const deductionKindSchema = {
  type: 'string',
  enum: [
    'signInAttack',
    'signInFailures',
    'signInLocks',
    'denialsMany',
    'denials',
    'limits',
    'directoryLate',
    'directoryParked',
    'directoryStuck',
    'driftUnknown',
    'directoryNone',
    'directoryEmbedded',
    'runFailed',
    'runHeld',
    'sourceNeverRun',
    'sourceOld',
    'recordsFailed',
    'devicesDark',
    'devicesOffline',
    'devicesSilent',
    'batteryLow',
    'backupNone',
    'backupStale',
    'backupOld',
    'backupFailed',
    'backupFuture',
    'backupClear',
    'chainBroken',
    'chainUnchecked',
    'chainStuck',
    'chainGap',
    'chainEmpty',
    'alertsOverdue',
    'alertsDanger',
    'alertsOpen',
    'secretGuessable',
    'connectionClear',
    'factorMissing',
    'openToNetwork',
    'trustsAnyClient',
    'originClear',
    'smtpMissing',
    'backupsUnscheduled',
    'backupKeyMissing',
    'adminPasswordKept',
    'secretGenerated',
    'logKeyMissing',
    'fastPasswordHash',
    'ntHashes',
    'idleSessions',
    'databaseEmbedded',
  ],
}

const scoreDeductionSchema = {
  type: 'object',
  required: ['kind', 'area', 'level', 'points', 'description', 'suggestion', 'params'],
  properties: {
    kind: deductionKindSchema,
    area: {
      type: 'string',
      enum: [
        'signIn',
        'permissions',
        'directory',
        'sources',
        'devices',
        'backups',
        'operationLog',
        'alerts',
        'configuration',
      ],
    },
    level: alertLevelSchema,
    points: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    description: { type: 'string' },
    suggestion: { type: 'string' },
    params: { type: 'object', additionalProperties: { type: 'string' } },
  },
  additionalProperties: false,
}

const areaNameSchema = {
  type: 'string',
  enum: ['signIn', 'permissions', 'directory', 'sources', 'devices', 'backups', 'operationLog', 'alerts'],
}

const scoreAreaSchema = {
  type: 'object',
  required: ['area', 'status', 'figures'],
  properties: {
    area: areaNameSchema,
    status: { type: 'string', enum: ['safe', 'risk', 'danger'] },
    figures: { type: 'object', additionalProperties: { type: 'integer', minimum: 0, maximum: 9007199254740991 } },
  },
  additionalProperties: false,
}

const scoreSchema = {
  type: 'object',
  required: ['at', 'score', 'deductions', 'areas'],
  properties: {
    at: timestampSchema,
    score: { type: 'integer', minimum: 0, maximum: 100 },
    deductions: { type: 'array', items: scoreDeductionSchema },
    areas: { type: 'array', items: scoreAreaSchema },
  },
  additionalProperties: false,
}

const scoreSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: scoreSchema },
  additionalProperties: false,
}

const alertSchema = {
  type: 'object',
  required: [
    'id',
    'rule',
    'params',
    'title',
    'description',
    'level',
    'raisedAt',
    'lastAt',
    'times',
    'handledAt',
    'handledBy',
    'location',
    'deviceId',
  ],
  properties: {
    id: idSchema,
    rule: { type: 'string' },
    params: { type: 'object', additionalProperties: { type: 'string' } },
    title: { type: 'string' },
    description: { type: 'string' },
    level: alertLevelSchema,
    raisedAt: timestampSchema,
    lastAt: { type: 'string', format: 'date-time' },
    times: { type: 'integer', minimum: 1, maximum: 9007199254740991 },
    handledAt: { type: ['string', 'null'], format: 'date-time' },
    handledBy: { type: ['string', 'null'] },
    location: { type: 'string' },
    deviceId: { type: ['integer', 'null'], format: 'int64', minimum: 1, maximum: 9007199254740991 },
  },
  additionalProperties: false,
}

const alertPageSchema = {
  type: 'object',
  required: ['total', 'next', 'alerts'],
  properties: {
    total: totalSchema,
    next: { type: ['integer', 'null'], format: 'int64', minimum: 1, maximum: 9007199254740991 },
    alerts: { type: 'array', items: alertSchema },
  },
  additionalProperties: false,
}

const alertPageSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: alertPageSchema },
  additionalProperties: false,
}

const handledAlertsSchema = {
  type: 'object',
  required: ['handled'],
  properties: { handled: { type: 'integer', minimum: 0, maximum: 9007199254740991 } },
  additionalProperties: false,
}

const handledAlertsSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: handledAlertsSchema },
  additionalProperties: false,
}

const handleAlertsSchema = {
  type: 'object',
  required: ['ids'],
  properties: { ids: { type: 'array', minItems: 1, maxItems: 1000, items: idSchema } },
  additionalProperties: false,
}

const allergenSchema = {
  type: 'string',
  enum: [
    'gluten',
    'crustaceans',
    'eggs',
    'fish',
    'peanuts',
    'soybeans',
    'milk',
    'nuts',
    'celery',
    'mustard',
    'sesame',
    'sulphites',
    'lupin',
    'molluscs',
  ],
}

const foodSchema = {
  type: 'object',
  required: ['id', 'fdcId', 'en', 'zh', 'synonyms', 'per100g', 'units', 'origin', 'allergens'],
  properties: {
    id: { type: 'string' },
    fdcId: { type: 'integer', minimum: 1, maximum: 9007199254740991 },
    en: { type: 'string' },
    zh: { type: 'string' },
    synonyms: {
      type: 'object',
      required: ['en', 'zh'],
      properties: {
        en: { type: 'array', items: { type: 'string' } },
        zh: { type: 'array', items: { type: 'string' } },
      },
      additionalProperties: false,
    },
    per100g: {
      type: 'object',
      required: ['calories', 'protein', 'carbs', 'fat', 'fibre'],
      properties: {
        calories: { type: 'number', minimum: 0 },
        protein: { type: 'number', minimum: 0 },
        carbs: { type: 'number', minimum: 0 },
        fat: { type: 'number', minimum: 0 },
        fibre: { type: 'number', minimum: 0 },
      },
      additionalProperties: false,
    },
    units: {
      type: 'array',
      items: {
        type: 'object',
        required: ['unit', 'grams'],
        properties: {
          unit: { type: 'string', enum: ['g', 'kg', 'ml', 'L', '个', '只', '份'] },
          grams: { type: 'number', exclusiveMinimum: 0 },
        },
        additionalProperties: false,
      },
    },
    origin: { type: 'string', enum: ['plant', 'dairy-egg', 'meat', 'seafood'] },
    allergens: { type: 'array', items: allergenSchema },
  },
  additionalProperties: false,
}

const foodListSchema = {
  type: 'object',
  required: ['total', 'foods'],
  properties: { total: totalSchema, foods: { type: 'array', items: foodSchema } },
  additionalProperties: false,
}

const foodListSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: foodListSchema },
  additionalProperties: false,
}

const catalogueRecipeSchema = {
  type: 'object',
  required: ['id', 'en', 'zh', 'description', 'cuisine', 'meals', 'calories', 'nutrition', 'ingredients', 'allergens'],
  properties: {
    id: idSchema,
    en: { type: 'string' },
    zh: { type: 'string' },
    description: {
      type: 'object',
      required: ['en', 'zh'],
      properties: { en: { type: 'string' }, zh: { type: 'string' } },
      additionalProperties: false,
    },
    cuisine: { type: 'string', enum: ['chinese', 'western', 'japanese', 'korean', 'indian', 'southeast-asian'] },
    meals: { type: 'array', items: { type: 'string', enum: ['breakfast', 'lunch', 'dinner', 'snack'] } },
    calories: { type: 'number', minimum: 0 },
    nutrition: {
      type: 'object',
      required: ['protein', 'carbs', 'fat'],
      properties: {
        protein: { type: 'number', minimum: 0 },
        carbs: { type: 'number', minimum: 0 },
        fat: { type: 'number', minimum: 0 },
      },
      additionalProperties: false,
    },
    ingredients: {
      type: 'array',
      items: {
        type: 'object',
        required: ['food', 'en', 'zh', 'amount'],
        properties: {
          food: { type: 'string' },
          en: { type: 'string' },
          zh: { type: 'string' },
          amount: { type: 'string' },
        },
        additionalProperties: false,
      },
    },
    allergens: { type: 'array', items: allergenSchema },
  },
  additionalProperties: false,
}

const recipeListSchema = {
  type: 'object',
  required: ['total', 'recipes'],
  properties: { total: totalSchema, recipes: { type: 'array', items: catalogueRecipeSchema } },
  additionalProperties: false,
}

const recipeListSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: recipeListSchema },
  additionalProperties: false,
}

const calendarDateSchema = { type: 'string', format: 'date', pattern: '^[1-9]\\d{3}-\\d{2}-\\d{2}$' }

const dietFigureSchema = { type: 'number', minimum: 0 }

const dietRangeSchema = {
  type: 'object',
  required: ['min', 'max'],
  properties: { min: dietFigureSchema, max: dietFigureSchema },
  additionalProperties: false,
}

const dietTargetSchema = {
  type: 'object',
  required: ['calories', 'protein', 'carbs', 'fat'],
  properties: { calories: dietFigureSchema, protein: dietRangeSchema, carbs: dietRangeSchema, fat: dietRangeSchema },
  additionalProperties: false,
}

const dietWishesSchema = {
  type: 'object',
  required: ['preferences', 'allergies'],
  properties: {
    preferences: { type: 'array', items: { type: 'string' } },
    allergies: { type: 'array', items: { type: 'string' } },
  },
  additionalProperties: false,
}

const dietMealSchema = {
  type: 'object',
  required: ['id', 'time', 'name', 'status', 'calories'],
  properties: {
    id: idSchema,
    time: { type: 'string' },
    name: { type: 'string' },
    status: { type: 'string', enum: ['pending', 'current', 'done'] },
    calories: dietFigureSchema,
  },
  additionalProperties: false,
}

const dietNutritionSchema = {
  type: 'object',
  required: ['protein', 'carbs', 'fat'],
  properties: { protein: dietFigureSchema, carbs: dietFigureSchema, fat: dietFigureSchema },
  additionalProperties: false,
}

const dietCoverageSchema = { type: 'number', minimum: 0, maximum: 1 }

const dietStatusSchema = { type: 'string', enum: ['good', 'warning', 'bad'] }

const dietDaySchema = {
  type: 'object',
  required: ['date', 'meals', 'calories', 'nutrition', 'eaten', 'coverage', 'status', 'preferences', 'allergies'],
  properties: {
    date: calendarDateSchema,
    meals: { type: 'array', items: dietMealSchema },
    calories: dietFigureSchema,
    nutrition: dietNutritionSchema,
    eaten: {
      type: 'object',
      required: ['calories', 'protein', 'carbs', 'fat'],
      properties: {
        calories: dietFigureSchema,
        protein: dietFigureSchema,
        carbs: dietFigureSchema,
        fat: dietFigureSchema,
      },
      additionalProperties: false,
    },
    coverage: dietCoverageSchema,
    status: dietStatusSchema,
    preferences: { type: 'array', items: { type: 'string' } },
    allergies: { type: 'array', items: { type: 'string' } },
  },
  additionalProperties: false,
}

const dietDaysSchema = {
  type: 'object',
  required: ['today', 'target', 'wishes', 'days'],
  properties: {
    today: calendarDateSchema,
    target: dietTargetSchema,
    wishes: dietWishesSchema,
    days: { type: 'array', items: dietDaySchema },
  },
  additionalProperties: false,
}

const dietDaysSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: dietDaysSchema },
  additionalProperties: false,
}

const draftFiguresSchema = {
  type: 'object',
  required: ['calories', 'nutrition', 'coverage', 'unknownIngredients', 'ingredients'],
  properties: {
    calories: dietFigureSchema,
    nutrition: dietNutritionSchema,
    coverage: dietCoverageSchema,
    unknownIngredients: { type: 'array', items: { type: 'string' } },
    ingredients: {
      type: 'array',
      items: {
        type: 'object',
        required: ['isKnown', 'calories'],
        properties: { isKnown: { type: 'boolean' }, calories: dietFigureSchema },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
}

const failureReasonSchema = {
  type: 'string',
  enum: [
    'service.busy',
    'service.client_gone',
    'service.database_away',
    'service.internal',
    'service.invalid',
    'service.log_away',
    'service.limited',
    'service.stopping',
    'contract.no_operation',
    'contract.no_method',
    'contract.path_encoding',
    'contract.path_too_long',
    'contract.host_missing',
    'contract.expectation',
    'contract.unreadable',
    'contract.not_http',
    'contract.timed_out',
    'contract.headers_too_large',
    'contract.chunk_extensions_too_large',
    'contract.body_too_large',
    'contract.body_length',
    'contract.media_type',
    'contract.not_utf8',
    'contract.not_json',
    'contract.prototype',
    'contract.too_deep',
    'contract.name_nul',
    'contract.name_surrogate',
    'contract.required',
    'contract.given_twice',
    'contract.not_text',
    'contract.not_whole_number',
    'contract.not_number',
    'contract.not_boolean',
    'contract.not_object',
    'contract.not_list',
    'contract.not_null',
    'contract.wrong_type',
    'contract.not_one_of',
    'contract.empty',
    'contract.too_short',
    'contract.too_long',
    'contract.too_few_entries',
    'contract.too_many_entries',
    'contract.too_few_fields',
    'contract.too_many_fields',
    'contract.same_entry',
    'contract.too_small',
    'contract.too_great',
    'contract.not_above',
    'contract.not_below',
    'contract.format',
    'contract.pattern',
    'contract.rule',
    'contract.console_header',
    'text.control_characters',
    'text.control_characters_but_lines',
    'text.nothing_visible',
    'text.no_name',
    'text.no_text',
    'text.no_mail_address',
    'text.no_mobile',
    'text.no_date',
    'text.no_time_of_day',
    'text.nul',
    'text.surrogate',
    'text.password_length',
    'text.password_common',
    'text.password_known_name',
    'db.user_not_found',
    'db.group_not_found',
    'db.role_not_found',
    'db.menu_not_found',
    'db.api_not_found',
    'db.field_relation_not_found',
    'db.group_below_itself',
    'db.menu_below_itself',
    'db.groups_too_deep',
    'db.menus_too_deep',
    'db.group_has_groups',
    'db.menu_has_menus',
    'db.cursor_unusable',
    'db.changed_meanwhile',
    'access.not_signed_in',
    'access.session_over',
    'access.not_granted',
    'access.roles_lost',
    'access.strongest_only',
    'access.step_up',
    'access.step_up_without_factor',
    'access.user_too_strong',
    'access.group_users_too_strong',
    'access.subtree_users_too_strong',
    'access.role_too_strong',
    'access.role_holders_too_strong',
    'access.last_administrator',
    'access.mail_signs_in',
    'access.source_fixed',
    'access.granted_role_too_strong',
    'access.granted_role_beyond',
    'access.role_beyond',
    'access.api_not_held',
    'access.menu_not_held',
    'access.administrator_role_fixed',
    'access.administrator_role_stays',
    'access.administrator_role_grants_all',
    'access.role_held',
    'access.role_named',
    'access.keyword_fixed',
    'access.keyword_reserved',
    'access.api_fixed',
    'access.api_served',
    'access.api_granted',
    'access.role_name_taken',
    'access.role_keyword_taken',
    'access.menu_name_taken',
    'access.api_taken',
    'access.operation_not_found',
    'access.link_signs_in',
    'access.password_signs_in',
    'auth.wrong_credentials',
    'auth.token_invalid',
    'auth.too_many_attempts',
    'auth.wrong_password',
    'auth.wrong_mail_code',
    'auth.wrong_factor_code',
    'auth.session_not_found',
    'auth.password_tools_off',
    'auth.not_encrypted',
    'auth.encrypted_text_void',
    'auth.app_not_found',
    'auth.user_without_app',
    'auth.app_enrolled',
    'auth.no_app_enrolled',
    'auth.no_app_to_confirm',
    'auth.app_key_changed',
    'auth.other_step_up_method',
    'auth.no_step_up_method',
    'auth.second_factor_required',
    'auth.new_password_required',
    'auth.same_password',
    'auth.no_code_asked',
    'auth.no_mailed_code',
    'auth.enrolment_required',
    'auth.enrolment_late',
    'auth.link_void',
    'auth.session_signed_out',
    'auth.session_ended_password',
    'auth.session_ended_disabled',
    'auth.session_ended_theft',
    'auth.session_ended_elsewhere',
    'auth.session_ended_restore',
    'auth.session_too_old',
    'people.username_taken',
    'people.mail_taken',
    'people.mobile_taken',
    'people.job_number_taken',
    'people.source_taken',
    'people.group_name_taken',
    'people.group_name_reserved',
    'people.cannot_delete_self',
    'people.cannot_disable_self',
    'people.user_gone',
    'people.password_changed',
    'people.needed_for_action',
    'people.user_disabled',
    'people.user_without_mail',
    'people.attribute_not_found',
    'people.attribute_taken',
    'people.attribute_reserved',
    'people.attribute_bounds',
    'people.attribute_limit',
    'people.attribute_unknown',
    'people.attribute_fixed',
    'people.ldap_attribute_taken',
    'people.ldap_unfit',
    'people.value_characters',
    'people.value_not_ascii',
    'people.value_not_boolean',
    'people.value_not_date',
    'people.value_not_integer',
    'people.value_single',
    'people.value_too_large',
    'people.value_too_long',
    'people.value_too_many',
    'people.value_too_short',
    'people.value_too_small',
    'people.posix_off',
    'people.posix_number_kept',
    'people.posix_number_reserved',
    'people.posix_number_taken',
    'people.ssh_key_broken',
    'people.ssh_key_private',
    'people.ssh_key_options',
    'people.ssh_key_type',
    'people.ssh_key_short',
    'people.ssh_key_known',
    'people.ssh_key_not_found',
    'people.ssh_key_limit',
    'people.mail_proof_used',
    'mirror.directory_unavailable',
    'mirror.directory_silent',
    'mirror.no_directory',
    'mirror.names_or_filter',
    'mirror.filter_required',
    'mirror.hash_required',
    'mirror.too_many_entries',
    'mirror.dn_unreadable',
    'mirror.entry_not_found',
    'mirror.entry_of_record',
    'mirror.not_adoptable',
    'mirror.no_such_directory',
    'mirror.layout_in_effect',
    'mirror.layout_outdated',
    'mirror.layout_held',
    'mirror.layout_blocked',
    'mirror.preview_outdated',
    'mirror.entry_found_meanwhile',
    'sync.run_not_found',
    'sync.run_not_held',
    'sync.run_not_held_any_more',
    'sync.other_plan',
    'sync.plan_outdated',
    'sync.plan_too_strong',
    'sync.run_failed',
    'sync.scheduled_run_failed',
    'sync.snapshot_lost',
    'sync.source_busy',
    'sync.source_taken',
    'sync.source_silent',
    'sync.source_failed',
    'sync.exta_not_configured',
    'sync.extb_not_configured',
    'sync.extc_not_configured',
    'sync.extldap_not_configured',
    'sync.relation_deleted',
    'sync.relation_unusable',
    'sync.flag_taken',
    'sync.unknown_field',
    'sync.field_required',
    'sync.expression',
    'sync.records_hidden',
    'services.account_not_found',
    'services.name_taken',
    'services.account_limit',
    'services.filter_syntax',
    'services.filter_attribute',
    'services.two_passwords',
    'services.no_old_password',
    'services.until_past',
    'devices.device_not_found',
    'devices.unknown_token',
    'devices.name_taken',
    'backups.backup_not_found',
    'backups.not_usable',
    'backups.file_removed',
    'backups.file_elsewhere',
    'backups.not_downloadable',
    'backups.not_removable',
    'backups.newest_kept',
    'backups.in_progress',
    'backups.not_restorable',
    'backups.safety_failed',
    'backups.tables_busy',
    'backups.failed',
    'backups.path_outside',
    'posture.not_ready',
    'posture.database_silent',
    'posture.database_disk',
    'posture.database_memory',
    'posture.database_connections',
    'posture.database_changes',
    'posture.schema_outdated',
    'posture.log_stuck',
    'posture.report_not_found',
    'audit.entry_not_found',
    'diet.plan_not_found',
    'diet.meal_not_found',
    'diet.recipe_not_found',
    'diet.amount',
    'diet.allergen',
    'diet.required_without_recipe',
    'diet.only_with_recipe',
    'diet.not_with_recipe',
    'live.work_not_found',
    'live.kind_required',
    'live.too_many_streams',
    'live.streams_full',
  ],
}

const reasonValuesSchema = { type: 'object', additionalProperties: { type: 'string' } }

const fieldProblemSchema = {
  type: 'object',
  required: ['field', 'message', 'reason', 'params'],
  properties: {
    field: { type: 'string' },
    message: { type: 'string' },
    reason: failureReasonSchema,
    params: reasonValuesSchema,
  },
  additionalProperties: false,
}

const containedAllergenSchema = {
  type: 'string',
  enum: [
    'gluten',
    'crustaceans',
    'eggs',
    'fish',
    'peanuts',
    'soybeans',
    'milk',
    'nuts',
    'celery',
    'mustard',
    'sesame',
    'sulphites',
    'lupin',
    'molluscs',
  ],
}

const refusedIngredientSchema = {
  type: 'object',
  required: ['field', 'ingredient', 'word', 'proof'],
  properties: {
    field: { type: 'string' },
    ingredient: { type: 'string' },
    food: {
      type: 'object',
      required: ['en', 'zh'],
      properties: { en: { type: 'string' }, zh: { type: 'string' } },
      additionalProperties: false,
    },
    allergen: containedAllergenSchema,
    word: { type: 'string' },
    proof: { type: 'string' },
  },
  additionalProperties: false,
}

const dietPreviewSchema = {
  type: 'object',
  required: ['meals', 'calories', 'nutrition', 'coverage', 'status', 'warnings', 'problems', 'refused'],
  properties: {
    meals: { type: 'array', items: draftFiguresSchema },
    calories: dietFigureSchema,
    nutrition: dietNutritionSchema,
    coverage: dietCoverageSchema,
    status: dietStatusSchema,
    warnings: { type: 'array', items: { type: 'string' } },
    problems: { type: 'array', items: fieldProblemSchema },
    refused: { type: 'array', items: refusedIngredientSchema },
  },
  additionalProperties: false,
}

const dietPreviewSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: dietPreviewSchema },
  additionalProperties: false,
}

const draftMealSchema = {
  type: 'object',
  properties: {
    ingredients: {
      type: 'array',
      maxItems: 50,
      items: {
        type: 'object',
        required: ['name', 'amount'],
        properties: {
          name: { type: 'string', maxLength: 100, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' },
          amount: { type: 'string', maxLength: 40, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' },
        },
        additionalProperties: false,
      },
    },
    recipeId: idSchema,
    servings: { type: 'number', minimum: 0.1, maximum: 20 },
    ownFigures: {
      type: 'object',
      properties: {
        calories: { type: 'number', minimum: 0, maximum: 20000 },
        protein: { type: 'number', minimum: 0, maximum: 5000 },
        carbs: { type: 'number', minimum: 0, maximum: 5000 },
        fat: { type: 'number', minimum: 0, maximum: 5000 },
      },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
}

const dietWordSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 50,
  pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
}

const previewDietDaySchema = {
  type: 'object',
  required: ['meals'],
  properties: {
    meals: { type: 'array', maxItems: 24, items: draftMealSchema },
    preferences: { type: 'array', maxItems: 30, items: dietWordSchema },
    allergies: { type: 'array', maxItems: 30, items: dietWordSchema },
  },
  additionalProperties: false,
}

const allergyExplanationSchema = {
  type: 'object',
  required: ['isKnown', 'classes', 'total', 'foods'],
  properties: {
    isKnown: { type: 'boolean' },
    classes: { type: 'array', items: allergenSchema },
    total: totalSchema,
    foods: {
      type: 'array',
      items: {
        type: 'object',
        required: ['en', 'zh'],
        properties: { en: { type: 'string' }, zh: { type: 'string' }, allergen: containedAllergenSchema },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
}

const allergySuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: allergyExplanationSchema },
  additionalProperties: false,
}

const orphanKindSchema = { type: 'string', enum: ['user', 'group'] }

const orphanSchema = {
  type: 'object',
  required: ['dn', 'kind', 'objectClasses', 'recordId', 'recordName', 'obstacle', 'stated', 'ignored'],
  properties: {
    dn: { type: 'string' },
    kind: orphanKindSchema,
    objectClasses: { type: 'array', items: { type: 'string' } },
    recordId: { type: ['integer', 'null'], format: 'int64', minimum: 1, maximum: 9007199254740991 },
    recordName: { type: 'string' },
    obstacle: { type: ['string', 'null'] },
    stated: statementOrNullSchema,
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

const cappedTotalSchema = { type: 'integer', minimum: 0, maximum: 10000 }

const cursorTextSchema = { type: ['string', 'null'] }

const attributeNameSchema = { type: 'string', maxLength: 40, pattern: '^[a-z][A-Za-z0-9]{0,39}$' }

const attributeLabelSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 60,
  pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
}

const attributeLabelsSchema = {
  type: 'object',
  required: ['en', 'zh-CN'],
  properties: { en: attributeLabelSchema, 'zh-CN': attributeLabelSchema },
  additionalProperties: false,
}

const attributeTypeSchema = { type: 'string', enum: ['text', 'integer', 'boolean', 'date'] }

const listedAttributeSchema = {
  type: 'object',
  required: ['name', 'labels', 'type', 'multiple'],
  properties: {
    name: attributeNameSchema,
    labels: attributeLabelsSchema,
    type: attributeTypeSchema,
    multiple: { type: 'boolean' },
  },
  additionalProperties: false,
}

const listedAttributesSchema = { type: 'array', items: listedAttributeSchema }

const personStatusSchema = { type: 'string', enum: ['enabled', 'disabled'] }

const namedRecordSchema = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: idSchema, name: { type: 'string' } },
  additionalProperties: false,
}

const entrySyncSchema = { type: 'string', enum: ['synced', 'waiting', 'refused'] }

const syncStateSchema = {
  type: 'object',
  required: ['state', 'reason', 'stated'],
  properties: { state: entrySyncSchema, reason: { type: ['string', 'null'] }, stated: statementOrNullSchema },
  additionalProperties: false,
}

const shownValuesSchema = { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } }

const accessSchema = {
  type: 'object',
  required: ['change', 'reason'],
  properties: { change: { type: 'boolean' }, reason: { type: ['string', 'null'] } },
  additionalProperties: false,
}

const personSummarySchema = {
  type: 'object',
  required: [
    'id',
    'username',
    'name',
    'mail',
    'mobile',
    'jobNumber',
    'status',
    'departments',
    'roles',
    'source',
    'sync',
    'lastSignInAt',
    'createdAt',
    'updatedAt',
    'attributes',
    'access',
  ],
  properties: {
    id: idSchema,
    username: { type: 'string' },
    name: { type: 'string' },
    mail: { type: 'string' },
    mobile: { type: 'string' },
    jobNumber: { type: 'string' },
    status: personStatusSchema,
    departments: { type: 'array', items: namedRecordSchema },
    roles: { type: 'array', items: namedRecordSchema },
    source: { type: 'string' },
    sync: syncStateSchema,
    lastSignInAt: { type: ['string', 'null'], format: 'date-time' },
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    attributes: shownValuesSchema,
    access: accessSchema,
  },
  additionalProperties: false,
}

const personListSchema = {
  type: 'object',
  required: ['total', 'totalIsExact', 'next', 'previous', 'people'],
  properties: {
    total: cappedTotalSchema,
    totalIsExact: { type: 'boolean' },
    next: cursorTextSchema,
    previous: cursorTextSchema,
    attributes: listedAttributesSchema,
    people: { type: 'array', items: personSummarySchema },
  },
  additionalProperties: false,
}

const personListSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: personListSchema },
  additionalProperties: false,
}

const searchTextSchema = { type: 'string', maxLength: 200, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' }

const peopleOrderSchema = { type: 'string', enum: ['username', 'name', 'status', 'createdAt', 'updatedAt'] }

const sortDirectionSchema = { type: 'string', enum: ['asc', 'desc'] }

const departmentTypeSchema = { type: 'string', enum: ['ou', 'cn'] }

const personGroupSchema = {
  type: 'object',
  required: ['id', 'name', 'type'],
  properties: { id: idSchema, name: { type: 'string' }, type: departmentTypeSchema },
  additionalProperties: false,
}

const personRoleSchema = {
  type: 'object',
  required: ['id', 'name', 'keyword', 'sort', 'status'],
  properties: {
    id: idSchema,
    name: { type: 'string' },
    keyword: { type: 'string' },
    sort: { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
    status: { type: 'string', enum: ['enabled', 'disabled'] },
  },
  additionalProperties: false,
}

const entryCureSchema = {
  type: ['string', 'null'],
  enum: ['wait', 'adopt_orphan', 'change_record', 'configure_directory', null],
}

const entryStateSchema = {
  type: 'object',
  required: ['dn', 'state', 'waitingSince', 'triedAt', 'nextTryAt', 'error', 'stated', 'cure'],
  properties: {
    dn: { type: 'string' },
    state: entrySyncSchema,
    waitingSince: { type: ['string', 'null'], format: 'date-time' },
    triedAt: { type: ['string', 'null'], format: 'date-time' },
    nextTryAt: { type: ['string', 'null'], format: 'date-time' },
    error: { type: ['string', 'null'] },
    stated: statementOrNullSchema,
    cure: entryCureSchema,
  },
  additionalProperties: false,
}

const recordVersionSchema = { type: 'string', maxLength: 32, pattern: '^[0-9a-f]{32}$' }

const personSchema = {
  type: 'object',
  required: [
    'id',
    'username',
    'name',
    'givenName',
    'mail',
    'mobile',
    'jobNumber',
    'position',
    'postalAddress',
    'introduction',
    'avatar',
    'departmentsText',
    'status',
    'groups',
    'roles',
    'source',
    'sourceUserId',
    'sourceUnionId',
    'creator',
    'entry',
    'lastSignInAt',
    'lockedUntil',
    'secondFactor',
    'sessions',
    'createdAt',
    'updatedAt',
    'version',
    'access',
  ],
  properties: {
    id: idSchema,
    username: { type: 'string' },
    name: { type: 'string' },
    givenName: { type: 'string' },
    mail: { type: 'string' },
    mobile: { type: 'string' },
    jobNumber: { type: 'string' },
    position: { type: 'string' },
    postalAddress: { type: 'string' },
    introduction: { type: 'string' },
    avatar: { type: 'string' },
    departmentsText: { type: 'string' },
    status: personStatusSchema,
    groups: { type: 'array', items: personGroupSchema },
    roles: { type: 'array', items: personRoleSchema },
    source: { type: 'string' },
    sourceUserId: { type: 'string' },
    sourceUnionId: { type: 'string' },
    creator: { type: 'string' },
    entry: entryStateSchema,
    lastSignInAt: { type: ['string', 'null'], format: 'date-time' },
    lockedUntil: { type: ['string', 'null'], format: 'date-time' },
    secondFactor: { type: 'boolean' },
    sessions: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    version: recordVersionSchema,
    access: accessSchema,
  },
  additionalProperties: false,
}

const personSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: personSchema },
  additionalProperties: false,
}

const grantedPersonSchema = {
  type: 'object',
  required: ['id', 'username', 'status'],
  properties: { id: idSchema, username: { type: 'string' }, status: personStatusSchema },
  additionalProperties: false,
}

const missingGrantSchema = { type: ['string', 'null'], enum: ['person_disabled', 'role_disabled', 'no_role', null] }

const grantSchema = {
  type: 'object',
  required: [
    'operation',
    'document',
    'method',
    'path',
    'summary',
    'apiId',
    'granted',
    'always',
    'roles',
    'missing',
    'disabledRoles',
    'grantingRoles',
  ],
  properties: {
    operation: { type: 'string' },
    document: { type: 'string' },
    method: { type: 'string' },
    path: { type: 'string' },
    summary: { type: 'string' },
    apiId: { type: ['integer', 'null'], format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
    granted: { type: 'boolean' },
    always: { type: 'boolean' },
    roles: { type: 'array', items: namedRecordSchema },
    missing: missingGrantSchema,
    disabledRoles: { type: 'array', items: namedRecordSchema },
    grantingRoles: { type: 'array', items: namedRecordSchema },
  },
  additionalProperties: false,
}

const grantListSchema = {
  type: 'object',
  required: ['person', 'operations'],
  properties: { person: grantedPersonSchema, operations: { type: 'array', items: grantSchema } },
  additionalProperties: false,
}

const grantListSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: grantListSchema },
  additionalProperties: false,
}

const operationNameSchema = { type: 'string', maxLength: 100, pattern: '^[A-Za-z0-9]*$' }

const entryStateSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: entryStateSchema },
  additionalProperties: false,
}

const changeEffectSchema = {
  type: 'object',
  required: [
    'changed',
    'unchanged',
    'refused',
    'sessionsEnded',
    'membershipsEnded',
    'membershipsAdded',
    'administrators',
  ],
  properties: {
    changed: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    unchanged: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    refused: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    sessionsEnded: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    membershipsEnded: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    membershipsAdded: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    administrators: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
  },
  additionalProperties: false,
}

const personResultSchema = { type: 'string', enum: ['changed', 'unchanged', 'refused'] }

const personChangedSchema = {
  type: 'object',
  required: ['id', 'name', 'result', 'reason', 'params', 'message'],
  properties: {
    id: idSchema,
    name: { type: 'string' },
    result: personResultSchema,
    reason: { type: ['string', 'null'] },
    params: reasonValuesSchema,
    message: { type: ['string', 'null'] },
    stated: statementOrNullSchema,
  },
  additionalProperties: false,
}

const peopleChangedSchema = {
  type: 'object',
  required: ['dryRun', 'effect', 'people'],
  properties: {
    dryRun: { type: 'boolean' },
    effect: changeEffectSchema,
    people: { type: 'array', items: personChangedSchema },
  },
  additionalProperties: false,
}

const peopleChangedSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: peopleChangedSchema },
  additionalProperties: false,
}

const peopleActionSchema = {
  type: 'string',
  enum: ['enable', 'disable', 'move', 'addRoles', 'removeRoles', 'addGroups', 'removeGroups', 'sync', 'delete'],
}

const changePeopleSchema = {
  type: 'object',
  required: ['action', 'ids'],
  properties: {
    action: peopleActionSchema,
    ids: { type: 'array', minItems: 1, maxItems: 1000, items: idSchema },
    roleIds: { type: 'array', minItems: 1, maxItems: 100, items: idSchema },
    groupIds: { type: 'array', minItems: 1, maxItems: 100, items: idSchema },
    from: idSchema,
    to: idSchema,
    dryRun: { type: 'boolean' },
  },
  additionalProperties: false,
}

const departmentStepSchema = {
  type: 'object',
  required: ['id', 'name', 'type'],
  properties: { id: idSchema, name: { type: 'string' }, type: departmentTypeSchema },
  additionalProperties: false,
}

const departmentSchema = {
  type: 'object',
  required: [
    'id',
    'name',
    'type',
    'dn',
    'parent',
    'remark',
    'source',
    'childCount',
    'hasChildren',
    'memberCount',
    'sync',
    'version',
    'attributes',
    'access',
    'path',
  ],
  properties: {
    id: idSchema,
    name: { type: 'string' },
    type: departmentTypeSchema,
    dn: { type: 'string' },
    parent: { type: ['integer', 'null'], format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
    remark: { type: 'string' },
    source: { type: 'string' },
    childCount: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    hasChildren: { type: 'boolean' },
    memberCount: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    sync: syncStateSchema,
    version: recordVersionSchema,
    attributes: shownValuesSchema,
    access: accessSchema,
    path: { type: ['array', 'null'], items: departmentStepSchema },
  },
  additionalProperties: false,
}

const departmentListSchema = {
  type: 'object',
  required: ['total', 'totalIsExact', 'next', 'previous', 'attributes', 'departments'],
  properties: {
    total: cappedTotalSchema,
    totalIsExact: { type: 'boolean' },
    next: cursorTextSchema,
    previous: cursorTextSchema,
    attributes: listedAttributesSchema,
    departments: { type: 'array', items: departmentSchema },
  },
  additionalProperties: false,
}

const departmentListSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: departmentListSchema },
  additionalProperties: false,
}

const departmentSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: departmentSchema },
  additionalProperties: false,
}

const departmentPathSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: { type: 'array', items: departmentStepSchema } },
  additionalProperties: false,
}

const obstacleSchema = {
  type: ['object', 'null'],
  required: ['reason', 'params', 'message'],
  properties: { reason: failureReasonSchema, params: reasonValuesSchema, message: messageSchema },
  additionalProperties: false,
}

const departmentMoveSchema = {
  type: 'object',
  required: ['dryRun', 'departments', 'people', 'obstacle'],
  properties: {
    dryRun: { type: 'boolean' },
    departments: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    people: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    obstacle: obstacleSchema,
  },
  additionalProperties: false,
}

const departmentMoveSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: departmentMoveSchema },
  additionalProperties: false,
}

const moveDepartmentSchema = {
  type: 'object',
  required: ['parent'],
  properties: {
    parent: { type: ['integer', 'null'], format: 'int64', minimum: 1, maximum: 9007199254740991 },
    dryRun: { type: 'boolean' },
    version: recordVersionSchema,
  },
  additionalProperties: false,
}

const attributeKindSchema = { type: 'string', enum: ['user', 'group'] }

const attributeBoundSchema = { type: ['integer', 'null'], minimum: -2147483648, maximum: 2147483647 }

const ownUseSchema = { type: 'string', enum: ['hidden', 'see', 'edit'] }

const attributeRolesSchema = { type: 'array', maxItems: 50, items: idSchema }

const ldapNameSchema = { type: 'string', maxLength: 100, pattern: '^([A-Za-z][A-Za-z0-9-]*)?$' }

const attributeSchema = {
  type: 'object',
  required: [
    'id',
    'kind',
    'name',
    'labels',
    'type',
    'multiple',
    'minimum',
    'maximum',
    'searched',
    'own',
    'seeRoles',
    'editRoles',
    'ldapAttribute',
    'objectClass',
    'creator',
    'createdAt',
    'updatedAt',
    'version',
  ],
  properties: {
    id: { type: 'integer', format: 'int64', minimum: 0, maximum: 9007199254740991 },
    kind: attributeKindSchema,
    name: attributeNameSchema,
    labels: attributeLabelsSchema,
    type: attributeTypeSchema,
    multiple: { type: 'boolean' },
    minimum: attributeBoundSchema,
    maximum: attributeBoundSchema,
    searched: { type: 'boolean' },
    own: ownUseSchema,
    seeRoles: attributeRolesSchema,
    editRoles: attributeRolesSchema,
    ldapAttribute: ldapNameSchema,
    objectClass: ldapNameSchema,
    creator: { type: 'string' },
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    version: recordVersionSchema,
  },
  additionalProperties: false,
}

const attributeListSchema = {
  type: 'object',
  required: ['attributes'],
  properties: { attributes: { type: 'array', items: attributeSchema } },
  additionalProperties: false,
}

const attributeListSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: attributeListSchema },
  additionalProperties: false,
}

const attributeSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: attributeSchema },
  additionalProperties: false,
}

const declareAttributeSchema = {
  type: 'object',
  required: ['kind', 'name', 'labels', 'type'],
  properties: {
    kind: attributeKindSchema,
    name: attributeNameSchema,
    labels: attributeLabelsSchema,
    type: attributeTypeSchema,
    multiple: { type: 'boolean' },
    minimum: attributeBoundSchema,
    maximum: attributeBoundSchema,
    searched: { type: 'boolean' },
    own: ownUseSchema,
    seeRoles: attributeRolesSchema,
    editRoles: attributeRolesSchema,
    ldapAttribute: ldapNameSchema,
    objectClass: ldapNameSchema,
    dryRun: { type: 'boolean' },
  },
  additionalProperties: false,
}

const updateAttributeSchema = {
  type: 'object',
  properties: {
    labels: attributeLabelsSchema,
    minimum: attributeBoundSchema,
    maximum: attributeBoundSchema,
    searched: { type: 'boolean' },
    own: ownUseSchema,
    seeRoles: attributeRolesSchema,
    editRoles: attributeRolesSchema,
    ldapAttribute: ldapNameSchema,
    objectClass: ldapNameSchema,
    version: recordVersionSchema,
  },
  additionalProperties: false,
}

const attributeRemovedSchema = {
  type: 'object',
  required: ['records'],
  properties: { records: { type: 'integer', minimum: 0, maximum: 9007199254740991 } },
  additionalProperties: false,
}

const attributeRemovedSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: attributeRemovedSchema },
  additionalProperties: false,
}

const valuesOfAttributeSchema = {
  type: 'object',
  required: ['name', 'labels', 'type', 'multiple', 'minimum', 'maximum', 'values', 'change'],
  properties: {
    name: attributeNameSchema,
    labels: attributeLabelsSchema,
    type: attributeTypeSchema,
    multiple: { type: 'boolean' },
    minimum: attributeBoundSchema,
    maximum: attributeBoundSchema,
    values: { type: 'array', items: { type: 'string' } },
    change: { type: 'boolean' },
  },
  additionalProperties: false,
}

const attributeValuesSchema = {
  type: 'object',
  required: ['version', 'attributes'],
  properties: { version: recordVersionSchema, attributes: { type: 'array', items: valuesOfAttributeSchema } },
  additionalProperties: false,
}

const attributeValuesSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: attributeValuesSchema },
  additionalProperties: false,
}

const doneSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: { type: 'null' } },
  additionalProperties: false,
}

const attributeValueSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 1000,
  pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
}

const setAttributeValuesSchema = {
  type: 'object',
  required: ['values'],
  properties: {
    values: {
      type: 'object',
      maxProperties: 50,
      additionalProperties: { type: 'array', maxItems: 50, items: attributeValueSchema },
    },
    version: recordVersionSchema,
  },
  additionalProperties: false,
}

const posixAccountsSchema = { type: 'string', enum: ['off', 'groups', 'all'] }

const posixAccountSchema = {
  type: 'object',
  required: ['accounts', 'enabled', 'uidNumber', 'gidNumber', 'homeDirectory', 'loginShell', 'gecos'],
  properties: {
    accounts: posixAccountsSchema,
    enabled: { type: 'boolean' },
    uidNumber: { type: 'string' },
    gidNumber: { type: 'string' },
    homeDirectory: { type: 'string' },
    loginShell: { type: 'string' },
    gecos: { type: 'string' },
  },
  additionalProperties: false,
}

const posixAccountSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: posixAccountSchema },
  additionalProperties: false,
}

const posixNumberSchema = { type: 'integer', format: 'int64', minimum: 500, maximum: 4294967293 }

const setPosixNumberSchema = {
  type: 'object',
  required: ['number'],
  properties: { number: posixNumberSchema },
  additionalProperties: false,
}

const posixGroupSchema = {
  type: 'object',
  required: ['accounts', 'switchedOn', 'enabled', 'gidNumber'],
  properties: {
    accounts: posixAccountsSchema,
    switchedOn: { type: 'boolean' },
    enabled: { type: 'boolean' },
    gidNumber: { type: 'string' },
  },
  additionalProperties: false,
}

const posixGroupSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: posixGroupSchema },
  additionalProperties: false,
}

const setPosixGroupSchema = {
  type: 'object',
  properties: { enabled: { type: 'boolean' }, number: posixNumberSchema },
  additionalProperties: false,
}

const sshKeySchema = {
  type: 'object',
  required: ['name', 'type', 'bits', 'fingerprint', 'addedAt'],
  properties: {
    name: { type: 'string' },
    type: { type: 'string' },
    bits: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    fingerprint: { type: 'string' },
    addedAt: timestampSchema,
  },
  additionalProperties: false,
}

const sshKeyListSchema = {
  type: 'object',
  required: ['keys', 'takesOver'],
  properties: { keys: { type: 'array', items: sshKeySchema }, takesOver: { type: 'boolean' } },
  additionalProperties: false,
}

const sshKeyListSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: sshKeyListSchema },
  additionalProperties: false,
}

const sshKeySuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: sshKeySchema },
  additionalProperties: false,
}

const addSshKeySchema = {
  type: 'object',
  required: ['name', 'key'],
  properties: {
    name: {
      type: 'string',
      minLength: 1,
      maxLength: 60,
      pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
    },
    key: { type: 'string', minLength: 1, maxLength: 8000 },
  },
  additionalProperties: false,
}

const removeSshKeySchema = {
  type: 'object',
  required: ['fingerprint'],
  properties: { fingerprint: { type: 'string', maxLength: 60, pattern: '^SHA256:[A-Za-z0-9+/]*$' } },
  additionalProperties: false,
}

const serviceDirectorySchema = {
  type: ['object', 'null'],
  required: ['embedded', 'url', 'ldapsUrl', 'baseDn'],
  properties: {
    embedded: { type: 'boolean' },
    url: { type: 'string' },
    ldapsUrl: { type: ['string', 'null'] },
    baseDn: { type: 'string' },
  },
  additionalProperties: false,
}

const serviceAccountNameSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$',
}

const serviceAccountTextSchema = {
  type: 'string',
  maxLength: 200,
  pattern: '^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$',
}

const directoryFilterSchema = { type: 'string', maxLength: 1000, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' }

const readsNtHashesSchema = { type: 'boolean' }

const servicePasswordSchema = {
  type: 'object',
  required: ['createdAt', 'expiresAt', 'lastUsedAt'],
  properties: {
    createdAt: timestampSchema,
    expiresAt: { type: ['string', 'null'], format: 'date-time' },
    lastUsedAt: { type: ['string', 'null'], format: 'date-time' },
  },
  additionalProperties: false,
}

const serviceAccountSchema = {
  type: 'object',
  required: [
    'id',
    'name',
    'description',
    'enabled',
    'people',
    'peopleFilter',
    'groups',
    'groupFilter',
    'ntHashes',
    'dn',
    'sync',
    'passwords',
    'lastUsedAt',
    'lastUseKnown',
    'creator',
    'createdAt',
    'updatedAt',
    'version',
  ],
  properties: {
    id: idSchema,
    name: serviceAccountNameSchema,
    description: serviceAccountTextSchema,
    enabled: { type: 'boolean' },
    people: { type: 'boolean' },
    peopleFilter: directoryFilterSchema,
    groups: { type: 'boolean' },
    groupFilter: directoryFilterSchema,
    ntHashes: readsNtHashesSchema,
    dn: { type: 'string' },
    sync: syncStateSchema,
    passwords: { type: 'array', items: servicePasswordSchema },
    lastUsedAt: { type: ['string', 'null'], format: 'date-time' },
    lastUseKnown: { type: 'boolean' },
    creator: { type: 'string' },
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    version: recordVersionSchema,
  },
  additionalProperties: false,
}

const serviceAccountListSchema = {
  type: 'object',
  required: ['directory', 'accounts'],
  properties: { directory: serviceDirectorySchema, accounts: { type: 'array', items: serviceAccountSchema } },
  additionalProperties: false,
}

const serviceAccountListSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: serviceAccountListSchema },
  additionalProperties: false,
}

const newServicePasswordSchema = {
  type: 'object',
  required: ['id', 'dn', 'password'],
  properties: { id: idSchema, dn: { type: 'string' }, password: { type: 'string' } },
  additionalProperties: false,
}

const servicePasswordSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: newServicePasswordSchema },
  additionalProperties: false,
}

const createServiceAccountSchema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: serviceAccountNameSchema,
    description: serviceAccountTextSchema,
    people: { type: 'boolean' },
    peopleFilter: directoryFilterSchema,
    groups: { type: 'boolean' },
    groupFilter: directoryFilterSchema,
    ntHashes: readsNtHashesSchema,
  },
  additionalProperties: false,
}

const serviceAccountSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: serviceAccountSchema },
  additionalProperties: false,
}

const updateServiceAccountSchema = {
  type: 'object',
  properties: {
    version: recordVersionSchema,
    name: serviceAccountNameSchema,
    description: serviceAccountTextSchema,
    people: { type: 'boolean' },
    peopleFilter: directoryFilterSchema,
    groups: { type: 'boolean' },
    groupFilter: directoryFilterSchema,
    ntHashes: readsNtHashesSchema,
    enabled: { type: 'boolean' },
  },
  additionalProperties: false,
}

const serviceAccountRulesSchema = {
  type: 'object',
  required: ['enforced', 'rules', 'ldif'],
  properties: {
    enforced: { type: 'boolean' },
    rules: { type: 'array', items: { type: 'string' } },
    ldif: { type: 'string' },
  },
  additionalProperties: false,
}

const serviceAccountRulesSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: serviceAccountRulesSchema },
  additionalProperties: false,
}

const rotateServicePasswordSchema = {
  type: 'object',
  properties: { keepOld: { type: 'boolean' }, oldUntil: { type: 'string', format: 'date-time', maxLength: 40 } },
  additionalProperties: false,
}

const deviceInFullSchema = {
  type: 'object',
  required: [
    'id',
    'name',
    'type',
    'location',
    'status',
    'battery',
    'lastHeartbeatAt',
    'updatedAt',
    'createdAt',
    'creator',
  ],
  properties: {
    id: idSchema,
    name: { type: 'string' },
    type: { type: 'string' },
    location: { type: 'string' },
    status: { type: 'string', enum: ['online', 'offline'] },
    battery: { type: ['integer', 'null'], minimum: 0, maximum: 100 },
    lastHeartbeatAt: { type: ['string', 'null'], format: 'date-time' },
    updatedAt: { type: 'string', format: 'date-time' },
    createdAt: timestampSchema,
    creator: { type: 'string' },
  },
  additionalProperties: false,
}

const devicePageSchema = {
  type: 'object',
  required: ['total', 'next', 'devices'],
  properties: {
    total: totalSchema,
    next: { type: ['integer', 'null'], format: 'int64', minimum: 1, maximum: 9007199254740991 },
    devices: { type: 'array', items: deviceInFullSchema },
  },
  additionalProperties: false,
}

const devicePageSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: devicePageSchema },
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

const requirementSchema = { type: ['string', 'null'], enum: ['enrolment', null] }

const consoleSessionSchema = {
  type: 'object',
  required: ['user', 'endsAt', 'secure', 'required'],
  properties: {
    user: {
      type: 'object',
      required: ['id', 'username', 'name'],
      properties: { id: idSchema, username: { type: 'string' }, name: { type: 'string' } },
      additionalProperties: false,
    },
    endsAt: { type: 'string', format: 'date-time' },
    secure: { type: 'boolean' },
    required: requirementSchema,
  },
  additionalProperties: false,
}

const consoleSessionSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: consoleSessionSchema },
  additionalProperties: false,
}

const openConsoleSessionSchema = {
  type: 'object',
  required: ['username', 'password'],
  properties: {
    username: { type: 'string', maxLength: 255, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' },
    password: { type: 'string', maxLength: 1024 },
    code: { type: 'string', maxLength: 64, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' },
    newPassword: { type: 'string', maxLength: 1024 },
  },
  additionalProperties: false,
}

const sendSignInCodeSchema = {
  type: 'object',
  required: ['username', 'password'],
  properties: {
    username: { type: 'string', maxLength: 255, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' },
    password: { type: 'string', maxLength: 1024 },
  },
  additionalProperties: false,
}

const setPasswordByLinkSchema = {
  type: 'object',
  required: ['token', 'newPassword'],
  properties: {
    token: { type: 'string', maxLength: 100, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' },
    newPassword: { type: 'string', maxLength: 1024 },
  },
  additionalProperties: false,
}

const languageSchema = { type: 'string', enum: ['', 'zh-CN', 'en'] }

const themeSchema = { type: 'string', enum: ['', 'light', 'dark'] }

const sessionIdSchema = { type: 'string', format: 'uuid', pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }

const meSchema = {
  type: 'object',
  required: [
    'id',
    'username',
    'name',
    'mail',
    'language',
    'theme',
    'roles',
    'rank',
    'secondFactor',
    'mustChangePassword',
    'required',
    'session',
    'version',
  ],
  properties: {
    id: idSchema,
    username: { type: 'string' },
    name: { type: 'string' },
    mail: { type: 'string' },
    language: languageSchema,
    theme: themeSchema,
    roles: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'name', 'keyword', 'sort'],
        properties: {
          id: idSchema,
          name: { type: 'string' },
          keyword: { type: 'string' },
          sort: { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
        },
        additionalProperties: false,
      },
    },
    rank: { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
    secondFactor: { type: 'boolean' },
    mustChangePassword: { type: 'boolean' },
    required: requirementSchema,
    session: {
      type: 'object',
      required: ['id', 'kind', 'secure', 'endsAt'],
      properties: {
        id: sessionIdSchema,
        kind: { type: 'string', enum: ['cookie', 'bearer'] },
        secure: { type: 'boolean' },
        endsAt: { type: 'string', format: 'date-time' },
      },
      additionalProperties: false,
    },
    version: { type: 'string' },
  },
  additionalProperties: false,
}

const meSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: meSchema },
  additionalProperties: false,
}

const updateMeSchema = {
  type: 'object',
  properties: {
    name: {
      type: 'string',
      minLength: 1,
      maxLength: 50,
      pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
    },
    language: languageSchema,
    theme: themeSchema,
  },
  additionalProperties: false,
}

const sendMailProofSchema = {
  type: 'object',
  required: ['mail'],
  properties: {
    mail: {
      type: 'string',
      minLength: 3,
      maxLength: 100,
      pattern: '^[!#-\'*+\\--9=?A-Z^-~]+@[!#-\'*+\\--9=?A-Z^-~]*[!#-\'*+\\-/-9=?A-Z^-~]$',
    },
  },
  additionalProperties: false,
}

const confirmMailSchema = {
  type: 'object',
  required: ['code'],
  properties: { code: { type: 'string', minLength: 6, maxLength: 6, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' } },
  additionalProperties: false,
}

const grantsSchema = {
  type: 'object',
  required: ['operations', 'menus', 'rank'],
  properties: {
    operations: { type: 'array', items: { type: 'string' } },
    menus: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'parentId', 'name', 'title', 'path', 'icon', 'sort'],
        properties: {
          id: idSchema,
          parentId: { type: 'integer', format: 'int64', minimum: 0, maximum: 9007199254740991 },
          name: { type: 'string' },
          title: { type: 'string' },
          path: { type: 'string' },
          icon: { type: 'string' },
          sort: { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
        },
        additionalProperties: false,
      },
    },
    rank: { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
  },
  additionalProperties: false,
}

const grantsSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: grantsSchema },
  additionalProperties: false,
}

const passwordResetSchema = {
  type: 'object',
  required: ['password', 'mail', 'expiresAt'],
  properties: {
    password: { type: ['string', 'null'] },
    mail: { type: ['string', 'null'] },
    expiresAt: { type: ['string', 'null'], format: 'date-time' },
  },
  additionalProperties: false,
}

const passwordResetSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: passwordResetSchema },
  additionalProperties: false,
}

const passwordResetWaySchema = { type: 'string', enum: ['link', 'shown'] }

const resetUserPasswordSchema = {
  type: 'object',
  required: ['way'],
  properties: { way: passwordResetWaySchema },
  additionalProperties: false,
}

const personResetSchema = {
  type: 'object',
  properties: {
    id: idSchema,
    name: { type: 'string' },
    result: personResultSchema,
    reason: { type: ['string', 'null'] },
    params: reasonValuesSchema,
    message: { type: ['string', 'null'] },
    stated: statementOrNullSchema,
    username: { type: 'string' },
    password: { type: ['string', 'null'] },
  },
  required: ['id', 'name', 'result', 'reason', 'params', 'message', 'username', 'password'],
  additionalProperties: false,
}

const passwordsResetSchema = {
  type: 'object',
  required: ['dryRun', 'effect', 'expiresAt', 'people'],
  properties: {
    dryRun: { type: 'boolean' },
    effect: changeEffectSchema,
    expiresAt: { type: ['string', 'null'], format: 'date-time' },
    people: { type: 'array', items: personResetSchema },
  },
  additionalProperties: false,
}

const passwordsResetSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: passwordsResetSchema },
  additionalProperties: false,
}

const resetUserPasswordsSchema = {
  type: 'object',
  required: ['way', 'ids'],
  properties: {
    way: passwordResetWaySchema,
    ids: { type: 'array', minItems: 1, maxItems: 100, items: idSchema },
    dryRun: { type: 'boolean' },
  },
  additionalProperties: false,
}

const unlockedSchema = {
  type: 'object',
  required: ['wasLocked'],
  properties: { wasLocked: { type: 'boolean' } },
  additionalProperties: false,
}

const unlockedSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: unlockedSchema },
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
  required: ['status', 'version'],
  properties: { status: { type: 'string', enum: ['live'] }, version: { type: 'string', maxLength: 100 } },
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

const backupFileSchema = {
  type: 'object',
  required: ['id', 'kind', 'status', 'startedAt', 'finishedAt', 'size', 'encrypted', 'creator', 'error', 'path'],
  properties: {
    id: idSchema,
    kind: { type: 'string', enum: ['auto', 'manual'] },
    status: { type: 'string', enum: ['running', 'success', 'failed'] },
    startedAt: timestampSchema,
    finishedAt: { type: ['string', 'null'], format: 'date-time' },
    size: { type: 'integer', format: 'int64', minimum: 0, maximum: 9007199254740991 },
    encrypted: { type: 'boolean' },
    creator: { type: 'string' },
    error: { type: 'string' },
    path: { type: 'string' },
  },
  additionalProperties: false,
}

const backupPageSchema = {
  type: 'object',
  required: ['total', 'next', 'backups'],
  properties: {
    total: totalSchema,
    next: { type: ['integer', 'null'], format: 'int64', minimum: 1, maximum: 9007199254740991 },
    backups: { type: 'array', items: backupFileSchema },
  },
  additionalProperties: false,
}

const backupPageSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: backupPageSchema },
  additionalProperties: false,
}

const backupContentsSchema = {
  type: 'object',
  required: ['takenAt', 'version', 'encrypted', 'size', 'rows', 'tables'],
  properties: {
    takenAt: timestampSchema,
    version: { type: 'string' },
    encrypted: { type: 'boolean' },
    size: { type: 'integer', format: 'int64', minimum: 0, maximum: 9007199254740991 },
    rows: { type: 'integer', format: 'int64', minimum: 0, maximum: 9007199254740991 },
    tables: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'rows', 'restored'],
        properties: {
          name: { type: 'string' },
          rows: { type: 'integer', format: 'int64', minimum: 0, maximum: 9007199254740991 },
          restored: { type: 'string', enum: ['all', 'some', 'nothing'] },
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
}

const backupContentsSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: backupContentsSchema },
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
      id: 'compareDirectory',
      tag: 'runs',
      group: 'runs',
      summary: 'Compare all people or all groups with the directory',
      method: 'POST',
      path: '/comparisons',
      url: '/comparisons',
      secured: true,
      schema: { body: compareDirectorySchema, response: runSuccessSchema },
    },
    {
      id: 'listDirectories',
      tag: 'runs',
      group: 'runs',
      summary: 'List the directories',
      method: 'GET',
      path: '/directories',
      url: '/directories',
      secured: true,
      schema: { response: directoryListSuccessSchema },
    },
    {
      id: 'listPendingEntries',
      tag: 'runs',
      group: 'runs',
      summary: 'List records that a directory does not show yet',
      method: 'GET',
      path: '/directories/{directory}/pending',
      url: '/directories/:directory/pending',
      secured: true,
      schema: {
        querystring: {
          type: 'object',
          properties: {
            pageNum: { type: 'integer', minimum: 1, maximum: 9007199254740991 },
            pageSize: { type: 'integer', minimum: 1, maximum: 1000 },
            state: pendingStateSchema,
          },
          additionalProperties: false,
        },
        params: {
          type: 'object',
          properties: { directory: { type: 'integer', minimum: 1, maximum: 9 } },
          required: ['directory'],
          additionalProperties: false,
        },
        response: pendingEntryListSuccessSchema,
      },
    },
    {
      id: 'getGroupLayout',
      tag: 'runs',
      group: 'runs',
      summary: 'Show the plan for another layout of groups',
      method: 'GET',
      path: '/directories/{directory}/layout',
      url: '/directories/:directory/layout',
      secured: true,
      schema: {
        querystring: {
          type: 'object',
          properties: {
            pageNum: { type: 'integer', minimum: 1, maximum: 9007199254740991 },
            pageSize: { type: 'integer', minimum: 1, maximum: 1000 },
          },
          additionalProperties: false,
        },
        params: {
          type: 'object',
          properties: { directory: { type: 'integer', minimum: 1, maximum: 9 } },
          required: ['directory'],
          additionalProperties: false,
        },
        response: groupLayoutSuccessSchema,
      },
      rateLimit: { max: 60, window: 60, by: 'address' },
    },
    {
      id: 'changeGroupLayout',
      tag: 'runs',
      group: 'runs',
      summary: 'Change the layout of groups in a directory',
      method: 'POST',
      path: '/directories/{directory}/layout',
      url: '/directories/:directory/layout',
      secured: true,
      schema: {
        body: changeGroupLayoutSchema,
        params: {
          type: 'object',
          properties: { directory: { type: 'integer', minimum: 1, maximum: 9 } },
          required: ['directory'],
          additionalProperties: false,
        },
        response: runSuccessSchema,
      },
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
      summary: 'Confirm a held plan',
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
      summary: 'Discard a held plan',
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
      summary: 'Preview the mapping of some records of a source',
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
      rateLimit: { max: 60, window: 60, by: 'address' },
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
      id: 'listLogEntries',
      tag: 'operationLog',
      group: 'operationLog',
      summary: 'List entries of the operation log',
      method: 'GET',
      path: '/log',
      url: '/log',
      secured: true,
      schema: {
        querystring: {
          type: 'object',
          properties: {
            from: { type: 'string', format: 'date-time' },
            to: { type: 'string', format: 'date-time' },
            user: { type: 'string', maxLength: 255, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' },
            record: {
              type: 'string',
              maxLength: 40,
              pattern: '^(user|group|role|menu|api|fieldRelation|run|backup|alert|device|serviceAccount|attribute|meal):[1-9][0-9]{0,14}$',
            },
            path: { type: 'string', maxLength: 255, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' },
            method: { type: 'string', enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'SEAL'] },
            changes: { type: 'boolean', default: false },
            result: logResultSchema,
            status: { type: 'integer', minimum: 0, maximum: 999 },
            ip: { type: 'string', maxLength: 64, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' },
            q: { type: 'string', maxLength: 200, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' },
            cursor: idSchema,
            limit: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
          },
          additionalProperties: false,
        },
        response: logPageSuccessSchema,
      },
    },
    {
      id: 'exportLog',
      tag: 'operationLog',
      group: 'operationLog',
      summary: 'Export entries of the operation log',
      method: 'GET',
      path: '/log/export',
      url: '/log/export',
      secured: true,
      schema: {
        querystring: {
          type: 'object',
          properties: {
            format: { type: 'string', enum: ['csv', 'ndjson'], default: 'csv' },
            from: { type: 'string', format: 'date-time' },
            to: { type: 'string', format: 'date-time' },
            user: { type: 'string', maxLength: 255, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' },
            record: {
              type: 'string',
              maxLength: 40,
              pattern: '^(user|group|role|menu|api|fieldRelation|run|backup|alert|device|serviceAccount|attribute|meal):[1-9][0-9]{0,14}$',
            },
            path: { type: 'string', maxLength: 255, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' },
            method: { type: 'string', enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'SEAL'] },
            changes: { type: 'boolean', default: false },
            result: logResultSchema,
            status: { type: 'integer', minimum: 0, maximum: 999 },
            ip: { type: 'string', maxLength: 64, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' },
            q: { type: 'string', maxLength: 200, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' },
          },
          additionalProperties: false,
        },
        response: {},
      },
      media: ['text/csv', 'application/x-ndjson'],
      rateLimit: { max: 20, window: 60, by: 'user' },
    },
    {
      id: 'getLogChain',
      tag: 'operationLog',
      group: 'operationLog',
      summary: 'Show the state of the operation log\'s chain',
      method: 'GET',
      path: '/log/chain',
      url: '/log/chain',
      secured: true,
      schema: { response: logChainSuccessSchema },
    },
    {
      id: 'verifyLog',
      tag: 'operationLog',
      group: 'operationLog',
      summary: 'Verify the operation log',
      method: 'POST',
      path: '/log/verify',
      url: '/log/verify',
      secured: true,
      schema: { response: workSuccessSchema },
    },
    {
      id: 'getLogEntry',
      tag: 'operationLog',
      group: 'operationLog',
      summary: 'Show an entry of the operation log',
      method: 'GET',
      path: '/log/{id}',
      url: '/log/:id',
      secured: true,
      schema: {
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: logEntrySuccessSchema,
      },
    },
    {
      id: 'watchProgress',
      tag: 'progress',
      group: 'progress',
      summary: 'Watch the progress of long work',
      method: 'GET',
      path: '/progress',
      url: '/progress',
      secured: true,
      schema: {
        querystring: {
          type: 'object',
          properties: { kind: workKindSchema, id: idSchema },
          additionalProperties: false,
        },
        response: {},
      },
      media: ['text/event-stream'],
      rateLimit: { max: 120, window: 60, by: 'user' },
    },
    {
      id: 'getProgress',
      tag: 'progress',
      group: 'progress',
      summary: 'Show the progress of long work',
      method: 'GET',
      path: '/progress/snapshot',
      url: '/progress/snapshot',
      secured: true,
      schema: {
        querystring: {
          type: 'object',
          properties: { kind: workKindSchema, id: idSchema },
          additionalProperties: false,
        },
        response: progressSuccessSchema,
      },
    },
    {
      id: 'watchNotices',
      tag: 'notices',
      group: 'notices',
      summary: 'Watch what is urgent',
      method: 'GET',
      path: '/notices',
      url: '/notices',
      secured: true,
      schema: { response: {} },
      media: ['text/event-stream'],
      rateLimit: { max: 120, window: 60, by: 'user' },
    },
    {
      id: 'listNotices',
      tag: 'notices',
      group: 'notices',
      summary: 'List what is urgent',
      method: 'GET',
      path: '/notices/snapshot',
      url: '/notices/snapshot',
      secured: true,
      schema: { response: noticeListSuccessSchema },
    },
    {
      id: 'getOverview',
      tag: 'overview',
      group: 'overview',
      summary: 'Show the overview',
      method: 'GET',
      path: '/overview',
      url: '/overview',
      secured: true,
      schema: { response: overviewSuccessSchema },
    },
    {
      id: 'listFirstSteps',
      tag: 'overview',
      group: 'overview',
      summary: 'List the first steps of an installation',
      method: 'GET',
      path: '/first-steps',
      url: '/first-steps',
      secured: true,
      schema: { response: firstStepsSuccessSchema },
    },
    {
      id: 'getScore',
      tag: 'overview',
      group: 'overview',
      summary: 'Show the score with its deductions',
      method: 'GET',
      path: '/score',
      url: '/score',
      secured: true,
      schema: { response: scoreSuccessSchema },
    },
    {
      id: 'searchAlerts',
      tag: 'alerts',
      group: 'alerts',
      summary: 'Search alerts',
      method: 'GET',
      path: '/alerts',
      url: '/alerts',
      secured: true,
      schema: {
        querystring: {
          type: 'object',
          properties: {
            handled: { type: 'boolean' },
            level: alertLevelSchema,
            from: { type: 'string', format: 'date-time' },
            to: { type: 'string', format: 'date-time' },
            cursor: idSchema,
            limit: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
          },
          additionalProperties: false,
        },
        response: alertPageSuccessSchema,
      },
    },
    {
      id: 'handleAlerts',
      tag: 'alerts',
      group: 'alerts',
      summary: 'Mark alerts as handled',
      method: 'POST',
      path: '/alerts/handle',
      url: '/alerts/handle',
      secured: true,
      schema: { body: handleAlertsSchema, response: handledAlertsSuccessSchema },
    },
    {
      id: 'searchFoods',
      tag: 'catalogue',
      group: 'catalogue',
      summary: 'Search foods',
      method: 'GET',
      path: '/foods',
      url: '/foods',
      secured: true,
      schema: {
        querystring: {
          type: 'object',
          properties: {
            q: { type: 'string', maxLength: 100, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' },
            without: { type: 'array', maxItems: 14, items: allergenSchema },
            pageNum: { type: 'integer', minimum: 1, maximum: 9007199254740991, default: 1 },
            pageSize: { type: 'integer', minimum: 1, maximum: 200, default: 20 },
          },
          additionalProperties: false,
        },
        response: foodListSuccessSchema,
      },
    },
    {
      id: 'searchRecipes',
      tag: 'catalogue',
      group: 'catalogue',
      summary: 'Search recipes',
      method: 'GET',
      path: '/recipes',
      url: '/recipes',
      secured: true,
      schema: {
        querystring: {
          type: 'object',
          properties: {
            q: { type: 'string', maxLength: 100, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' },
            without: { type: 'array', maxItems: 14, items: allergenSchema },
            maxCalories: { type: 'number', minimum: 0, maximum: 100000 },
            pageNum: { type: 'integer', minimum: 1, maximum: 9007199254740991, default: 1 },
            pageSize: { type: 'integer', minimum: 1, maximum: 200, default: 20 },
          },
          additionalProperties: false,
        },
        response: recipeListSuccessSchema,
      },
    },
    {
      id: 'listDietDays',
      tag: 'planner',
      group: 'planner',
      summary: 'List the planned days',
      method: 'GET',
      path: '/diet/days',
      url: '/diet/days',
      secured: true,
      schema: {
        querystring: {
          type: 'object',
          properties: { from: calendarDateSchema, days: { type: 'integer', minimum: 1, maximum: 100, default: 7 } },
          additionalProperties: false,
        },
        response: dietDaysSuccessSchema,
      },
    },
    {
      id: 'previewDietDay',
      tag: 'planner',
      group: 'planner',
      summary: 'Preview the figures of a day',
      method: 'POST',
      path: '/diet/previews',
      url: '/diet/previews',
      secured: true,
      schema: { body: previewDietDaySchema, response: dietPreviewSuccessSchema },
      rateLimit: { max: 240, window: 60, by: 'user' },
    },
    {
      id: 'explainAllergy',
      tag: 'planner',
      group: 'planner',
      summary: 'Explain what an allergy refuses',
      method: 'GET',
      path: '/diet/allergies',
      url: '/diet/allergies',
      secured: true,
      schema: {
        querystring: {
          type: 'object',
          properties: {
            word: {
              type: 'string',
              minLength: 1,
              maxLength: 50,
              pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
            },
          },
          required: ['word'],
          additionalProperties: false,
        },
        response: allergySuccessSchema,
      },
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
      summary: 'Preview adopting or ignoring orphan entries',
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
      summary: 'Adopt orphan entries',
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
      summary: 'Ignore orphan entries',
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
      summary: 'Stop ignoring orphan entries',
      method: 'POST',
      path: '/orphans/heed',
      url: '/orphans/heed',
      secured: true,
      schema: { body: heedOrphansSchema, response: orphansChangedSuccessSchema },
    },
    {
      id: 'listPeople',
      tag: 'people',
      group: 'people',
      summary: 'List people',
      method: 'GET',
      path: '/people',
      url: '/people',
      secured: true,
      schema: {
        querystring: {
          type: 'object',
          properties: {
            q: searchTextSchema,
            sort: peopleOrderSchema,
            order: sortDirectionSchema,
            role: idSchema,
            status: personStatusSchema,
            source: { type: 'string', maxLength: 50, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' },
            sync: entrySyncSchema,
            department: idSchema,
            subtree: { type: 'boolean' },
            attribute: {
              type: 'string',
              maxLength: 300,
              pattern: '^([A-Za-z][A-Za-z0-9]*=[^\\u0000-\\u001F\\u007F-\\u009F]*)?$',
            },
            show: { type: 'string', maxLength: 700, pattern: '^([A-Za-z][A-Za-z0-9]*(,[A-Za-z][A-Za-z0-9]*){0,9})?$' },
            cursor: { type: 'string', minLength: 1, maxLength: 2000, pattern: '^[A-Za-z0-9_-]+$' },
            limit: { type: 'integer', minimum: 1, maximum: 200 },
          },
          additionalProperties: false,
        },
        response: personListSuccessSchema,
      },
    },
    {
      id: 'getPerson',
      tag: 'people',
      group: 'people',
      summary: 'Show a person',
      method: 'GET',
      path: '/people/{id}',
      url: '/people/:id',
      secured: true,
      schema: {
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: personSuccessSchema,
      },
    },
    {
      id: 'explainGrant',
      tag: 'permissions',
      group: 'permissions',
      summary: 'Explain why a person may call an operation',
      method: 'GET',
      path: '/people/{id}/why',
      url: '/people/:id/why',
      secured: true,
      schema: {
        querystring: { type: 'object', properties: { operation: operationNameSchema }, additionalProperties: false },
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: grantListSuccessSchema,
      },
    },
    {
      id: 'retryPerson',
      tag: 'people',
      group: 'people',
      summary: 'Retry the directory entry of a person',
      method: 'POST',
      path: '/people/{id}/sync',
      url: '/people/:id/sync',
      secured: true,
      schema: {
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: entryStateSuccessSchema,
      },
    },
    {
      id: 'changePeople',
      tag: 'people',
      group: 'people',
      summary: 'Change many people',
      method: 'POST',
      path: '/people/bulk',
      url: '/people/bulk',
      secured: true,
      schema: { body: changePeopleSchema, response: peopleChangedSuccessSchema },
    },
    {
      id: 'listDepartments',
      tag: 'departments',
      group: 'departments',
      summary: 'List departments and groups',
      method: 'GET',
      path: '/departments',
      url: '/departments',
      secured: true,
      schema: {
        querystring: {
          type: 'object',
          properties: {
            parent: idSchema,
            q: searchTextSchema,
            attribute: {
              type: 'string',
              maxLength: 300,
              pattern: '^([A-Za-z][A-Za-z0-9]*=[^\\u0000-\\u001F\\u007F-\\u009F]*)?$',
            },
            show: { type: 'string', maxLength: 700, pattern: '^([A-Za-z][A-Za-z0-9]*(,[A-Za-z][A-Za-z0-9]*){0,9})?$' },
            cursor: { type: 'string', minLength: 1, maxLength: 2000, pattern: '^[A-Za-z0-9_-]+$' },
            limit: { type: 'integer', minimum: 1, maximum: 200 },
          },
          additionalProperties: false,
        },
        response: departmentListSuccessSchema,
      },
    },
    {
      id: 'getDepartment',
      tag: 'departments',
      group: 'departments',
      summary: 'Show a department or group',
      method: 'GET',
      path: '/departments/{id}',
      url: '/departments/:id',
      secured: true,
      schema: {
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: departmentSuccessSchema,
      },
    },
    {
      id: 'getDepartmentPath',
      tag: 'departments',
      group: 'departments',
      summary: 'Show the path of a department',
      method: 'GET',
      path: '/departments/{id}/path',
      url: '/departments/:id/path',
      secured: true,
      schema: {
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: departmentPathSuccessSchema,
      },
    },
    {
      id: 'moveDepartment',
      tag: 'departments',
      group: 'departments',
      summary: 'Move a department',
      method: 'POST',
      path: '/departments/{id}/move',
      url: '/departments/:id/move',
      secured: true,
      schema: {
        body: moveDepartmentSchema,
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: departmentMoveSuccessSchema,
      },
    },
    {
      id: 'listMembers',
      tag: 'departments',
      group: 'departments',
      summary: 'List the members of a department',
      method: 'GET',
      path: '/departments/{id}/members',
      url: '/departments/:id/members',
      secured: true,
      schema: {
        querystring: {
          type: 'object',
          properties: {
            member: { type: 'boolean' },
            q: searchTextSchema,
            sort: peopleOrderSchema,
            order: sortDirectionSchema,
            cursor: { type: 'string', minLength: 1, maxLength: 2000, pattern: '^[A-Za-z0-9_-]+$' },
            limit: { type: 'integer', minimum: 1, maximum: 200 },
          },
          additionalProperties: false,
        },
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: personListSuccessSchema,
      },
    },
    {
      id: 'retryDepartment',
      tag: 'departments',
      group: 'departments',
      summary: 'Retry the directory entry of a department',
      method: 'POST',
      path: '/departments/{id}/sync',
      url: '/departments/:id/sync',
      secured: true,
      schema: {
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: entryStateSuccessSchema,
      },
    },
    {
      id: 'listAttributes',
      tag: 'attributes',
      group: 'attributes',
      summary: 'List the declared attributes',
      method: 'GET',
      path: '/attributes',
      url: '/attributes',
      secured: true,
      schema: { response: attributeListSuccessSchema },
    },
    {
      id: 'declareAttribute',
      tag: 'attributes',
      group: 'attributes',
      summary: 'Declare an attribute',
      method: 'POST',
      path: '/attributes',
      url: '/attributes',
      secured: true,
      schema: { body: declareAttributeSchema, response: attributeSuccessSchema },
    },
    {
      id: 'updateAttribute',
      tag: 'attributes',
      group: 'attributes',
      summary: 'Change an attribute',
      method: 'PUT',
      path: '/attributes/{id}',
      url: '/attributes/:id',
      secured: true,
      schema: {
        body: updateAttributeSchema,
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: attributeSuccessSchema,
      },
    },
    {
      id: 'removeAttribute',
      tag: 'attributes',
      group: 'attributes',
      summary: 'Remove an attribute',
      method: 'DELETE',
      path: '/attributes/{id}',
      url: '/attributes/:id',
      secured: true,
      schema: {
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: attributeRemovedSuccessSchema,
      },
    },
    {
      id: 'getPersonAttributes',
      tag: 'people',
      group: 'people',
      summary: 'Show the declared attributes of a person',
      method: 'GET',
      path: '/people/{id}/attributes',
      url: '/people/:id/attributes',
      secured: true,
      schema: {
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: attributeValuesSuccessSchema,
      },
    },
    {
      id: 'setPersonAttributes',
      tag: 'people',
      group: 'people',
      summary: 'Change declared attributes of a person',
      method: 'PUT',
      path: '/people/{id}/attributes',
      url: '/people/:id/attributes',
      secured: true,
      schema: {
        body: setAttributeValuesSchema,
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: doneSuccessSchema,
      },
    },
    {
      id: 'getDepartmentAttributes',
      tag: 'departments',
      group: 'departments',
      summary: 'Show the declared attributes of a department',
      method: 'GET',
      path: '/departments/{id}/attributes',
      url: '/departments/:id/attributes',
      secured: true,
      schema: {
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: attributeValuesSuccessSchema,
      },
    },
    {
      id: 'setDepartmentAttributes',
      tag: 'departments',
      group: 'departments',
      summary: 'Change declared attributes of a department',
      method: 'PUT',
      path: '/departments/{id}/attributes',
      url: '/departments/:id/attributes',
      secured: true,
      schema: {
        body: setAttributeValuesSchema,
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: doneSuccessSchema,
      },
    },
    {
      id: 'getPersonPosix',
      tag: 'people',
      group: 'people',
      summary: 'Show the POSIX account of a person',
      method: 'GET',
      path: '/people/{id}/posix',
      url: '/people/:id/posix',
      secured: true,
      schema: {
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: posixAccountSuccessSchema,
      },
    },
    {
      id: 'setPersonPosix',
      tag: 'people',
      group: 'people',
      summary: 'Set the POSIX number of a person',
      method: 'PUT',
      path: '/people/{id}/posix',
      url: '/people/:id/posix',
      secured: true,
      schema: {
        body: setPosixNumberSchema,
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: doneSuccessSchema,
      },
    },
    {
      id: 'getDepartmentPosix',
      tag: 'departments',
      group: 'departments',
      summary: 'Show the POSIX group of a department',
      method: 'GET',
      path: '/departments/{id}/posix',
      url: '/departments/:id/posix',
      secured: true,
      schema: {
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: posixGroupSuccessSchema,
      },
    },
    {
      id: 'setDepartmentPosix',
      tag: 'departments',
      group: 'departments',
      summary: 'Switch a POSIX group on or off',
      method: 'PUT',
      path: '/departments/{id}/posix',
      url: '/departments/:id/posix',
      secured: true,
      schema: {
        body: setPosixGroupSchema,
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: doneSuccessSchema,
      },
    },
    {
      id: 'listPersonSshKeys',
      tag: 'people',
      group: 'people',
      summary: 'List the SSH keys of a person',
      method: 'GET',
      path: '/people/{id}/ssh-keys',
      url: '/people/:id/ssh-keys',
      secured: true,
      schema: {
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: sshKeyListSuccessSchema,
      },
    },
    {
      id: 'addPersonSshKey',
      tag: 'people',
      group: 'people',
      summary: 'Add an SSH key to a person',
      method: 'POST',
      path: '/people/{id}/ssh-keys',
      url: '/people/:id/ssh-keys',
      secured: true,
      schema: {
        body: addSshKeySchema,
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: sshKeySuccessSchema,
      },
    },
    {
      id: 'removePersonSshKey',
      tag: 'people',
      group: 'people',
      summary: 'Remove an SSH key of a person',
      method: 'POST',
      path: '/people/{id}/ssh-keys/remove',
      url: '/people/:id/ssh-keys/remove',
      secured: true,
      schema: {
        body: removeSshKeySchema,
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: doneSuccessSchema,
      },
    },
    {
      id: 'listRoleHolders',
      tag: 'permissions',
      group: 'permissions',
      summary: 'List the people who have a role',
      method: 'GET',
      path: '/roles/{id}/holders',
      url: '/roles/:id/holders',
      secured: true,
      schema: {
        querystring: {
          type: 'object',
          properties: {
            q: searchTextSchema,
            sort: peopleOrderSchema,
            order: sortDirectionSchema,
            cursor: { type: 'string', minLength: 1, maxLength: 2000, pattern: '^[A-Za-z0-9_-]+$' },
            limit: { type: 'integer', minimum: 1, maximum: 200 },
          },
          additionalProperties: false,
        },
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: personListSuccessSchema,
      },
    },
    {
      id: 'listApiHolders',
      tag: 'permissions',
      group: 'permissions',
      summary: 'List the people whose roles grant an API entry',
      method: 'GET',
      path: '/apis/{id}/holders',
      url: '/apis/:id/holders',
      secured: true,
      schema: {
        querystring: {
          type: 'object',
          properties: {
            q: searchTextSchema,
            sort: peopleOrderSchema,
            order: sortDirectionSchema,
            cursor: { type: 'string', minLength: 1, maxLength: 2000, pattern: '^[A-Za-z0-9_-]+$' },
            limit: { type: 'integer', minimum: 1, maximum: 200 },
          },
          additionalProperties: false,
        },
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: personListSuccessSchema,
      },
    },
    {
      id: 'listServiceAccounts',
      tag: 'serviceAccounts',
      group: 'serviceAccounts',
      summary: 'List the service accounts',
      method: 'GET',
      path: '/service-accounts',
      url: '/service-accounts',
      secured: true,
      schema: { response: serviceAccountListSuccessSchema },
    },
    {
      id: 'createServiceAccount',
      tag: 'serviceAccounts',
      group: 'serviceAccounts',
      summary: 'Create a service account',
      method: 'POST',
      path: '/service-accounts',
      url: '/service-accounts',
      secured: true,
      schema: { body: createServiceAccountSchema, response: servicePasswordSuccessSchema },
      rateLimit: { max: 60, window: 60, by: 'user' },
    },
    {
      id: 'updateServiceAccount',
      tag: 'serviceAccounts',
      group: 'serviceAccounts',
      summary: 'Change a service account',
      method: 'PUT',
      path: '/service-accounts/{id}',
      url: '/service-accounts/:id',
      secured: true,
      schema: {
        body: updateServiceAccountSchema,
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: serviceAccountSuccessSchema,
      },
    },
    {
      id: 'removeServiceAccount',
      tag: 'serviceAccounts',
      group: 'serviceAccounts',
      summary: 'Delete a service account',
      method: 'DELETE',
      path: '/service-accounts/{id}',
      url: '/service-accounts/:id',
      secured: true,
      schema: {
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: doneSuccessSchema,
      },
    },
    {
      id: 'getServiceAccountRules',
      tag: 'serviceAccounts',
      group: 'serviceAccounts',
      summary: 'Show the access rules of a service account',
      method: 'GET',
      path: '/service-accounts/{id}/access-rules',
      url: '/service-accounts/:id/access-rules',
      secured: true,
      schema: {
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: serviceAccountRulesSuccessSchema,
      },
    },
    {
      id: 'rotateServicePassword',
      tag: 'serviceAccounts',
      group: 'serviceAccounts',
      summary: 'Give a service account a new password',
      method: 'POST',
      path: '/service-accounts/{id}/password',
      url: '/service-accounts/:id/password',
      secured: true,
      schema: {
        body: rotateServicePasswordSchema,
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: servicePasswordSuccessSchema,
      },
      rateLimit: { max: 60, window: 60, by: 'user' },
    },
    {
      id: 'endOldServicePassword',
      tag: 'serviceAccounts',
      group: 'serviceAccounts',
      summary: 'End the old password of a service account',
      method: 'DELETE',
      path: '/service-accounts/{id}/old-password',
      url: '/service-accounts/:id/old-password',
      secured: true,
      schema: {
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: doneSuccessSchema,
      },
    },
    {
      id: 'listDevicesInFull',
      tag: 'devices',
      group: 'devices',
      summary: 'List devices with all that is known',
      method: 'GET',
      path: '/devices',
      url: '/devices',
      secured: true,
      schema: {
        querystring: {
          type: 'object',
          properties: { cursor: idSchema, limit: { type: 'integer', minimum: 1, maximum: 200, default: 50 } },
          additionalProperties: false,
        },
        response: devicePageSuccessSchema,
      },
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
      summary: 'Change the name or the location of a device',
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
      summary: 'Send a heartbeat',
      method: 'POST',
      path: '/devices/heartbeat',
      url: '/devices/heartbeat',
      secured: false,
      schema: { body: heartbeatSchema, response: heardDeviceSuccessSchema },
      rateLimit: { max: 600, window: 60, by: 'address' },
    },
    {
      id: 'openConsoleSession',
      tag: 'console',
      group: 'console',
      summary: 'Sign in to the web console',
      method: 'POST',
      path: '/console/session',
      url: '/console/session',
      secured: false,
      schema: { body: openConsoleSessionSchema, response: consoleSessionSuccessSchema },
      rateLimit: { max: 60, window: 60, by: 'address' },
    },
    {
      id: 'closeConsoleSession',
      tag: 'console',
      group: 'console',
      summary: 'Sign out of the web console',
      method: 'DELETE',
      path: '/console/session',
      url: '/console/session',
      secured: false,
      schema: { response: doneSuccessSchema },
    },
    {
      id: 'sendSignInCode',
      tag: 'console',
      group: 'console',
      summary: 'Mail a code for the sign-in',
      method: 'POST',
      path: '/console/session/code',
      url: '/console/session/code',
      secured: false,
      schema: { body: sendSignInCodeSchema, response: doneSuccessSchema },
      rateLimit: { max: 10, window: 60, by: 'address' },
    },
    {
      id: 'setPasswordByLink',
      tag: 'console',
      group: 'console',
      summary: 'Set a password with a mailed link',
      method: 'POST',
      path: '/console/password',
      url: '/console/password',
      secured: false,
      schema: { body: setPasswordByLinkSchema, response: doneSuccessSchema },
      rateLimit: { max: 20, window: 60, by: 'address' },
    },
    {
      id: 'getMe',
      tag: 'me',
      group: 'me',
      summary: 'Show your own profile',
      method: 'GET',
      path: '/me',
      url: '/me',
      secured: true,
      schema: { response: meSuccessSchema },
    },
    {
      id: 'updateMe',
      tag: 'me',
      group: 'me',
      summary: 'Change your own profile',
      method: 'PUT',
      path: '/me',
      url: '/me',
      secured: true,
      schema: { body: updateMeSchema, response: doneSuccessSchema },
    },
    {
      id: 'sendMailProof',
      tag: 'me',
      group: 'me',
      summary: 'Mail a code to your new mail address',
      method: 'POST',
      path: '/me/mail',
      url: '/me/mail',
      secured: true,
      schema: { body: sendMailProofSchema, response: doneSuccessSchema },
      rateLimit: { max: 20, window: 60, by: 'address' },
    },
    {
      id: 'confirmMail',
      tag: 'me',
      group: 'me',
      summary: 'Confirm your new mail address',
      method: 'POST',
      path: '/me/mail/confirm',
      url: '/me/mail/confirm',
      secured: true,
      schema: { body: confirmMailSchema, response: doneSuccessSchema },
    },
    {
      id: 'getMyAttributes',
      tag: 'me',
      group: 'me',
      summary: 'Show your own declared attributes',
      method: 'GET',
      path: '/me/attributes',
      url: '/me/attributes',
      secured: true,
      schema: { response: attributeValuesSuccessSchema },
    },
    {
      id: 'setMyAttributes',
      tag: 'me',
      group: 'me',
      summary: 'Change your own declared attributes',
      method: 'PUT',
      path: '/me/attributes',
      url: '/me/attributes',
      secured: true,
      schema: { body: setAttributeValuesSchema, response: doneSuccessSchema },
    },
    {
      id: 'listMySshKeys',
      tag: 'me',
      group: 'me',
      summary: 'List your own SSH keys',
      method: 'GET',
      path: '/me/ssh-keys',
      url: '/me/ssh-keys',
      secured: true,
      schema: { response: sshKeyListSuccessSchema },
    },
    {
      id: 'addMySshKey',
      tag: 'me',
      group: 'me',
      summary: 'Add an SSH key of your own',
      method: 'POST',
      path: '/me/ssh-keys',
      url: '/me/ssh-keys',
      secured: true,
      schema: { body: addSshKeySchema, response: sshKeySuccessSchema },
    },
    {
      id: 'removeMySshKey',
      tag: 'me',
      group: 'me',
      summary: 'Remove an SSH key of your own',
      method: 'POST',
      path: '/me/ssh-keys/remove',
      url: '/me/ssh-keys/remove',
      secured: true,
      schema: { body: removeSshKeySchema, response: doneSuccessSchema },
    },
    {
      id: 'getMyGrants',
      tag: 'me',
      group: 'me',
      summary: 'Show what you may do',
      method: 'GET',
      path: '/me/grants',
      url: '/me/grants',
      secured: true,
      schema: { response: grantsSuccessSchema },
    },
    {
      id: 'resetUserPassword',
      tag: 'accounts',
      group: 'accounts',
      summary: 'Reset a user\'s password',
      method: 'POST',
      path: '/users/{id}/password-reset',
      url: '/users/:id/password-reset',
      secured: true,
      schema: {
        body: resetUserPasswordSchema,
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: passwordResetSuccessSchema,
      },
    },
    {
      id: 'resetUserPasswords',
      tag: 'accounts',
      group: 'accounts',
      summary: 'Reset the passwords of many users',
      method: 'POST',
      path: '/users/password-resets',
      url: '/users/password-resets',
      secured: true,
      schema: { body: resetUserPasswordsSchema, response: passwordsResetSuccessSchema },
    },
    {
      id: 'unlockUser',
      tag: 'accounts',
      group: 'accounts',
      summary: 'Unlock a user\'s account',
      method: 'POST',
      path: '/users/{id}/unlock',
      url: '/users/:id/unlock',
      secured: true,
      schema: {
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: unlockedSuccessSchema,
      },
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
      summary: 'Remove your authenticator app',
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
      summary: 'Confirm an authenticator app with its first code',
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
      summary: 'Mail a code for the step-up',
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
      summary: 'Check that the process runs',
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
      summary: 'Check that the service is ready for requests',
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
      media: ['text/html'],
      rateLimit: { max: 60, window: 60, by: 'address' },
    },
    {
      id: 'listBackupFiles',
      tag: 'backupFiles',
      group: 'backupFiles',
      summary: 'List backups with all that is known',
      method: 'GET',
      path: '/backups',
      url: '/backups',
      secured: true,
      schema: {
        querystring: {
          type: 'object',
          properties: { cursor: idSchema, limit: { type: 'integer', minimum: 1, maximum: 200, default: 50 } },
          additionalProperties: false,
        },
        response: backupPageSuccessSchema,
      },
    },
    {
      id: 'deleteBackup',
      tag: 'backupFiles',
      group: 'backupFiles',
      summary: 'Delete a backup',
      method: 'DELETE',
      path: '/backups/{id}',
      url: '/backups/:id',
      secured: true,
      schema: {
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: doneSuccessSchema,
      },
    },
    {
      id: 'getBackupContents',
      tag: 'backupFiles',
      group: 'backupFiles',
      summary: 'Verify a backup and show what it contains',
      method: 'GET',
      path: '/backups/{id}/contents',
      url: '/backups/:id/contents',
      secured: true,
      schema: {
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: backupContentsSuccessSchema,
      },
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
      media: ['application/octet-stream'],
    },
  ],
}
