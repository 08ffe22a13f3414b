// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/updateFieldRelation.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  id: { type: 'integer', required: true, minimum: 1, maximum: 9007199254740991, format: 'int64' },
  flag: {
    type: 'text',
    required: true,
    minLength: 1,
    maxLength: 20,
    help: 'The source and the kind of record: `exta_user`, `exta_group`, and the same for `extb`, `extc` and `extldap`. Unique. A field relation with any other flag has no effect.',
  },
  attributes: {
    type: 'object',
    required: true,
    help: 'A field in Steward → an expression over the record of the source. For people: `username` (required), `nickname`, `givenName`, `mail`, `mobile`, `jobNumber`, `avatar`, `introduction`, `position`, `postalAddress`, `departments`. For groups: `groupName` (required), `remark`. For both: `posixNumber`, the number of a POSIX account or group, which a record that has one keeps. Any other field, or a text that is not an expression, is 400. Only the source decides what identifies a record: `sourceUserId`, `sourceUnionId`, `sourceDeptId` and `sourceDeptParentId` are stored and have no effect, and `msg` says so. | Expression | Value | |---|---| | `name`, `avatar.avatar_240`, `extattr.attrs[0].value`, `extension["cost center"]` | The value of this field of the record. `[0]` also accepts a value that is not a list | | `"text"`, `\'text\'` | The text; `\\"`, `\\\'`, `\\\\`, `\\n` and `\\t` have their usual meaning | | `a ?? b` | `a`; `b` if `a` is absent or empty | | `lower(a)`, `trim(a)` | In lower case; without spaces around it | | `before(a, "@")` | The part before the first `@`; the whole text if it has no `@` | | `pinyin(a)` | A Chinese name in Latin letters: 张三 becomes `zhangsan`. Other characters are kept | | `join(a, ",")` | The values of a list with a comma between them; empty values are left out | Numbers and booleans become text. A field that is absent from the record of the source keeps its value in Steward; a field that is empty there becomes empty. Spaces around a mail address or a mobile number are removed, and a text with only spaces is empty. A value that a field cannot hold (too long, a list, an object, control characters, not a mail address) is left out and reported. A record without a username or group name is reported and not imported.',
  },
} as const satisfies Record<string, FormField>

export const updateFieldRelation: Form<'updateFieldRelation', typeof fields> = { operation: 'updateFieldRelation', fields, validate: validate as Validator }
