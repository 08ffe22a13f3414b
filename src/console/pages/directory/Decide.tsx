import { Button, Group, Text } from '@mantine/core'
import { usePageTexts } from '../../app/page-texts.ts'
import { useSession } from '../../app/session.tsx'
import type { Orphan } from './orphan-text.ts'
import { type Decision, useDecision } from './use-decision.ts'

/** The most entries that one request may name. */
const maxNamed = 1000

const operations = { adopt: 'adoptOrphans', ignore: 'ignoreOrphans', heed: 'heedOrphans' } as const

/** What can be done with these entries, all of them ignored or none. */
export const Decide = ({ orphans, onDone }: { orphans: readonly Orphan[]; onDone(): void }) => {
  const { orphans: texts } = usePageTexts('directory').directory
  const { may } = useSession()
  const { isPending, decide } = useDecision(onDone)
  const decisions: readonly Decision[] = orphans[0]?.ignored ? ['heed'] : ['adopt', 'ignore']
  const isBusy = decisions.some(isPending)
  if (orphans.length > maxNamed) return <Text role="status">{texts.tooMany(maxNamed)}</Text>
  return (
    <Group gap="xs">
      {decisions
        .filter((decision) => may(operations[decision]))
        .map((decision) => {
          const meant = decision === 'adopt' ? orphans.filter(({ obstacle }) => obstacle === null) : orphans
          return (
            <Button
              key={decision}
              variant="default"
              loading={isPending(decision)}
              disabled={meant.length === 0 || isBusy}
              onClick={() => void decide(decision, meant, orphans.length - meant.length)}
            >
              {texts[decision].action}
            </Button>
          )
        })}
    </Group>
  )
}
