import { usePageTexts } from '../app/page-texts.ts'
import './tree.css'
import { ActionIcon, Button, Group, Stack, Text, Title } from '@mantine/core'
import { CloseIcon } from './icons.tsx'

/** One thing that is added or removed. */
export interface Change {
  id: number
  label: string
  detail?: string | undefined
}

interface ChangesProps {
  added: readonly Change[]
  removed: readonly Change[]
  /** Takes one of them back. */
  undo(id: number): void
  reset(): void
  save(): void
  busy: boolean
  /** Why nothing can be saved now. */
  blocked: boolean
  /** What the save brings about. */
  consequence: string
}

/** So many of a kind are listed; the rest is counted. */
const listed = 100

/** What would be saved, before it is: each addition and removal, each with a way back. */
export const Changes = ({ added, removed, undo, reset, save, busy, blocked, consequence }: ChangesProps) => {
  const { permissions } = usePageTexts('permissions')
  const { changes } = permissions
  const none = added.length + removed.length === 0
  const list = (some: readonly Change[], sign: string, className: string, title: string) =>
    some.length > 0 && (
      <div>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <ul className="changes">
          {some.slice(0, listed).map(({ id, label, detail }) => (
            <li key={id}>
              <span className={`change ${className}`} aria-hidden="true">
                {sign}
              </span>
              <span className="cut" title={detail === undefined ? label : `${label} · ${detail}`}>
                {label}
              </span>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="sm"
                ml="auto"
                aria-label={changes.undo(label)}
                disabled={busy}
                onClick={() => undo(id)}
              >
                <CloseIcon />
              </ActionIcon>
            </li>
          ))}
        </ul>
        {some.length > listed && (
          <Text size="sm" c="dimmed">
            {changes.more(some.length - listed)}
          </Text>
        )}
      </div>
    )
  return (
    <Stack gap="sm">
      <Title order={2} size="h3">
        {changes.title}
      </Title>
      <div role="status">
        {none ? (
          <Text size="sm" c="dimmed">
            {changes.none}
          </Text>
        ) : (
          <Text size="sm" c="dimmed">
            {consequence}
          </Text>
        )}
      </div>
      {!none && (
        <Stack gap="sm" style={{ maxHeight: 'calc(100vh - 440px)', minHeight: 120, overflow: 'auto' }}>
          {list(added, '+', 'change-added', changes.added(added.length))}
          {list(removed, '−', 'change-removed', changes.removed(removed.length))}
        </Stack>
      )}
      <Group gap="sm" justify="flex-end">
        <Button variant="default" disabled={none || busy} onClick={reset}>
          {changes.reset}
        </Button>
        <Button disabled={none || blocked} loading={busy} onClick={save}>
          {changes.save}
        </Button>
      </Group>
    </Stack>
  )
}
