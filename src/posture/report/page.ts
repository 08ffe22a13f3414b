import { type Assessment, type StatusItem, statusOf } from '../evidence/assess.ts'
import type { Facts } from '../evidence/facts.ts'
import { counted } from '../evidence/wording.ts'
import { backupTimeline } from './charts/backup-timeline.ts'
import { bars } from './charts/bars.ts'
import { deviceStates } from './charts/device-states.ts'
import { table } from './charts/frame.ts'
import { scoreLine } from './charts/score-line.ts'
import { scoreRing } from './charts/score-ring.ts'
import type { History } from './history.ts'
import { html, type Markup, named } from './markup.ts'
import { style } from './style.ts'

export interface Report {
  facts: Facts
  assessment: Assessment
  history: History
  /** The username of the caller who requested it. */
  creator: string
  timeZone: string
  /** An instant as the page shows it. */
  display: (at: Date) => string
  expiresAt: Date
}

/** The report as one self-contained page: no script, and no resources that are loaded. */
export const renderReport = (report: Report): string => {
  const { facts, assessment, history, display, expiresAt, timeZone, creator } = report
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>Security report, ${display(facts.at)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>
<header>
  <div>
    <p class="eyebrow">Steward</p>
    <h1>Security report</h1>
    <p class="soft">As of <time datetime="${facts.at.toISOString()}">${display(facts.at)}</time> (${timeZone}), for ${named(creator)}</p>
    <p class="verdict">${verdict(assessment)}</p>
  </div>
  ${scoreRing(assessment.score)}
</header>
<section aria-labelledby="status">
  <h2 id="status">Status</h2>
  <ul class="cards">${statusOf(facts).map(card)}</ul>
</section>
<section aria-labelledby="course">
  <h2 id="course">How it went</h2>
  <div class="charts">${charts(report)}</div>
</section>
<section aria-labelledby="issues">
  <h2 id="issues">What is to be done</h2>
  <div class="panel">${issues(assessment)}</div>
</section>
${devices(history, display)}
<section aria-labelledby="log">
  <h2 id="log">End of the operation log</h2>
  <div class="panel">${chainEnd(facts)}</div>
</section>
<footer>Measured when it was asked for. Its address counts until ${display(expiresAt)}; print it, or save it as PDF, to keep it.</footer>
</main>
</body>
</html>
`.text
}

const verdict = ({ issues }: Assessment): string => {
  const count = (level: string): number => issues.filter((issue) => issue.level === level).length
  const [dangers, warnings] = [count('danger'), count('warning')]
  if (dangers > 0) return `${counted(dangers, 'danger')} and ${counted(warnings, 'warning')}: see what is to be done.`
  if (warnings > 0) return `No danger, ${counted(warnings, 'warning')}.`
  return 'Nothing found that needs action.'
}

const card = ({ name, status, description, details }: StatusItem): Markup => html`
<li class="card">
  <div class="head"><h3>${name}</h3><span class="level ${status}">${status}</span></div>
  <p>${description}</p>
  <p class="details">${details}</p>
</li>`

const charts = ({ facts, assessment, history, display }: Report): Markup[] => [
  scoreLine({ scores: [...history.scores, { at: facts.at, score: assessment.score }], display }),
  bars({
    id: 'alerts-by-day',
    title: 'Alerts by day',
    days: history.alerts.map(({ day }) => day),
    series: [
      { label: 'info', className: 'info', values: history.alerts.map(({ info }) => info) },
      { label: 'warning', className: 'warning', values: history.alerts.map(({ warning }) => warning) },
      { label: 'danger', className: 'danger', values: history.alerts.map(({ danger }) => danger) },
    ],
    empty: 'No alert in these days',
  }),
  bars({
    id: 'sign-ins-by-day',
    title: 'Sign-ins by day',
    days: history.signIns.map(({ day }) => day),
    series: [
      { label: 'signed in', className: 'accent', values: history.signIns.map(({ signedIn }) => signedIn) },
      { label: 'failed', className: 'danger', values: history.signIns.map(({ failed }) => failed) },
    ],
    empty: 'No sign-ins in these days',
  }),
  deviceStates(facts.devices),
  backupTimeline({ backups: history.backups, now: facts.at, display }),
]

const issues = ({ issues: found }: Assessment): Markup =>
  found.length === 0
    ? html`<p>Nothing was found that would cost a point.</p>`
    : html`
<table class="issues">
  <thead><tr><th scope="col">Level</th><th scope="col">What was found, and what mends it</th><th scope="col">Points</th></tr></thead>
  <tbody>${found.map(({ level, description, suggestion, points }) => html`<tr><td><span class="level ${level}">${level}</span></td><td><p>${description}</p><p class="todo">${suggestion}</p></td><td>${points === 0 ? '0' : `−${points}`}</td></tr>`)}</tbody>
</table>`

const devices = ({ devices: known }: History, display: Report['display']): Markup | null =>
  known.length === 0
    ? null
    : html`
<section aria-labelledby="devices">
  <h2 id="devices">Devices</h2>
  <div class="panel devices" role="group" aria-labelledby="devices" tabindex="0">${table(
    ['Name', 'Type', 'State', 'Battery', 'Last heard of'],
    known.map(({ name, type, status, battery, batteryLow, heardAt }) => [
      named(name),
      named(type),
      html`<span class="level ${status === 'online' ? 'safe' : 'danger'}">${status}</span>`,
      battery === null ? '' : html`${battery} %${batteryLow ? html` <span class="level warning">low</span>` : null}`,
      display(heardAt),
    ]),
  )}</div>
</section>`

const chainEnd = ({ chain: { head, checked, broken } }: Facts): Markup => html`
<p>${
  broken
    ? `Broken at entry ${broken.seq}: ${broken.message}.`
    : head.seq === 0
      ? 'The log is empty.'
      : `Entry ${head.seq}; the newest ${counted(checked, 'entry', 'entries')} are as they were written. Note it down elsewhere: it tells later that the log still contains it.`
}</p>
<p class="chain">${head.hash}</p>`
