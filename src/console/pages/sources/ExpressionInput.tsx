import { ActionIcon, Combobox, TextInput, useCombobox } from '@mantine/core'
import { useRef, useState } from 'react'
import { usePageTexts } from '../../app/page-texts.ts'
import { CloseIcon } from '../../ui/icons.tsx'
import type { RecordPath } from './record-paths.ts'

export interface ExpressionProblem {
  text: string
  /** The character, from 1, that is at fault; undefined: it is not about a character. */
  position: string | undefined
}

interface ExpressionInputProps {
  label: string
  value: string
  onChange(value: string): void
  onFocus(): void
  /** What is wrong with it. */
  problem: ExpressionProblem | undefined
  required: boolean
  readOnly: boolean
  /** What records have. */
  paths: readonly RecordPath[]
  /** How many records there are. */
  records: number
  /** null: the field has to stay. */
  onDrop: (() => void) | null
}

interface Offer {
  text: string
  detail: string
}

const functions = ['lower', 'trim', 'before', 'pinyin', 'join'] as const
const maxOffers = 8

/** The name that the caret stands behind. */
const wordBefore = /[\p{L}_$][\p{L}\p{M}\p{N}_$.[\]-]*$/u

/** An expression, with what it can be made of, and with its fault at its character. */
export const ExpressionInput = (props: ExpressionInputProps) => {
  const { label, value, onChange, onFocus, problem, required, readOnly, paths, records, onDrop } = props
  const { laboratory: texts } = usePageTexts('sources').sources
  const input = useRef<HTMLInputElement>(null)
  const [caret, setCaret] = useState(value.length)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const word = wordBefore.exec(value.slice(0, caret))?.[0] ?? ''
  const wanted = word.toLowerCase()
  const all: Offer[] = [
    ...paths.map(({ path, count }) => ({ text: path, detail: texts.inRecords(count, records) })),
    ...functions.map((name) => ({ text: `${name}(`, detail: texts.functions[name] })),
  ]
  const offers = all
    .filter(({ text }) => text.toLowerCase().includes(wanted) && text !== word)
    .sort((one, other) => startsWith(other, wanted) - startsWith(one, wanted))
    .slice(0, maxOffers)
  const insert = (text: string): void => {
    const start = caret - word.length
    onChange(`${value.slice(0, start)}${text}${value.slice(caret)}`)
    const next = start + text.length
    setCaret(next)
    combobox.closeDropdown()
    requestAnimationFrame(() => input.current?.setSelectionRange(next, next))
  }
  // Between two names there is nothing to complete.
  const opened = !readOnly && offers.length > 0 && (word !== '' || value.trim() === '')
  return (
    <Combobox store={combobox} shadow="md" onOptionSubmit={insert}>
      <Combobox.Target aria-expanded={opened && combobox.dropdownOpened}>
        <TextInput
          ref={input}
          label={label}
          required={required}
          readOnly={readOnly}
          value={value}
          classNames={{ input: 'mono' }}
          autoComplete="off"
          spellCheck={false}
          maxLength={1024}
          rightSection={onDrop !== null && <Drop label={label} onDrop={onDrop} />}
          error={problem !== undefined && <Fault expression={value} problem={problem} />}
          onFocus={onFocus}
          onBlur={() => combobox.closeDropdown()}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart ?? value.length)}
          onChange={(event) => {
            onChange(event.currentTarget.value)
            setCaret(event.currentTarget.selectionStart ?? event.currentTarget.value.length)
            combobox.resetSelectedOption()
            combobox.openDropdown()
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={!opened}>
        <Combobox.Options aria-label={label}>
          {offers.map(({ text, detail }) => (
            <Combobox.Option key={text} value={text}>
              <span className="mono">{text}</span> <span className="pick-detail">{detail}</span>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

const Drop = ({ label, onDrop }: { label: string; onDrop(): void }) => {
  const { laboratory } = usePageTexts('sources').sources
  return (
    <ActionIcon variant="subtle" color="gray" size="sm" aria-label={laboratory.drop(label)} onClick={onDrop}>
      <CloseIcon />
    </ActionIcon>
  )
}

const startsWith = ({ text }: Offer, wanted: string): number => Number(text.toLowerCase().startsWith(wanted))

/** What is wrong, with the character marked. */
const Fault = ({ expression, problem: { text, position } }: { expression: string; problem: ExpressionProblem }) => {
  if (position === undefined) return text
  const place = Number(position)
  const characters = [...expression]
  return (
    <>
      {text}
      <span className="fault mono" aria-hidden="true">
        {characters.slice(0, place - 1).join('')}
        <mark>{characters[place - 1] ?? '\u00a0'}</mark>
        {characters.slice(place).join('')}
      </span>
    </>
  )
}
