import { Anchor, Button, Code, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { usePageTexts } from '../../app/page-texts.ts'
import { useReading } from '../../app/queries.ts'
import { Copy } from '../../ui/Copy.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { notifyDone } from '../../ui/notify.tsx'

/** Made in this page: the service does not know it until it is one of its settings. */
const newKey = (): string => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(33))))

/** What settings look like, by the first of them. */
const linesOf = (setting: string): string[] => {
  switch (setting) {
    case 'BACKUP_KEY':
      return [`BACKUP_KEY=${newKey()}`]
    case 'SMTP_URL':
      return [
        'SMTP_URL=smtps://user:password@mail.example.org:465',
        'MAIL_FROM=Steward <steward@example.org>',
        `PUBLIC_URL=${location.origin}`,
      ]
    case 'LDAP_URL':
      return [
        'LDAP_URL=ldaps://ldap.example.org',
        'LDAP_BASE_DN=dc=example,dc=org',
        'LDAP_BIND_DN=cn=steward,dc=example,dc=org',
        'LDAP_BIND_PASSWORD=password',
      ]
    case 'TRUST_PROXY':
      return ['TRUST_PROXY=127.0.0.1']
    default:
      return [`${setting}=`]
  }
}

/** A step that is a setting of the service: the lines to add to its environment, and a look whether it has them. */
export const SettingStep = ({ setting, title, isDone }: { setting: string; title: string; isDone: boolean }) => {
  const { home, named } = usePageTexts('home')
  const { steps: texts } = home
  const [lines, setLines] = useState<string[] | null>(null)
  const [looked, setLooked] = useState(false)
  const steps = useReading('listFirstSteps', {}, { enabled: false })
  const look = async (): Promise<void> => {
    const { data } = await steps.refetch()
    // The step is gone then, and this dialog with it.
    if (data?.steps.some(({ action, done }) => done && action.setting === setting)) notifyDone(texts.hasIt(title))
    setLooked(true)
  }
  const open = (): void => {
    setLooked(false)
    setLines(linesOf(setting))
  }
  return (
    <>
      <Anchor
        component="button"
        type="button"
        ta="start"
        w="fit-content"
        onClick={open}
        aria-label={named(texts.how, title)}
      >
        {texts.how}
      </Anchor>
      <Dialog opened={lines !== null} onClose={() => setLines(null)} title={title} size="lg">
        <Stack gap="sm">
          <Text>{texts.howSetting}</Text>
          <Group gap="xs" align="start" wrap="nowrap">
            <Code
              block
              style={{ flex: 1, overflowX: 'auto' }}
              tabIndex={0}
              role="group"
              aria-label={texts.setting(setting)}
            >
              {lines?.join('\n')}
            </Code>
            <Copy text={lines?.join('\n') ?? ''} />
          </Group>
          {setting === 'BACKUP_KEY' && <Text c="dimmed">{texts.keepKey}</Text>}
          <div role="status">{looked && !isDone && <Text>{texts.notYet}</Text>}</div>
          <Group justify="end">
            <Button loading={steps.isFetching} onClick={() => void look()}>
              {texts.look}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  )
}
