import { Code, Group, Stack, Text } from '@mantine/core'
import { usePageTexts } from '../../app/page-texts.ts'
import { Copy } from '../../ui/Copy.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { RecordDrawer } from '../../ui/RecordDrawer.tsx'
import { Facts } from '../people/Facts.tsx'
import { RecordLink } from '../runs/RecordLink.tsx'
import { Decide } from './Decide.tsx'
import { type Orphan, useObstacleText } from './orphan-text.ts'

interface OrphanDrawerProps {
  dn: string
  /** undefined: the list does not have it. */
  orphan: Orphan | undefined
  onClose(): void
}

/** An orphan entry in full, and what can be done with it. */
export const OrphanDrawer = ({ dn, orphan, onClose }: OrphanDrawerProps) => {
  const { directory, listed } = usePageTexts('directory')
  const { orphans: texts } = directory
  const obstacleText = useObstacleText()
  return (
    <RecordDrawer opened={dn !== ''} onClose={onClose} title={dn.split(',')[0]}>
      {orphan === undefined ? (
        <Text>{texts.gone}</Text>
      ) : (
        <Stack gap="md">
          <Facts
            facts={[
              [
                texts.columns.dn,
                <Group key="dn" gap={4} wrap="nowrap">
                  <Code>{orphan.dn}</Code>
                  <Copy text={orphan.dn} />
                </Group>,
              ],
              [texts.columns.kind, texts.kinds[orphan.kind]],
              [texts.classes, listed(orphan.objectClasses)],
              [texts.columns.record, orphan.recordId !== null ? <OrphanRecord key="record" orphan={orphan} /> : ''],
              ...(orphan.obstacle === null ? [] : [[texts.obstacle, obstacleText(orphan)] as const]),
            ]}
          />
          {orphan.ignored && <Meaning level="none">{texts.isIgnored}</Meaning>}
          <Decide orphans={[orphan]} onDone={onClose} />
        </Stack>
      )}
    </RecordDrawer>
  )
}

/** The person or group whose entry it would become. */
export const OrphanRecord = ({ orphan: { kind, recordId, recordName } }: { orphan: Orphan }) => (
  <RecordLink kind={kind === 'user' ? 'users' : 'groups'} id={recordId}>
    {recordName}
  </RecordLink>
)
