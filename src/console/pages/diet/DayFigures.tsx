import { usePageTexts } from '../../app/page-texts.ts'
import { Meaning } from '../../ui/Meaning.tsx'
import { type Day, type Days, useFormats } from './days.ts'

interface DayFiguresProps {
  target: Days['target']
  planned: Pick<Day, 'calories' | 'nutrition'>
  eaten?: Day['eaten']
}

const levels = { good: 'safe', warning: 'risk', bad: 'danger' } as const

/** What the service makes of a day. */
export const DayStatus = ({ status }: { status: Day['status'] }) => {
  const { diet } = usePageTexts('diet')
  return <Meaning level={levels[status]}>{diet.statuses[status]}</Meaning>
}

/** A day's figures beside its goal. The bars repeat the figures, so that a screen reader needs no bars. */
export const DayFigures = ({ target, planned, eaten }: DayFiguresProps) => {
  const { diet } = usePageTexts('diet')
  const { kcal, grams } = useFormats()
  return (
    <div className="diet-figures">
      <span>{diet.calories}</span>
      <Bar planned={planned.calories} eaten={eaten?.calories} min={target.calories} max={target.calories} />
      <span className="end">{diet.ofGoal(kcal(planned.calories), kcal(target.calories))}</span>
      {(['protein', 'carbs', 'fat'] as const).map((each) => (
        <Row
          key={each}
          name={diet[each]}
          bar={<Bar planned={planned.nutrition[each]} eaten={eaten?.[each]} {...target[each]} />}
          text={diet.ofRange(grams(planned.nutrition[each]), kcal(target[each].min), kcal(target[each].max))}
        />
      ))}
    </div>
  )
}

const Row = ({ name, bar, text }: { name: string; bar: React.ReactNode; text: string }) => (
  <>
    <span>{name}</span>
    {bar}
    <span className="end">{text}</span>
  </>
)

interface BarProps {
  planned: number
  eaten: number | undefined
  /** The goal is between these. */
  min: number
  max: number
}

const Bar = ({ planned, eaten = 0, min, max }: BarProps) => {
  const end = Math.max(planned, max * 1.25, 1)
  const percent = (value: number): number => (value / end) * 100
  return (
    <svg className="diet-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect className="track" width="100" height="10" />
      <rect className="planned" width={percent(planned)} height="10" />
      <rect className="eaten" width={percent(eaten)} height="10" />
      {[...new Set([min, max])].map((goal) => (
        <line key={goal} className="goal" x1={percent(goal)} x2={percent(goal)} y1="0" y2="10" />
      ))}
    </svg>
  )
}
