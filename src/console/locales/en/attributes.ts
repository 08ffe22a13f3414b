import { counted } from './common.ts'

type Bound = number | null

const between = (least: Bound, most: Bound): string => {
  if (least !== null && most !== null) return least === most ? `${least}` : `${least} to ${most}`
  return least !== null ? `At least ${least}` : most !== null ? `At most ${most}` : ''
}

/** The texts of declared attributes: their page, and their values in records. */
export const attributes = {
  label: 'Declared attributes',
  filter: 'Attribute',
  filterValue: (label: string) => `Value of ${label}`,
  anyValue: 'Any value',
  help: 'Fields of your own for people and groups. Forms, lists, the search, field relations, backups and the directory follow without a restart.',
  highestOnly: 'Only a role of rank 1 may declare, change and remove attributes.',
  declare: 'Declare an attribute',
  submit: 'Declare',
  empty: 'No attributes declared',
  emptyHelp: 'Declare what your organisation needs beside the fields that are there, such as a cost centre.',
  kinds: { user: 'People', group: 'Groups' },
  types: { text: 'Text', integer: 'Whole number', boolean: 'Yes or no', date: 'Date' },
  several: (type: string) => `${type}, several`,
  typeLabel: 'Type of the values',
  owns: { hidden: 'Do not see it', see: 'See it', edit: 'See and change it' },
  ownsShort: { hidden: 'hidden', see: 'seen', edit: 'changed' },
  columns: {
    label: 'Label',
    kind: 'Of',
    type: 'Type',
    bounds: 'Bounds',
    own: 'Own',
    seen: 'Seen by',
    changed: 'Changed by',
    source: 'From source',
    directory: 'Directory',
  },
  everyone: 'all',
  roles: (count: number) => counted(count, 'role', 'roles'),
  characters: (least: Bound, most: Bound) => {
    const bounds = between(least, most)
    return bounds === '' ? '' : `${bounds} ${bounds === '1' ? 'character' : 'characters'}`
  },
  numbers: between,
  size: (bounds: string) => `${bounds} chars`,
  helps: {
    name: 'Requests, filters and field relations use it: a small letter, then letters and digits. It cannot be changed later.',
    type: 'It cannot be changed later.',
    multiple: 'Up to 50 values. It cannot be changed later.',
    minimum: 'Of the number, or of the characters of the text',
    maximum: 'Empty: no bound',
    searched: 'The search of the lists finds its values, from three characters on.',
    own: 'What people may do with their own values',
    seeRoles: 'Empty: everyone who may see the record. Rank 1 always may.',
    editRoles: 'Empty: everyone who may change the record. Rank 1 always may.',
    ldapAttribute: 'A name in the schema of the directory, such as roomNumber. Empty: the directory does not show it.',
    objectClass: 'Allows the LDAP attribute, where the classes of the entry do not.',
  },
  english: 'Label in English',
  chinese: 'Label in Chinese',
  moves:
    'With another LDAP attribute or class, what Steward wrote moves there. Values that are stored stay outside of new bounds until they are changed.',
  declared: (name: string) => `${name} is declared.`,
  changed: (name: string) => `${name} is changed.`,
  created: 'Declared',
  updated: 'Changed',
  by: 'Declared by',
  name: 'Name in requests',
  remove: 'Remove the attribute',
  removeValues: (label: string, people: number | null) =>
    people === null
      ? `All values of “${label}” are deleted.`
      : people === 0
        ? `No person has a value of “${label}”.`
        : `The values of “${label}” are deleted: ${counted(people, 'person has', 'people have')} one.`,
  removeEntries: (name: string) =>
    `Entries of the directory lose what Steward wrote to ${name}. What other programs wrote stays.`,
  removeSources: (sources: string) => `It leaves the field relations: ${sources}.`,
  removeFinal: 'This cannot be undone.',
  removed: (label: string, records: number) =>
    `${label} is removed. ${counted(records, 'record', 'records')} had a value.`,
  title: 'Further attributes',
  saved: 'The attributes are saved.',
  save: 'Save the attributes',
  none: 'No value',
  oneAfterAnother: 'Enter adds a value.',
  dates: 'Such as 2026-11-23',
  yesOrNo: 'true or false',
}
