import { Stack, Text } from '@mantine/core'
import { usePageTexts } from '../../app/page-texts.ts'
import { useMay } from '../../app/session.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { PageLink } from '../../ui/PageLink.tsx'
import { DirectoryState } from '../home/DirectoryState.tsx'
import { ShowPending } from './Pending.tsx'
import type { Directory } from './use-directories.ts'

/** A further directory: where it is, what it gets, and how far it is. */
export const Further = ({
  directory: { directory, baseDn, waiting, refused, incomplete, oldestWaitingAt, part },
}: {
  directory: Directory
}) => {
  const { further: texts, layout } = usePageTexts('directory').directory
  return (
    <div className="source-kind directory-line top">
      <Stack gap={0}>
        <Text fw={600}>{layout.of(directory)}</Text>
        <Text size="xs" c="dimmed">
          {baseDn}
        </Text>
      </Stack>
      <Stack gap={4}>
        {part === null ? <Text>{texts.all}</Text> : <Part setting={`LDAP_${directory}_GROUPS`} part={part} />}
        <DirectoryState directory={{ kind: 'external', waiting, refused, oldestWaitingAt }} />
        {incomplete > 0 && <Meaning level="risk">{texts.incomplete(incomplete)}</Meaning>}
      </Stack>
      {waiting + refused + incomplete > 0 ? <ShowPending directory={directory} /> : <span />}
    </div>
  )
}

const Part = ({
  setting,
  part: { roots, groups, people },
}: {
  setting: string
  part: NonNullable<Directory['part']>
}) => {
  const { further: texts } = usePageTexts('directory').directory
  const maySee = useMay('getDepartmentPath')
  return (
    <>
      <Text>{texts.part(groups, people)}</Text>
      <Text size="sm" c="dimmed">
        {texts.roots(setting)}
      </Text>
      <ul className="plain-list">
        {roots.map(({ groupId, groupName }) => (
          <li key={groupId}>
            {groupName === null ? (
              <Meaning level="risk">{texts.missing(groupId)}</Meaning>
            ) : maySee ? (
              <PageLink to="/groups" search={{ group: groupId }}>
                {groupName}
              </PageLink>
            ) : (
              groupName
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
