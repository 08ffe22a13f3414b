import { createHash } from 'node:crypto'
import { rootDepartmentId } from './organisation-data.ts'

/** The ids Feishu gives to what the organisation calls by its own. */
const opaque = (prefix: string, id: string): string => `${prefix}${createHash('md5').update(id).digest('hex')}`

export const openDepartmentId = (id: string): string => (id === rootDepartmentId ? '0' : opaque('od-', id))

export const departmentIdTypes = ['open_department_id', 'department_id'] as const
export type DepartmentIdType = (typeof departmentIdTypes)[number]

export const userIdTypes = ['open_id', 'union_id', 'user_id'] as const
export type UserIdType = (typeof userIdTypes)[number]

/** A department by the type of id that was asked for; the root is 0 in each. */
export const departmentIdAs = (id: string, type: DepartmentIdType): string =>
  type === 'open_department_id' ? openDepartmentId(id) : id === rootDepartmentId ? '0' : id

export const openId = (personId: string): string => opaque('ou_', personId)

export const unionIdOf = (unionId: string): string => opaque('on_', unionId)
