import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { usePageTexts } from '../../app/page-texts.ts'
import { Empty, QueryState } from '../../ui/states.tsx'
import { numberOf, useAddress } from '../../ui/use-search.ts'
import { Chart } from './Chart.tsx'
import { DayStatus } from './DayFigures.tsx'
import { type Day, type Days, dateAfter, useDays, useFormats } from './days.ts'

const ranges = [7, 30, 90] as const

/** The figures of the planned days up to today. */
export const Report = () => {
  const now = useDays(undefined, 1)
  return <QueryState query={now}>{({ today }) => <Over today={today} />}</QueryState>
}

const Over = ({ today }: { today: string }) => {
  const { diet } = usePageTexts('diet')
  const [search, change] = useAddress()
  const range = ranges.find((each) => each === numberOf(search.days)) ?? 7
  const from = dateAfter(today, 1 - range)
  const days = useDays(from, range)
  return (
    <Stack gap="md" maw={720}>
      <div className="diet-choice" role="group" aria-label={diet.range}>
        {ranges.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === range}
            onClick={() => change({ days: each === 7 ? undefined : each })}
          >
            {diet.lastDays(each)}
          </button>
        ))}
      </div>
      <QueryState query={days}>
        {(data) => {
          if (days.isPlaceholderData) return null
          const planned = data.days.filter(({ meals }) => meals.length > 0)
          return planned.length === 0 ? (
            <Empty title={diet.noDays} help={diet.noDaysHelp} />
          ) : (
            <Figures from={from} range={range} target={data.target} days={planned} />
          )
        }}
      </QueryState>
    </Stack>
  )
}

const nutrients = ['protein', 'carbs', 'fat'] as const

const Figures = ({
  from,
  range,
  target,
  days,
}: {
  from: string
  range: number
  target: Days['target']
  days: readonly Day[]
}) => {
  const { diet } = usePageTexts('diet')
  const { kcal, grams } = useFormats()
  const average = (of: (day: Day) => number): number => days.reduce((sum, day) => sum + of(day), 0) / days.length
  const valuesOf = (of: (day: Day) => number): (number | null)[] =>
    Array.from({ length: range }, (_, index) => {
      const day = days.find(({ date }) => date === dateAfter(from, index))
      return day === undefined ? null : of(day)
    })
  const calories = average((day) => day.calories)
  const good = days.filter(({ status }) => status === 'good').length
  return (
    <>
      <Text>{diet.summary(days.length, kcal(calories), kcal(target.calories), good)}</Text>
      <Paper withBorder p="md">
        <Chart
          title={diet.caloriesIn}
          text={diet.averageOf(kcal(calories), kcal(target.calories))}
          from={from}
          values={valuesOf((day) => day.calories)}
          min={target.calories}
          max={target.calories}
        />
      </Paper>
      {nutrients.map((each) => {
        const mean = average((day) => day.nutrition[each])
        return (
          <Paper key={each} withBorder p="md">
            <Chart
              title={diet.gramsOf(diet[each])}
              text={diet.averageIn(grams(mean), kcal(target[each].min), kcal(target[each].max))}
              from={from}
              values={valuesOf((day) => day.nutrition[each])}
              {...target[each]}
            />
          </Paper>
        )
      })}
      <DayTable days={days} />
    </>
  )
}

/** The same figures as text, for screen readers and for all who want them exactly. */
const DayTable = ({ days }: { days: readonly Day[] }) => {
  const { diet } = usePageTexts('diet')
  const { short, kcal, grams } = useFormats()
  return (
    <section aria-label={diet.table}>
      <Group mb="xs">
        <Title order={2}>{diet.table}</Title>
      </Group>
      <table className="diet-table">
        <thead>
          <tr>
            <th scope="col">{diet.date}</th>
            <th scope="col">{diet.kcalUnit}</th>
            {nutrients.map((each) => (
              <th key={each} scope="col">
                {diet.inGrams[each]}
              </th>
            ))}
            <th scope="col">{diet.state}</th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <tr key={day.date}>
              <th scope="row">{short(day.date)}</th>
              <td>{kcal(day.calories)}</td>
              {nutrients.map((each) => (
                <td key={each}>{grams(day.nutrition[each])}</td>
              ))}
              <td>
                <DayStatus status={day.status} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
