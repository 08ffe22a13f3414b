import { SimpleGrid, TextInput } from '@mantine/core'
import { usePageTexts } from '../../app/page-texts.ts'
import type { InputProps } from '../../ui/form-layout.ts'

type Labels = Readonly<Record<string, string>>

/** What an attribute is called in both languages. */
export const LabelsInput = ({ value, onChange, error, errorOf, required, disabled }: InputProps) => {
  const { attributes: texts } = usePageTexts('attributes')
  const labels = (value ?? {}) as Labels
  const inputs = [
    ['en', texts.english],
    ['zh-CN', texts.chinese],
  ] as const
  const isWhole = inputs.every(([language]) => errorOf?.(language) === undefined)
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" style={{ alignItems: 'start' }}>
      {inputs.map(([language, label], index) => (
        <div key={language} data-field={`labels.${language}`}>
          <TextInput
            label={label}
            lang={language}
            value={labels[language] ?? ''}
            error={errorOf?.(language) ?? (isWhole ? error : undefined)}
            required={required}
            disabled={disabled}
            autoComplete="off"
            maxLength={60}
            data-autofocus={(index === 0 && value === undefined) || undefined}
            onChange={(event) => onChange({ en: '', 'zh-CN': '', ...labels, [language]: event.currentTarget.value })}
          />
        </div>
      ))}
    </SimpleGrid>
  )
}
