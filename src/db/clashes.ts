import { fieldError } from '../errors.ts'
import { conflictOn } from './constraint.ts'

/** The unique constraints, and the field whose value was taken already. */
const fields: Readonly<Record<string, string>> = {
  users_username_key: 'username',
  users_mail_key: 'mail',
  users_mobile_key: 'mobile',
  users_job_number_key: 'jobNumber',
  users_source_key: 'source',
  groups_name_key: 'groupName',
  roles_name_key: 'name',
  roles_keyword_key: 'keyword',
  menus_name_key: 'name',
  api_entries_operation_key: 'path',
  field_relations_flag_key: 'flag',
  devices_name_key: 'name',
}

/** Turns the database's refusal of a value that is taken into a conflict that names the field. */
export const refusingClashes = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    const field = fields[conflictOn(error) ?? '']
    if (field === undefined) throw error
    throw fieldError('conflict', field, 'is taken already')
  }
}
