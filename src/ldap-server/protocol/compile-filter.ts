import { BerWriter } from 'ldapts'
import { parseFilter } from '../../ldap/filter-text.ts'
import { BerReader } from './ber.ts'
import { decodeFilter, type Filter } from './filter.ts'

/**
 * A filter in the form in which searches are answered.
 * @throws FilterSyntaxError with the character, or LdapError for one with too many parts
 */
export const compileFilter = (text: string): Filter => {
  const writer = new BerWriter()
  parseFilter(text).write(writer)
  return decodeFilter(new BerReader(writer.buffer))
}
