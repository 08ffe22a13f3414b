import './security.css'
import { Button, Code, Group, Paper, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { Data } from '../../app/api.ts'
import { useFailureText } from '../../app/failures.ts'
import { useLanguage } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { useChange, useReading } from '../../app/queries.ts'
import { Granted, useSession } from '../../app/session.tsx'
import { withParams } from '../../app/translate.ts'
import { Meaning } from '../../ui/Meaning.tsx'
import { notifyDone, notifyFailure } from '../../ui/notify.tsx'
import { PageLink } from '../../ui/PageLink.tsx'
import { Empty, PageFor, QueryState } from '../../ui/states.tsx'
import { Time } from '../../ui/Time.tsx'
import { cureOf } from './cures.ts'
import { levelMeanings } from './levels.ts'
import { SecurityPage } from './SecurityPage.tsx'

type Measured = Data<'getScore'>
type Deduction = Measured['deductions'][number]

/** How secure the installation is, what each finding costs, and what does something about it. */
export const Score = () => (
  <PageFor operation="getScore">
    <ScorePage />
  </PageFor>
)

const ScorePage = () => {
  const { security } = usePageTexts('security')
  const { score: texts } = security
  const failureText = useFailureText()
  const score = useReading('getScore', {})
  const check = useChange('checkSecurity', ['getScore', 'getOverview'])
  return (
    <SecurityPage
      room="score"
      actions={
        <Granted to="checkSecurity">
          <Button
            title={texts.checkWhy}
            loading={check.isPending}
            onClick={() =>
              check.mutate(
                {},
                {
                  onSuccess: ({ data }) => notifyDone(texts.checked(data.score)),
                  onError: (error) => notifyFailure(failureText(error)),
                },
              )
            }
          >
            {texts.check}
          </Button>
        </Granted>
      }
    >
      <QueryState query={score}>
        {(measured) => (
          <Stack gap="lg">
            <Figure measured={measured} />
            <Stack gap="xs">
              <Title order={2}>{texts.costs}</Title>
              {measured.deductions.length === 0 ? (
                <Empty title={texts.none} help={texts.noneHelp} />
              ) : (
                <ul className="findings">
                  {measured.deductions.map((deduction) => (
                    <Finding key={`${deduction.kind} ${deduction.description}`} deduction={deduction} />
                  ))}
                </ul>
              )}
            </Stack>
            <Stack gap="xs">
              <Title order={2}>{texts.areas}</Title>
              <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="md">
                {measured.areas.map((area) => (
                  <Area key={area.area} area={area} />
                ))}
              </SimpleGrid>
            </Stack>
          </Stack>
        )}
      </QueryState>
    </SecurityPage>
  )
}

const colourOf = (score: number): string => (score >= 80 ? 'green' : score >= 50 ? 'yellow' : 'red')

const Figure = ({ measured: { score, at } }: { measured: Measured }) => {
  const { score: texts } = usePageTexts('security').security
  return (
    <Stack gap={4} maw={480}>
      <Group gap="xs" align="baseline">
        <Text fz={40} fw={600} lh={1.1}>
          {score}
        </Text>
        <Text c="dimmed">{texts.of}</Text>
      </Group>
      <Progress value={score} color={colourOf(score)} aria-label={texts.label(score)} size="md" />
      <Text size="sm" c="dimmed">
        {texts.help}
      </Text>
      <Text size="sm" c="dimmed">
        {texts.measured} <Time value={at} />
      </Text>
    </Stack>
  )
}

/** Counts as people write them; ids stay as they are. */
const grouped = (params: Deduction['params'], language: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const isCount = (name === 'count' || name === 'records') && /^\d+$/.test(value)
      return [name, isCount ? Number(value).toLocaleString(language) : value]
    }),
  )

const Finding = ({ deduction }: { deduction: Deduction }) => {
  const { security } = usePageTexts('security')
  const { language } = useLanguage()
  const { may } = useSession()
  const { score: texts } = security
  const { level, points, kind, description, params } = deduction
  const own = security.findings[kind]
  const text = own === undefined ? description : withParams(own, grouped(params, language))
  const { place, settings = [] } = cureOf(deduction)
  return (
    <li>
      <Meaning level={levelMeanings[level]}>{security.levels[level]}</Meaning>
      <div className="finding-text">
        <Text>{text}</Text>
        <Group gap="sm" mt={2}>
          {place !== undefined && may(place.needs) && (
            <PageLink
              to={place.to}
              {...(place.search !== undefined && { search: place.search })}
              aria-label={texts.go(text)}
            >
              {texts.look}
            </PageLink>
          )}
          {settings.length > 0 && (
            <Text span c="dimmed">
              {texts.setting}{' '}
              {settings.map((name) => (
                <Code key={name} me={4}>
                  {name}
                </Code>
              ))}
            </Text>
          )}
        </Group>
      </div>
      <span className="finding-points">{texts.points(points)}</span>
    </li>
  )
}

const statusMeanings = { safe: 'safe', risk: 'risk', danger: 'danger' } as const

const Area = ({ area: { area, status, figures } }: { area: Measured['areas'][number] }) => {
  const { security } = usePageTexts('security')
  const { language } = useLanguage()
  const number = new Intl.NumberFormat(language)
  const names: Readonly<Record<string, string>> = security.figures
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" gap="xs" mb={4}>
        <Text fw={600}>{security.areas[area]}</Text>
        <Meaning level={statusMeanings[status]}>{security.score.statuses[status]}</Meaning>
      </Group>
      <dl className="facts">
        {Object.entries(figures).map(([name, count]) => (
          <div className="fact" key={name}>
            <dt>{names[name] ?? name}</dt>
            <dd className="end">{number.format(count)}</dd>
          </div>
        ))}
      </dl>
    </Paper>
  )
}
