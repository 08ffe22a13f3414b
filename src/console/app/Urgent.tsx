import { ActionIcon, Menu, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { type Run, useRunTexts } from '../pages/runs/run-text.ts'
import { useAlertTexts } from '../pages/security/alert-texts.ts'
import { BellIcon } from '../ui/icons.tsx'
import { notifyFailure } from '../ui/notify.tsx'
import { exactTime } from '../ui/time-text.ts'
import type { Data } from './api.ts'
import { useLanguage } from './language.tsx'
import { useLive } from './live.ts'
import { usePageTexts } from './page-texts.ts'
import { useStatementText } from './statement.ts'

type Notice = Data<'listNotices'>['notices'][number]

const notices = { read: 'listNotices', watch: 'watchNotices', event: 'notices' } as const

/** Up to so many new ones are told one by one. */
const maxTold = 2

/** How many urgent matters there are, as they come, with the way to each. A new one is told at once. */
export const Urgent = () => {
  const { security } = usePageTexts('security')
  const { urgent } = security
  const list = useLive(notices, {})
  const { titleOf, detailOf } = useNoticeTexts()
  const lookAt = useLookAt()
  useNews(list?.notices)
  const total = list?.total ?? 0
  const shown = list?.notices ?? []
  return (
    <Menu position="bottom-end" width={320}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={urgent.button(total)}
          title={urgent.button(total)}
        >
          <BellIcon />
          {total > 0 && <span className="urgent-count">{total > 99 ? '99+' : total}</span>}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown mah="70vh" style={{ overflowY: 'auto' }}>
        <Menu.Label>{total === 0 ? urgent.none : urgent.title}</Menu.Label>
        {shown.map((notice) => (
          <Menu.Item key={notice.key} onClick={() => lookAt(notice)}>
            <Text fw={600}>{titleOf(notice)}</Text>
            <Text size="sm" c="dimmed" lineClamp={2}>
              {detailOf(notice)}
            </Text>
          </Menu.Item>
        ))}
        {total > shown.length && <Menu.Label>{urgent.more(total - shown.length)}</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  )
}

/** What a notice says, in the chosen language as far as that has words for it. */
const useNoticeTexts = () => {
  const { security } = usePageTexts('security')
  const { language } = useLanguage()
  const { titleOf, textOf } = useAlertTexts()
  const { nameOf } = useRunTexts()
  const say = useStatementText()
  const { urgent } = security
  return {
    titleOf: (notice: Notice): string => {
      const { kind, params } = notice
      if (kind === 'alert') return titleOf({ ...notice, description: notice.detail })
      if (kind === 'lockedAccount') return urgent.locked(params.username ?? '')
      return urgent.held(nameOf(params as Pick<Run, 'source' | 'kind'>))
    },
    detailOf: (notice: Notice): string => {
      const { kind, params, detail, stated } = notice
      if (kind === 'alert') return textOf({ ...notice, description: detail })
      if (kind === 'heldRun') return say(stated, detail)
      return urgent.lockedUntil(exactTime(Date.parse(params.until ?? ''), language))
    },
  }
}

/** Opens what a notice is about. */
const useLookAt = (): ((notice: Notice) => void) => {
  const navigate = useNavigate()
  return ({ kind, id }) => {
    if (kind === 'heldRun') void navigate({ to: '/runs/$id', params: { id: String(id) } })
    else if (kind === 'alert') void navigate({ to: '/security/alerts', search: { alert: id } })
    else void navigate({ to: '/people', search: { person: id } })
  }
}

/** Shows a message for each notice that was not there before, but for none that is there when the page is opened. */
const useNews = (list: readonly Notice[] | undefined): void => {
  const { urgent } = usePageTexts('security').security
  const { titleOf } = useNoticeTexts()
  const lookAt = useLookAt()
  const known = useRef<ReadonlySet<string> | null>(null)
  useEffect(() => {
    if (list === undefined) return
    const before = known.current
    known.current = new Set([...(before ?? []), ...list.map(({ key }) => key)])
    if (before === null) return
    const news = list.filter(({ key }) => !before.has(key))
    if (news.length > maxTold) return notifyFailure(urgent.several(news.length))
    for (const notice of news) notifyFailure(titleOf(notice), { text: urgent.look, act: () => lookAt(notice) })
  })
}
