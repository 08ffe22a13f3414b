import { Alert, Button, List, Paper, Stack, TagsInput, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type Data, Failure } from '../../app/api.ts'
import { retryWhileStale } from '../../app/changed-meanwhile.ts'
import { problemText, useFailureText } from '../../app/failures.ts'
import { useLanguage } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { reading, useReading } from '../../app/queries.ts'
import { Meaning } from '../../ui/Meaning.tsx'
import { PageLink } from '../../ui/PageLink.tsx'
import { QueryState } from '../../ui/states.tsx'
import { useUnsaved } from '../../ui/use-unsaved.ts'
import { type Days, mealsToSend, useDays, useFormats, usePlanSaving } from './days.ts'

/** Planned days that are looked at. */
const horizon = 31

/** What the caller likes, and what they must not eat, for today and the planned days after it. */
export const Wishes = () => {
  const days = useDays(undefined, horizon)
  return <QueryState query={days}>{(data) => <WishForm days={data} />}</QueryState>
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((each, index) => each === other[index])

type Outcome = { kind: 'saved' } | { kind: 'refused'; text: string }

const WishForm = ({ days: { today, wishes, days } }: { days: Days }) => {
  const { diet } = usePageTexts('diet')
  const [initial] = useState(() => days.find(({ date }) => date === today) ?? wishes)
  const [allergies, setAllergies] = useState<string[]>([...initial.allergies])
  const [preferences, setPreferences] = useState<string[]>([...initial.preferences])
  const apply = useApply()
  // Today holds them, with or without meals: without a plan there is nowhere to keep them.
  const dates = [today, ...days.map(({ date }) => date).filter((date) => date !== today)]
  const holds = (date: string): boolean => {
    const day = days.find((each) => each.date === date)
    return day !== undefined && isSame(day.allergies, allergies) && isSame(day.preferences, preferences)
  }
  const waiting = dates.filter((date) => !holds(date))
  const dirty = !isSame(allergies, initial.allergies) || !isSame(preferences, initial.preferences)
  useUnsaved(() => dirty && waiting.length > 0, dirty && waiting.length > 0)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void apply.start(waiting, { allergies, preferences }, new Set(days.map(({ date }) => date)))
      }}
    >
      <Stack gap="md" maw={720}>
        <TagsInput
          size="md"
          label={diet.allergiesLabel}
          description={diet.allergiesHelp}
          placeholder={allergies.length === 0 ? diet.allergiesExample : ''}
          data={Object.values(diet.allergens)}
          value={allergies}
          onChange={setAllergies}
          maxTags={30}
          maxLength={50}
          acceptValueOnBlur
        />
        {allergies.map((word) => (
          <Explained key={word} word={word} />
        ))}
        <TagsInput
          size="md"
          label={diet.preferencesLabel}
          description={diet.preferencesHelp}
          data={Object.values(diet.preferences)}
          value={preferences}
          onChange={setPreferences}
          maxTags={30}
          maxLength={50}
          acceptValueOnBlur
        />
        <Button type="submit" size="md" disabled={waiting.length === 0} loading={apply.busy}>
          {diet.saveFor(Math.max(waiting.length, 1))}
        </Button>
        <Text role="status">{apply.saved && waiting.length === 0 ? diet.saved : ''}</Text>
        {apply.waitSeconds > 0 && (
          <Alert p="xs" role="status">
            {diet.goesOn(apply.waitSeconds)}
          </Alert>
        )}
        {apply.failure !== null && <WholeFailure failure={apply.failure} />}
        <DayOutcomes dates={dates} holds={holds} outcomes={apply.outcomes} />
      </Stack>
    </form>
  )
}

const WholeFailure = ({ failure }: { failure: Failure }) => {
  const { failures } = usePageTexts('diet')
  const failureText = useFailureText()
  return (
    <Alert color="red" p="xs" role="alert" title={failures.notSaved}>
      {failureText(failure)}
    </Alert>
  )
}

const DayOutcomes = ({
  dates,
  holds,
  outcomes,
}: {
  dates: readonly string[]
  holds(date: string): boolean
  outcomes: ReadonlyMap<string, Outcome>
}) => {
  const { diet } = usePageTexts('diet')
  const { long } = useFormats()
  return (
    <div>
      <Title order={2} mb="xs">
        {diet.daysWithThem}
      </Title>
      <List listStyleType="none" p={0} spacing="xs">
        {dates.map((date) => {
          const outcome = outcomes.get(date)
          return (
            <List.Item key={date}>
              <PageLink to="/diet" search={{ tab: 'plan', date }}>
                {long(date)}
              </PageLink>{' '}
              {outcome?.kind === 'refused' && !holds(date) ? (
                <Meaning level="danger">{outcome.text}</Meaning>
              ) : (
                <Meaning level={holds(date) ? 'safe' : 'none'}>{holds(date) ? diet.holds : diet.holdsNot}</Meaning>
              )}
            </List.Item>
          )
        })}
      </List>
    </div>
  )
}

/** What one allergy refuses. */
const Explained = ({ word }: { word: string }) => {
  const { diet, listed, named } = usePageTexts('diet')
  const { language } = useLanguage()
  const explained = useReading('explainAllergy', { query: { word } })
  return (
    <Paper withBorder p="sm" component="section" aria-label={word}>
      <QueryState query={explained}>
        {({ isKnown, classes, total, foods }) => {
          const known = listed(classes.map((each) => diet.allergens[each]))
          return (
            <>
              <Text fw={600}>{known === '' || known === word ? word : named(word, known)}</Text>
              {!isKnown && <Meaning level="risk">{diet.unknownAllergy}</Meaning>}
              {total > 0 && (
                <details>
                  <summary>{diet.refusesFoods(total)}</summary>
                  <Text c="dimmed">{foods.map(({ en, zh }) => (language === 'zh-CN' ? zh : en)).join(' · ')}</Text>
                </details>
              )}
            </>
          )
        }}
      </QueryState>
    </Paper>
  )
}

/** Saves wishes for one day after another; the service takes few changes a minute, so it waits where it is told to. */
const useApply = () => {
  const locale = useLanguage()
  const client = useQueryClient()
  const { save } = usePlanSaving()
  const [busy, setBusy] = useState(false)
  const [saved, setSaved] = useState(false)
  const [waitSeconds, setWaitSeconds] = useState(0)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const gone = useRef(false)
  useEffect(() => {
    gone.current = false
    return () => {
      gone.current = true
    }
  }, [])
  const patiently = async <T,>(act: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await act()
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 429 || error.retryAfter === null || gone.current) throw error
        for (let left = error.retryAfter; left > 0 && !gone.current; left--) {
          setWaitSeconds(left)
          await new Promise((resolve) => setTimeout(resolve, 1000))
        }
        setWaitSeconds(0)
        if (gone.current) throw error
      }
    }
  }
  /** null: there is no plan of the date. */
  const planOf = async (date: string, isPlanned: boolean): Promise<Data<'getPlan'> | null> =>
    isPlanned ? patiently(() => client.fetchQuery({ ...reading('getPlan', { path: { date } }), staleTime: 0 })) : null
  const saveDay = async (date: string, wishes: Days['wishes'], isPlanned: boolean): Promise<Outcome> => {
    try {
      await retryWhileStale(async () => {
        const plan = await planOf(date, isPlanned)
        const body = { date, meals: plan === null ? [] : mealsToSend(plan), ...wishes, version: plan?.version ?? '' }
        await patiently(() => save(body, plan?.meals.map(({ status }) => status) ?? []))
      })
      return { kind: 'saved' }
    } catch (error) {
      if (!(error instanceof Failure) || error.fields.length === 0) throw error
      return { kind: 'refused', text: locale.texts.listed(error.fields.map((problem) => problemText(locale, problem))) }
    }
  }
  const start = async (
    dates: readonly string[],
    wishes: Days['wishes'],
    planned: ReadonlySet<string>,
  ): Promise<void> => {
    if (busy) return
    setBusy(true)
    setFailure(null)
    setOutcomes(new Map())
    setSaved(false)
    try {
      let refused = 0
      for (const date of dates) {
        const outcome = await saveDay(date, wishes, planned.has(date))
        if (outcome.kind === 'refused') refused++
        setOutcomes((before) => new Map(before).set(date, outcome))
      }
      setSaved(refused === 0)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return { start, busy, saved, waitSeconds, failure, outcomes }
}
