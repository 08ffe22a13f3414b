import { Progress, Stack, Text } from '@mantine/core'
import { useLanguage } from '../app/language.tsx'
import type { Work } from '../app/progress.ts'

/** How far a work has come. Where its size is not known, it says how much is done. */
export const RunProgress = ({ work, label }: { work: Pick<Work, 'done' | 'total'>; label: string }) => {
  const { language } = useLanguage()
  const number = new Intl.NumberFormat(language)
  const { done, total } = work
  const percent = total === null || total === 0 ? 100 : Math.min(100, (done / total) * 100)
  return (
    <Stack gap={4} miw={200}>
      <Text size="xs">
        {label} · {number.format(done)}
        {total !== null && ` / ${number.format(total)}`}
      </Text>
      <Progress value={percent} animated={total === null} aria-label={label} size="sm" />
    </Stack>
  )
}
