import { declareAttribute } from '../generated/forms/declareAttribute.ts'
import { updateAttribute } from '../generated/forms/updateAttribute.ts'
import { LabelsInput } from '../pages/attributes/LabelsInput.tsx'
import { type InputProps, layoutOf, valuesIn } from '../ui/form-layout.ts'
import { RolePicker } from '../ui/RolePicker.tsx'

const roles = {
  input: ({ value, errorOf: _, ...props }: InputProps) => (
    <RolePicker {...props} value={Array.isArray(value) ? value : []} />
  ),
}

const widgets = {
  labels: { input: (props: InputProps) => <LabelsInput {...props} /> },
  own: valuesIn('attributes', ({ attributes }) => attributes.owns),
  seeRoles: roles,
  editRoles: roles,
}

type Sense = 'minimum' | 'maximum' | 'own' | 'objectClass'

/** Bounds are of texts and numbers, own values of people, and a class is named for an LDAP attribute. */
const needless = (values: Readonly<Record<string, unknown>>): Sense[] => [
  ...(values.type === 'boolean' || values.type === 'date' ? (['minimum', 'maximum'] as const) : []),
  ...(values.kind === 'group' ? (['own'] as const) : []),
  ...(values.ldapAttribute || values.objectClass ? [] : (['objectClass'] as const)),
]

const rest = [
  ['minimum', 'maximum'],
  'searched',
  'own',
  'seeRoles',
  'editRoles',
  'ldapAttribute',
  'objectClass',
] as const

export const declareLayout = layoutOf(declareAttribute)({
  shown: ['labels', 'name', ['kind', 'type'], 'multiple', ...rest],
  widgets: {
    ...widgets,
    kind: valuesIn('attributes', ({ attributes }) => attributes.kinds),
    type: valuesIn('attributes', ({ attributes }) => attributes.types),
  },
  unexplained: ['kind', 'labels'],
  needless,
})

export const changeLayout = layoutOf(updateAttribute)({
  shown: ['labels', ...rest],
  widgets,
  unexplained: ['labels'],
  needless,
})
