/** Records of tables that are not empty. */
interface Known {
  groupId: number
  userId: number
  runId: number
  roleId: number
  apiId: number
}

type Inputs = Readonly<Record<string, { path?: object; query?: Record<string, string | number> }>>

/** Inputs for the operations by GET that require one. */
export const listInputs = ({ groupId, userId, runId, roleId, apiId }: Known): Inputs => ({
  encryptPassword: { query: { passwd: 'a text' } },
  decryptPassword: { query: { passwd: 'a text' } },
  listUsersInGroup: { query: { groupId } },
  listUsersNotInGroup: { query: { groupId } },
  getRoleApis: { query: { roleId } },
  getRoleMenus: { query: { roleId } },
  getAccessMenuTree: { query: { id: userId } },
  getPlan: { path: { date: new Date().toISOString().slice(0, 10) } },
  getRun: { path: { id: runId } },
  listRunChanges: { path: { id: runId } },
  getLogEntry: { path: { id: 10_000_001 } },
  listUserSessions: { path: { id: userId } },
  getPerson: { path: { id: userId } },
  explainGrant: { path: { id: userId } },
  getPersonAttributes: { path: { id: userId } },
  getDepartmentAttributes: { path: { id: groupId } },
  getPersonPosix: { path: { id: userId } },
  getDepartmentPosix: { path: { id: groupId } },
  listPersonSshKeys: { path: { id: userId } },
  getGroupLayout: { path: { directory: 1 } },
  listPendingEntries: { path: { directory: 1 } },
  getServiceAccountRules: { path: { id: 1 } },
  getDepartment: { path: { id: groupId } },
  getDepartmentPath: { path: { id: groupId } },
  listMembers: { path: { id: groupId } },
  listRoleHolders: { path: { id: roleId } },
  listApiHolders: { path: { id: apiId } },
  explainAllergy: { query: { word: 'peanuts' } },
  showReport: { path: { id: 1 }, query: { expires: 1, signature: 'x' } },
  downloadBackup: { path: { id: 1 } },
  getBackupContents: { path: { id: 1 } },
})

/** Operations that may refuse, because what they need is not there. */
export const mayRefuse =
  /^(decryptPassword|getGroupLayout|listPendingEntries|getServiceAccountRules|showReport|downloadBackup|getBackupContents)$/
