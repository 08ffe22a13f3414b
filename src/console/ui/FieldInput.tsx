import { PasswordInput, Select, Switch, TagsInput, Textarea, TextInput } from '@mantine/core'
import { useLanguage } from '../app/language.tsx'
import { usePageTexts } from '../app/page-texts.ts'
import type { FormField } from '../generated/form.ts'
import type { InputProps, ValueTexts, Widget } from './form-layout.ts'

interface FieldInputProps {
  field: FormField
  widget: Widget | undefined
  name: string
  label: string
  value: unknown
  onChange(value: unknown): void
  error?: string
  disabled: boolean
  /** Where the focus goes when the form opens in a drawer. */
  first?: boolean
  /** It may be empty, though it is sent. */
  optional?: boolean
  /** The contract's description does not help here. */
  unexplained?: boolean
  /** The page's own description, in the chosen language. */
  help?: string | undefined
  errorOf?: InputProps['errorOf']
}

/** Of people: a keyboard on the screen begins their words with capital letters. */
const names = new Set(['nickname', 'givenName'])

/** A field's input: its widget, or what fits its type. */
export const FieldInput = ({
  field,
  widget,
  name,
  label,
  value,
  onChange,
  error,
  disabled,
  first = false,
  optional = false,
  unexplained = false,
  help = undefined,
  errorOf,
}: FieldInputProps) => {
  const { language } = useLanguage()
  const description = help ?? (language === 'en' && !unexplained ? field.help : undefined)
  const common: InputProps = {
    value,
    onChange,
    label,
    ...(description !== undefined && { description: plain(description) }),
    ...(error !== undefined && { error }),
    required: !optional && needsValue(field),
    disabled,
  }
  if (typeof widget === 'object' && 'input' in widget) return widget.input({ ...common, ...(errorOf && { errorOf }) })
  const { value: _value, onChange: _onChange, ...shared } = common
  if (typeof widget === 'object') return <NamedChoice field={field} texts={widget} {...common} />
  if (field.values !== undefined) return <Choice field={field} {...common} />
  if (field.type === 'boolean' || widget === 'switch') {
    return <OnOff {...common} />
  }
  if (field.type === 'integer' || field.type === 'number') {
    return (
      <TextInput
        {...shared}
        value={typeof value === 'number' || typeof value === 'string' ? String(value) : ''}
        onChange={(event) => onChange(numberIn(event.currentTarget.value))}
        inputMode={field.type === 'number' ? 'decimal' : 'numeric'}
      />
    )
  }
  if (field.type === 'list') {
    return <TagsInput {...shared} value={(value as string[] | undefined) ?? []} onChange={onChange} />
  }
  const text = { ...shared, value: typeof value === 'string' ? value : '' }
  if (widget === 'password' || widget === 'new-password') {
    return (
      <PasswordInput
        {...text}
        onChange={(event) => onChange(event.currentTarget.value)}
        autoComplete={widget === 'password' ? 'current-password' : 'new-password'}
      />
    )
  }
  if (widget === 'textarea') {
    return <Textarea {...text} autosize minRows={2} onChange={(event) => onChange(event.currentTarget.value)} />
  }
  return (
    <TextInput
      {...text}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...(names.has(name) && { autoCapitalize: 'words' as const })}
      data-name={name}
      data-autofocus={first || undefined}
      {...(name === 'mail' && { inputMode: 'email' as const })}
      {...(name === 'mobile' && { inputMode: 'tel' as const })}
    />
  )
}

const OnOff = ({ value, onChange, required: _, ...shared }: InputProps) => (
  <Switch {...shared} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
)

interface ChoiceProps extends InputProps {
  field: FormField
  names?: Readonly<Record<string, string>>
}

/** One of the values that the contract allows. */
const Choice = ({ field, names = {}, value, onChange, ...shared }: ChoiceProps) => (
  <Select
    {...shared}
    data={(field.values ?? []).map((each) => ({ value: String(each), label: names[String(each)] ?? String(each) }))}
    value={value === undefined || value === null ? null : String(value)}
    onChange={(chosen) => onChange(chosen === null ? undefined : field.type === 'text' ? chosen : Number(chosen))}
    allowDeselect={field.required !== true}
    comboboxProps={{ shadow: 'md' }}
  />
)

const NamedChoice = ({ texts, ...props }: ChoiceProps & { texts: ValueTexts }) => (
  <Choice {...props} names={texts.of(usePageTexts(texts.area))} />
)

/** The number that was typed; other text stays as it was typed, and the form says so. */
const numberIn = (typed: string): number | string | undefined => {
  const text = typed.trim()
  if (text === '') return undefined
  const number = Number(text)
  return Number.isFinite(number) && String(number) === text ? number : typed
}

/** A list that is sent may be empty, if nothing else is said. */
const needsValue = ({ required, type, minItems = 0, minLength = 1 }: FormField): boolean =>
  required === true && (type === 'list' ? minItems > 0 : minLength > 0)

/** A description without the marks of Markdown. */
const plain = (text: string): string => text.replaceAll('`', '')
