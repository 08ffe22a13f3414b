import { statementsOf } from '../failures/statement-table.ts'

/** Why the directory cannot show a declared attribute in the place that was asked for. */
export const statements = statementsOf('people', {
  class_without_attribute: 'an object class needs an attribute',
  attribute_missing: 'its schema has no such attribute',
  class_missing: 'its schema has no such class',
  server_writes: 'only the server writes it',
  one_value: 'it has one value only',
  other_syntax: 'its syntax {syntax} is not for the type {type}',
  needs_class: 'the attribute is not allowed by {classes}: name an auxiliary class that allows it',
  not_auxiliary: 'it is not an auxiliary class',
  not_allowed: 'it does not allow the attribute',
  requires_others: 'it requires other attributes too: {attributes}',
})
