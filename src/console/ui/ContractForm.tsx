import { Alert, Button, Group, SimpleGrid, Stack } from '@mantine/core'
import { type FormEvent, type ReactNode, type RefObject, useRef, useState } from 'react'
import { type Body, Failure } from '../app/api.ts'
import { fieldName, problemText, useFailureText } from '../app/failures.ts'
import type { FieldProblem } from '../app/field-problem.ts'
import { type Locale, useLanguage, useTexts } from '../app/language.tsx'
import { useStillShown } from '../app/queries.ts'
import type { OperationId } from '../generated/calls.ts'
import type { Form, FormField } from '../generated/form.ts'
import { FieldInput } from './FieldInput.tsx'
import { findingsOf } from './findings.ts'
import type { Layout } from './form-layout.ts'
import { notifyFailure } from './notify.tsx'
import { useUnsaved } from './use-unsaved.ts'

export type Values = Record<string, unknown>

/** Thrown by a form's `submit` that was not done because the caller said no: the form stays as it is, and says nothing. */
export class Declined extends Error {}

export interface ContractFormProps<Id extends OperationId, Answer> {
  form: Form<Id, Record<string, FormField>>
  layout: Layout
  /** What the fields hold at first; those that the page gives are sent as they are. */
  initial?: Values
  /**
   * Does it, and does not lead away from the form: until it is done, a caller who leaves is asked, as the result would be said
   * nowhere. A Failure stays in the form, with what was typed.
   */
  submit(body: Body<Id>): Promise<Answer>
  /** What follows when it is done, such as the way to what was made. */
  onDone?(answer: Answer, body: Body<Id>): void
  submitText?: string
  /** The page has a form that matters more. */
  secondary?: boolean
  onCancel?: () => void
  /**
   * Sends what was changed, and what the operation requires. A record that was imported with a value that no form would
   * take can then be saved all the same.
   */
  changedOnly?: boolean
  /** Fields that cannot be changed here. */
  locked?: readonly string[]
  /** Nothing can be saved: shows the fields alone. */
  readOnly?: boolean
  /** The focus goes to the first field when the form opens in a drawer: for a new record. */
  focusFirst?: boolean
  /** Names for fields that are called otherwise here. */
  labels?: Readonly<Record<string, string>>
  /** What the page says of fields, in the chosen language, instead of the contract's description. */
  helps?: Readonly<Record<string, string>>
  children?: ReactNode
}

const topOf = (field: string): string => field.split('.')[0] ?? field

/**
 * The form of an operation as the contract has it: bounds, choices and help are the contract's. What was typed survives every
 * refusal, and what is wrong stands at its field.
 */
export const ContractForm = <Id extends OperationId, Answer>({
  form,
  layout,
  initial = {},
  submit,
  onDone,
  submitText,
  secondary = false,
  onCancel,
  changedOnly = false,
  locked = [],
  readOnly = false,
  focusFirst = false,
  labels = {},
  helps = {},
  children,
}: ContractFormProps<Id, Answer>) => {
  const locale = useLanguage()
  const { texts } = locale
  const failureText = useFailureText()
  const [values, setValues] = useState<Values>(initial)
  const [problems, setProblems] = useState<readonly FieldProblem[]>([])
  const [failure, setFailure] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const [dirty, setDirty] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  const done = useRef(false)

  useUnsaved(() => !done.current, dirty || busy, undefined, busy ? 'underWay' : 'unsaved')
  const stillShown = useStillShown()

  const wholeFailure = failure instanceof Failure && failure.fields.length === 0 ? failure : null
  const needless = layout.needless?.(values) ?? []
  const names = layout.shown.flat().filter((name) => !needless.includes(name))
  const showProblems = (found: readonly FieldProblem[]): void => {
    setProblems(found)
    const first = names.find((name) => found.some(({ field }) => topOf(field) === name))
    const exact = found.find(({ field }) => topOf(field) === first)?.field
    focusAt(element, [exact, first])
  }
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    event.stopPropagation()
    if (busy) return
    setFailure(null)
    const sent = toSend(without(values, needless), form.fields, initial, changedOnly)
    if (!form.validate(sent)) return showProblems(findingsOf(form.validate.errors ?? []))
    setProblems([])
    setBusy(true)
    done.current = false
    try {
      // The validator is that of the body.
      const body = sent as Body<Id>
      const answer = await submit(body)
      done.current = true
      setDirty(false)
      if (stillShown()) onDone?.(answer, body)
    } catch (error) {
      if (error instanceof Declined) return
      if (!(error instanceof Failure)) throw error
      if (!stillShown()) return notifyFailure(failureText(error))
      setFailure(error)
      if (error.fields.length > 0) showProblems(error.fields)
    } finally {
      setBusy(false)
    }
  }
  // A problem of a field that the form does not show would otherwise be nowhere.
  const elsewhere = problems.filter(({ field }) => !names.includes(topOf(field)))
  const labelOf = (name: string): string => labels[name] ?? fieldName(locale, name)
  const inputOf = (name: string): ReactNode => {
    const field = form.fields[name]
    if (field === undefined || needless.includes(name)) return null
    const problem = problems.find((each) => topOf(each.field) === name)
    return (
      <div key={name} data-field={name}>
        <FieldInput
          field={field}
          widget={layout.widgets?.[name]}
          name={name}
          label={labelOf(name)}
          value={values[name]}
          onChange={(value) => {
            done.current = false
            setDirty(true)
            setValues((before) => ({ ...before, [name]: value }))
            setProblems((before) => before.filter((each) => topOf(each.field) !== name))
          }}
          {...(problem !== undefined && { error: problemText(locale, problem) })}
          disabled={busy || readOnly || locked.includes(name)}
          first={focusFirst && name === names[0]}
          optional={layout.optional?.includes(name) ?? false}
          unexplained={layout.unexplained?.includes(name) ?? false}
          help={helps[name]}
          errorOf={(part) => textAt(locale, problems, `${name}.${part}`)}
        />
      </div>
    )
  }
  return (
    <form ref={element} onSubmit={(event) => void send(event)} noValidate>
      <Stack gap="sm">
        {layout.shown.map((row) => {
          if (typeof row === 'string') return inputOf(row)
          // A row without a field would be a gap.
          if (row.every((name) => needless.includes(name))) return null
          return (
            <SimpleGrid key={row.join()} cols={{ base: 1, xs: row.length }} spacing="sm" style={{ alignItems: 'end' }}>
              {row.map(inputOf)}
            </SimpleGrid>
          )
        })}
        {children}
        {(wholeFailure !== null || problems.length > 0) && (
          <Alert
            color="red"
            p="xs"
            role="alert"
            title={
              wholeFailure === null
                ? texts.failures.fieldsAtFault(new Set(problems.map(({ field }) => field)).size)
                : texts.failures.notSaved
            }
          >
            {wholeFailure !== null && failureText(wholeFailure)}
            {elsewhere.map((problem) => (
              <div key={problem.field}>{texts.named(labelOf(problem.field), problemText(locale, problem))}</div>
            ))}
          </Alert>
        )}
        {!readOnly && (
          <Buttons text={submitText ?? texts.actions.save} secondary={secondary} busy={busy} onCancel={onCancel} />
        )}
      </Stack>
    </form>
  )
}

interface ButtonsProps {
  text: string
  secondary: boolean
  busy: boolean
  onCancel: (() => void) | undefined
}

const Buttons = ({ text, secondary, busy, onCancel }: ButtonsProps) => {
  const { actions } = useTexts()
  return (
    <Group justify="flex-end" gap="sm">
      {onCancel !== undefined && (
        <Button variant="default" onClick={onCancel}>
          {actions.cancel}
        </Button>
      )}
      <Button type="submit" loading={busy} {...(secondary && { variant: 'default' })}>
        {text}
      </Button>
    </Group>
  )
}

/** What the focus can go to: not the cross at a value of several, nor what only holds a value. */
const reachable = ':is(input:not([type=hidden]), textarea, button):not([aria-hidden=true])'

/** The focus goes to the first of these fields that there is. */
const focusAt = (form: RefObject<HTMLFormElement | null>, fields: readonly (string | undefined)[]): void => {
  requestAnimationFrame(() => {
    const inputs = fields.map((field) =>
      form.current?.querySelector<HTMLElement>(`[data-field="${field}"] ${reachable}`),
    )
    inputs.find((input) => input)?.focus()
  })
}

/** What is wrong at exactly this place. */
const textAt = (locale: Locale, problems: readonly FieldProblem[], field: string): string | undefined => {
  const problem = problems.find((each) => each.field === field)
  return problem && problemText(locale, problem)
}

const without = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))

const isNothing = (value: unknown): boolean => value === undefined || value === null

/** An optional field that was left empty from the start is not sent: the service's own value stands. */
const toSend = (
  values: Values,
  fields: Readonly<Record<string, FormField>>,
  initial: Values,
  changedOnly: boolean,
): Values =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { required, type, nullable }]): [string, unknown][] => {
      const value = values[name]
      if (changedOnly && !required && value === initial[name]) return []
      const isEmpty = isNothing(value) || value === ''
      if (isEmpty && required && type === 'text') return [[name, '']]
      if (isEmpty && required && type === 'list') return [[name, []]]
      if (nullable && isEmpty && !isNothing(initial[name])) return [[name, null]]
      if (value === undefined || (isEmpty && initial[name] === undefined)) return []
      return [[name, value]]
    }),
  )
