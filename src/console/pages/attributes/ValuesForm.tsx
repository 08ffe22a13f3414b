import { Select, TagsInput, TextInput } from '@mantine/core'
import { type Body, type Data, Failure } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import type { Form, FormField } from '../../generated/form.ts'
import { setPersonAttributes } from '../../generated/forms/setPersonAttributes.ts'
import { ContractForm, type Values } from '../../ui/ContractForm.tsx'
import type { InputProps, Layout } from '../../ui/form-layout.ts'
import { useBoundsOf, useLabelOf } from './attribute.ts'

export type Found = Data<'getPersonAttributes'>
export type ValuesOf = Found['attributes'][number]
export type SetValues = Body<'setPersonAttributes'>['values']

const listOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(String) : typeof value === 'string' && value.trim() !== '' ? [value] : []

/** Each attribute is a field of its own; the service says which value is wrong. */
const formOf = (attributes: readonly ValuesOf[]): Form<'setPersonAttributes', Record<string, FormField>> => ({
  ...setPersonAttributes,
  fields: Object.fromEntries(
    attributes.map(({ name, multiple }): [string, FormField] => [name, { type: multiple ? 'list' : 'text' }]),
  ),
  validate: () => true,
})

const layoutOf = (attributes: readonly ValuesOf[]): Layout => ({
  shown: attributes.map(({ name }) => name),
  widgets: Object.fromEntries(
    attributes.map((attribute) => [
      attribute.name,
      { input: (props: InputProps) => <ValueInput attribute={attribute} {...props} /> },
    ]),
  ),
})

/** The service names `values.costCentre`, or `values.costCentre.0`; the form has `costCentre`. */
const atFields = (error: unknown): unknown => {
  if (!(error instanceof Failure) || error.fields.length === 0) return error
  const { message, code, reason, params, requestId, retryAfter } = error
  const data = error.fields.map((each) => ({ ...each, field: each.field.replace(/^values\./, '') }))
  return new Failure(message, { code, reason, params, requestId, retryAfter, data, cause: error })
}

interface ValuesFormProps {
  attributes: readonly ValuesOf[]
  /** Saves what was changed. @throws Failure */
  save(values: SetValues): Promise<void>
}

/** The declared attributes of a record that the caller may change. */
export const ValuesForm = ({ attributes, save }: ValuesFormProps) => {
  const { attributes: texts } = usePageTexts('attributes')
  const labelOf = useLabelOf()
  const boundsOf = useBoundsOf()
  const helpOf = (attribute: ValuesOf): string => {
    const { type, multiple } = attribute
    const form = multiple && type === 'date' ? texts.dates : multiple && type === 'boolean' ? texts.yesOrNo : ''
    return [boundsOf(attribute), form, multiple ? texts.oneAfterAnother : ''].filter((each) => each !== '').join(' · ')
  }
  const helps = attributes.map((each) => [each.name, helpOf(each)] as const).filter(([, help]) => help !== '')
  const initial: Values = Object.fromEntries(
    attributes.map(({ name, multiple, values }) => [name, multiple ? values : (values[0] ?? '')]),
  )
  return (
    <ContractForm
      form={formOf(attributes)}
      layout={layoutOf(attributes)}
      initial={initial}
      labels={Object.fromEntries(attributes.map((each) => [each.name, labelOf(each)]))}
      helps={Object.fromEntries(helps)}
      changedOnly
      secondary
      submitText={texts.save}
      submit={async (body) => {
        const values = Object.fromEntries(Object.entries(body).map(([name, value]) => [name, listOf(value)]))
        try {
          await save(values)
        } catch (error) {
          throw atFields(error)
        }
      }}
    />
  )
}

/** What fits the type of an attribute. */
const ValueInput = ({ attribute, value, onChange, errorOf: _, ...shared }: InputProps & { attribute: ValuesOf }) => {
  const { attributes: texts, status } = usePageTexts('attributes')
  const { type, multiple } = attribute
  if (multiple) {
    return (
      // A value may have a comma.
      <TagsInput {...shared} splitChars={[]} maxTags={50} value={listOf(value)} onChange={onChange} />
    )
  }
  if (type === 'boolean') {
    const data = [
      { value: '', label: texts.none },
      { value: 'true', label: status.yes },
      { value: 'false', label: status.no },
    ]
    return (
      <Select
        {...shared}
        data={data}
        value={String(value ?? '')}
        onChange={(chosen) => onChange(chosen ?? '')}
        allowDeselect={false}
        comboboxProps={{ shadow: 'md' }}
      />
    )
  }
  return (
    <TextInput
      {...shared}
      type={type === 'date' ? 'date' : 'text'}
      {...(type === 'integer' && { inputMode: 'numeric' as const })}
      {...(type === 'date' && { min: '1000-01-01', max: '9999-12-31' })}
      value={String(value ?? '')}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="off"
    />
  )
}
