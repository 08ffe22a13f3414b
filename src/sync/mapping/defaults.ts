import type { MappedGroupField, MappedUserField } from '../../db/tables/fields.ts'
import type { Connector } from '../../sources/source.ts'
import type { posixNumberField } from './fields.ts'

interface Relations {
  users: Readonly<Partial<Record<MappedUserField | typeof posixNumberField, string>>>
  groups: Readonly<Partial<Record<MappedGroupField | typeof posixNumberField, string>>>
}

/**
 * The default field relations of a connector, with the platforms' names of fields. A username comes from one field
 * alone: with a second one as a fallback, all users would be renamed on the day an app loses the permission to read the
 * first. (A directory that has `sAMAccountName` always has it.)
 */
export const defaultRelations: Readonly<Record<Connector, Relations>> = {
  dingtalk: {
    users: {
      username: 'userid',
      nickname: 'name',
      mail: 'org_email ?? email',
      mobile: 'mobile',
      jobNumber: 'job_number',
      avatar: 'avatar',
      introduction: 'remark',
      position: 'title',
      postalAddress: 'work_place',
    },
    groups: { groupName: 'name' },
  },
  feishu: {
    users: {
      username: 'user_id',
      nickname: 'name',
      mail: 'enterprise_email ?? email',
      mobile: 'mobile',
      jobNumber: 'employee_no',
      avatar: 'avatar.avatar_240',
      position: 'job_title',
      postalAddress: 'work_station',
    },
    groups: { groupName: 'name' },
  },
  wecom: {
    users: {
      username: 'userid',
      nickname: 'name',
      mail: 'biz_mail ?? email',
      mobile: 'mobile',
      avatar: 'avatar',
      position: 'position',
      postalAddress: 'address',
    },
    groups: { groupName: 'name' },
  },
  ldap: {
    users: {
      username: 'sAMAccountName ?? uid[0]',
      nickname: 'displayName ?? cn[0]',
      givenName: 'givenName[0]',
      mail: 'mail[0]',
      mobile: 'mobile[0]',
      jobNumber: 'employeeNumber ?? employeeID',
      introduction: 'description[0]',
      position: 'title[0]',
      postalAddress: 'postalAddress[0] ?? streetAddress',
      departments: 'join(departmentNumber ?? department, ", ")',
      posixNumber: 'uidNumber',
    },
    groups: { groupName: 'cn[0] ?? ou[0]', remark: 'description[0]', posixNumber: 'gidNumber' },
  },
}
