import { Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { serviceNow } from '../app/clock.ts'
import { useLanguage } from '../app/language.tsx'
import { exactTime, relativeTime } from './time-text.ts'

/** A time as people say it, with the exact one at hand. @param value RFC 3339, or null for never */
export const Time = ({ value }: { value: string | null | undefined }) => {
  const { texts, language } = useLanguage()
  const [, setMinute] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setMinute((before) => before + 1), 30_000)
    return () => clearInterval(timer)
  }, [])
  if (value === null || value === undefined || value === '') return <>{texts.time.never}</>
  const instant = Date.parse(value)
  if (Number.isNaN(instant)) return <>{value}</>
  return (
    <Tooltip label={exactTime(instant, language)}>
      <time dateTime={value} title={exactTime(instant, language)}>
        {relativeTime(instant, serviceNow(), language)}
      </time>
    </Tooltip>
  )
}
