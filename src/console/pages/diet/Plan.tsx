import { ActionIcon, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Data, Failure } from '../../app/api.ts'
import { useFailureText } from '../../app/failures.ts'
import { useLanguage } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { reading, useReading } from '../../app/queries.ts'
import { ChevronLeft, ChevronRight } from '../../ui/icons.tsx'
import { notifyFailure } from '../../ui/notify.tsx'
import { Loading, QueryState } from '../../ui/states.tsx'
import { textOf, useAddress } from '../../ui/use-search.ts'
import { DayEditor } from './DayEditor.tsx'
import { type Days, dateAfter, isDate, mondayOf, useDays, useFormats } from './days.ts'
import { type DraftMeal, draftOf } from './draft.ts'

/** A week of days, and the plan of one of them. */
export const Plan = () => {
  const [search] = useAddress()
  const wanted = textOf(search.date)
  // The first answer says which day it is for the service.
  const now = useDays(undefined, 1)
  return (
    <QueryState query={now}>{({ today }) => <Week date={isDate(wanted) ? wanted : today} today={today} />}</QueryState>
  )
}

const Week = ({ date, today }: { date: string; today: string }) => {
  const { diet } = usePageTexts('diet')
  const [, change] = useAddress()
  const { long, weekday, dayOfMonth, kcal, short } = useFormats()
  const monday = mondayOf(date)
  const week = useDays(monday, 7)
  const show = (to: string): void => change({ date: to, recipe: undefined })
  const planned = new Map(week.data?.days.map((day) => [day.date, day]))
  return (
    <Stack gap="md" maw={720}>
      <Group justify="space-between" wrap="nowrap">
        <ActionIcon variant="default" size={44} aria-label={diet.weekBefore} onClick={() => show(dateAfter(date, -7))}>
          <ChevronLeft />
        </ActionIcon>
        <Text fw={600}>{diet.week(short(monday), short(dateAfter(monday, 6)))}</Text>
        <ActionIcon variant="default" size={44} aria-label={diet.weekAfter} onClick={() => show(dateAfter(date, 7))}>
          <ChevronRight />
        </ActionIcon>
      </Group>
      <div className="diet-week" role="group" aria-label={diet.daysOfWeek}>
        {Array.from({ length: 7 }, (_, index) => dateAfter(monday, index)).map((each) => {
          const day = planned.get(each)
          return (
            <button
              key={each}
              type="button"
              className="diet-day"
              aria-pressed={each === date}
              aria-current={each === today ? 'date' : undefined}
              onClick={() => show(each)}
            >
              <span>{weekday(each)}</span>
              <strong>{dayOfMonth(each)}</strong>
              <span>{day === undefined ? '–' : kcal(day.calories)}</span>
            </button>
          )
        })}
      </div>
      <Title order={2}>{long(date)}</Title>
      <QueryState query={week}>
        {(data) =>
          // The answer of another week stays until this one is there.
          week.isPlaceholderData ? null : <DayOf key={date} date={date} days={data} />
        }
      </QueryState>
    </Stack>
  )
}

const DayOf = ({ date, days }: { date: string; days: Days }) => {
  // As it was when the day was opened: a plan that was saved here since is in the editor.
  const [isPlanned] = useState(() => days.days.some((day) => day.date === date))
  return isPlanned ? <SavedDay date={date} days={days} /> : <NewDay date={date} days={days} />
}

const SavedDay = ({ date, days }: { date: string; days: Days }) => {
  const { language } = useLanguage()
  const plan = useReading('getPlan', { path: { date } })
  // The editor begins with what is there now: what was read before a meal was marked on another page would undo that.
  const isRead = useRef(false)
  if (!plan.isFetching) isRead.current = true
  if (!isRead.current) return <Loading />
  return (
    <QueryState query={plan}>
      {({ meals, preferences, allergies, version, warnings }) => (
        <DayEditor
          {...{ date, target: days.target, version, warnings }}
          initial={meals.map((meal) => draftOf(meal, language))}
          wishes={{ preferences, allergies }}
        />
      )}
    </QueryState>
  )
}

/** A day without a plan has the newest wishes, and may begin as another day. */
const NewDay = ({ date, days }: { date: string; days: Days }) => {
  const { diet } = usePageTexts('diet')
  const { language } = useLanguage()
  const { weekday } = useFormats()
  const failureText = useFailureText()
  const client = useQueryClient()
  const [copied, setCopied] = useState<{ from: string; meals: DraftMeal[] } | null>(null)
  const copy = async (from: string): Promise<void> => {
    try {
      const plan: Data<'getPlan'> = await client.fetchQuery(reading('getPlan', { path: { date: from } }))
      setCopied({ from, meals: plan.meals.map((meal) => ({ ...draftOf(meal, language), status: 'pending' })) })
    } catch (error) {
      notifyFailure(failureText(error as Failure))
    }
  }
  const sources = days.days.filter(({ meals }) => meals.length > 0)
  return (
    <>
      {copied === null && sources.length > 0 && (
        <Group gap="xs" role="group" aria-label={diet.copyDay}>
          <Text c="dimmed">{diet.copyDay}</Text>
          {sources.map((day) => (
            <Button key={day.date} variant="default" size="md" onClick={() => void copy(day.date)}>
              {weekday(day.date)}
            </Button>
          ))}
        </Group>
      )}
      <DayEditor
        key={copied?.from ?? ''}
        {...{ date, target: days.target, version: '', warnings: [] }}
        initial={copied?.meals ?? []}
        wishes={days.wishes}
        unsaved={copied !== null}
      />
    </>
  )
}
