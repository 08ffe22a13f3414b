import { rootDepartmentId } from './organisation-data.ts'

/**
 * A department as DingTalk and WeCom number it.
 * @throws Error when this is no number a department can have: 1 is the root
 */
export const departmentNumber = (id: string): number => {
  if (id === rootDepartmentId) return 1
  const number = Number(id)
  if (!Number.isSafeInteger(number) || number < 2) throw new Error(`Departments are numbered from 2 on here; not ${id}`)
  return number
}
