import { Group, Text, Title } from '@mantine/core'
import { dateAfter, useFormats } from './days.ts'

interface ChartProps {
  title: string
  /** What the chart shows, in words. */
  text: string
  /** The date of the first value. */
  from: string
  /** One for each day; null: nothing was planned. */
  values: readonly (number | null)[]
  /** The goal is between these. */
  min: number
  max: number
}

/** A bar for each day, and where the goal is. The same figures stand in the table of the page. */
export const Chart = ({ title, text, from, values, min, max }: ChartProps) => {
  const { short } = useFormats()
  const top = Math.max(max * 1.2, ...values.map((value) => value ?? 0)) * 1.05
  const height = (value: number): number => (value / top) * 100
  const slot = 100 / values.length
  return (
    <>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h3">
          {title}
        </Title>
        <Text c="dimmed">{text}</Text>
      </Group>
      <svg className="diet-chart" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        {max > min && <rect className="band" width="100" y={100 - height(max)} height={height(max - min)} />}
        {values.map((value, day) =>
          value === null ? null : (
            <rect
              key={dateAfter(from, day)}
              className="value"
              x={day * slot + slot * 0.15}
              width={slot * 0.7}
              y={100 - height(value)}
              height={height(value)}
            />
          ),
        )}
        {[...new Set([min, max])].map((goal) => (
          <line key={goal} className="goal" x1="0" x2="100" y1={100 - height(goal)} y2={100 - height(goal)} />
        ))}
      </svg>
      <div className="diet-chart-days">
        <span>{short(from)}</span>
        <span>{short(dateAfter(from, values.length - 1))}</span>
      </div>
    </>
  )
}
