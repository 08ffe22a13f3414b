import { NumberInput, PasswordInput, Select, Switch, TagsInput, Textarea, TextInput } from '@mantine/core'
import { useLanguage } from '../app/language.tsx'
import type { FormField } from '../generated/form.ts'
import type { InputProps, Widget } from './form-layout.ts'

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
}

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
}: FieldInputProps) => {
  const { texts, language } = useLanguage()
  const help = language === 'en' && !unexplained ? field.help : undefined
  const common: InputProps = {
    value,
    onChange,
    label,
    ...(help !== undefined && { description: plain(help) }),
    ...(error !== undefined && { error }),
    required: !optional && needsValue(field),
    disabled,
  }
  if (typeof widget === 'object') return widget.input(common)
  const { value: _value, onChange: _onChange, ...shared } = common
  const values = typeof widget === 'function' ? widget(texts) : undefined
  if (values !== undefined || field.values !== undefined) {
    const options = (field.values ?? []).map((each) => ({
      value: String(each),
      label: values?.[String(each)] ?? String(each),
    }))
    return (
      <Select
        {...shared}
        data={options}
        value={value === undefined || value === null ? null : String(value)}
        onChange={(chosen) => onChange(chosen === null ? undefined : field.type === 'text' ? chosen : Number(chosen))}
        allowDeselect={field.required !== true}
        comboboxProps={{ shadow: 'md' }}
      />
    )
  }
  if (field.type === 'boolean' || widget === 'switch') {
    return (
      <Switch
        label={label}
        description={shared.description}
        error={error}
        disabled={disabled}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    )
  }
  if (field.type === 'integer' || field.type === 'number') {
    return (
      <NumberInput
        {...shared}
        value={typeof value === 'number' ? value : ''}
        onChange={(entered) => onChange(typeof entered === 'number' ? entered : undefined)}
        allowDecimal={field.type === 'number'}
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
      autoComplete="off"
      data-name={name}
      data-autofocus={first || undefined}
      {...(name === 'mail' && { inputMode: 'email' as const })}
      {...(name === 'mobile' && { inputMode: 'tel' as const })}
    />
  )
}

/** A list that is sent may be empty, if nothing else is said. */
const needsValue = ({ required, type, minItems = 0, minLength = 1 }: FormField): boolean =>
  required === true && (type === 'list' ? minItems > 0 : minLength > 0)

/** A description without the marks of Markdown. */
const plain = (text: string): string => text.replaceAll('`', '')
