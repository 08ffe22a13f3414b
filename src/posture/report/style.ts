import { Markup } from './markup.ts'

/**
 * The style of the page. Text has a contrast of 4.5:1 on both backgrounds, and nothing is expressed by colour alone.
 * Paper is always light.
 */
export const style = new Markup(`
:root {
  color-scheme: light dark;
  --ground: #f6f7f9; --card: #ffffff; --text: #16202c; --soft: #566273; --rule: #dde2e9;
  --safe: #1a7f4b; --risk: #a05a00; --danger: #c02637; --accent: #2457c5; --info: #5a6b85;
  --fill-safe: #2f9e68; --fill-risk: #e0962b; --fill-danger: #d64550; --fill-info: #8fa3c0; --fill-accent: #4c7de0;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --ground: #10151c; --card: #19212b; --text: #e8edf3; --soft: #9fabba; --rule: #2c3744;
    --safe: #5fd097; --risk: #f0b259; --danger: #ff8a92; --accent: #8fb3ff; --info: #a8b8cf;
    --fill-safe: #3fae77; --fill-risk: #dc9430; --fill-danger: #e0616b; --fill-info: #6f84a3; --fill-accent: #6c97f0;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--ground); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Noto Sans CJK SC", sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: break-word;
}
main { max-width: 1040px; margin: 0 auto; padding: 32px 20px 48px; }
header { display: flex; gap: 28px; align-items: center; justify-content: space-between; margin-bottom: 28px; }
h1 { font-size: 30px; line-height: 1.2; margin: 0 0 6px; letter-spacing: -0.01em; }
h2 { font-size: 20px; margin: 36px 0 14px; letter-spacing: -0.005em; }
h3 { font-size: 15px; margin: 0; }
p { margin: 0; }
bdi, .issues p, .card p { overflow-wrap: anywhere; }
.devices table { table-layout: fixed; }
.devices th:nth-child(n+2) { width: 16%; } .devices th:last-child { width: 20%; }
.soft { color: var(--soft); }
.eyebrow { color: var(--soft); font-size: 13px; font-weight: 600; letter-spacing: 0.08em; text-transform: uppercase; }
.verdict { margin-top: 10px; font-size: 16px; }
.ring { width: 128px; height: 128px; flex: none; }
.ring circle.track, .ring circle.arc { fill: none; stroke-width: 11; }
.ring .track { stroke: var(--rule); }
.ring .arc { stroke-linecap: round; }
.ring .arc.safe { stroke: var(--fill-safe); } .ring .arc.risk { stroke: var(--fill-risk); } .ring .arc.danger { stroke: var(--fill-danger); }
.ring text.score { font-size: 34px; font-weight: 700; fill: var(--text); }
.ring text.of { font-size: 12px; fill: var(--soft); }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(232px, 1fr)); gap: 14px; list-style: none; margin: 0; padding: 0; }
.card, .chart, .panel { background: var(--card); border: 1px solid var(--rule); border-radius: 10px; padding: 16px 18px; }
.card { display: flex; flex-direction: column; gap: 6px; }
.card .head { display: flex; justify-content: space-between; align-items: baseline; gap: 10px; }
.card .details { font-size: 14px; color: var(--soft); }
.level { font-size: 13px; font-weight: 650; white-space: nowrap; }
.level::before { content: ""; display: inline-block; width: 9px; height: 9px; margin-right: 6px; }
.level.safe { color: var(--safe); } .level.risk, .level.warning { color: var(--risk); } .level.danger { color: var(--danger); } .level.info { color: var(--info); }
.level.safe::before, .level.info::before { border-radius: 50%; background: currentColor; }
.level.risk::before, .level.warning::before { background: currentColor; transform: rotate(45deg) scale(0.85); }
.level.danger::before { background: currentColor; }
.charts { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 14px; }
.chart { margin: 0; }
.chart.wide { grid-column: 1 / -1; }
.chart figcaption { display: flex; justify-content: space-between; align-items: baseline; gap: 12px; flex-wrap: wrap; margin-bottom: 8px; }
.chart > svg { display: block; width: 100%; height: auto; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 14px; list-style: none; margin: 0; padding: 0; font-size: 13px; color: var(--soft); }
.legend svg { margin-right: 6px; }
svg text { font-size: 17px; fill: var(--soft); font-family: inherit; }
svg .safe { fill: var(--fill-safe); } svg .risk, svg .warning { fill: var(--fill-risk); } svg .danger { fill: var(--fill-danger); }
svg .info { fill: var(--fill-info); } svg .accent { fill: var(--fill-accent); }
svg .grid line { stroke: var(--rule); } svg .grid line.axis { stroke: var(--soft); }
svg .line { fill: none; stroke: var(--fill-accent); stroke-width: 2.5; stroke-linejoin: round; }
svg .point { fill: var(--fill-accent); }
svg .value { font-size: 22px; font-weight: 700; fill: var(--text); }
svg .cross { stroke: var(--fill-danger); stroke-width: 2.5; fill: none; stroke-linecap: round; }
.chart.wide svg text { font-size: 14px; }
svg .track { fill: var(--rule); opacity: 0.55; }
svg .count { font-weight: 650; fill: var(--text); }
details { margin-top: 8px; font-size: 13px; }
summary { cursor: pointer; color: var(--soft); width: fit-content; }
table { width: 100%; border-collapse: collapse; font-size: 14px; }
details table { margin-top: 6px; font-size: 13px; }
th { text-align: left; font-weight: 600; color: var(--soft); font-size: 13px; }
th, td { padding: 7px 10px 7px 0; border-bottom: 1px solid var(--rule); vertical-align: top; }
tbody tr:last-child td { border-bottom: 0; }
td.number { text-align: right; padding-right: 0; }
.issues td:first-child { width: 96px; } .issues td:last-child, .issues th:last-child { width: 60px; text-align: right; padding-right: 0; }
.issues .todo { color: var(--soft); margin-top: 2px; }
.chain { font: 13px/1.6 ui-monospace, "SF Mono", Menlo, Consolas, monospace; word-break: break-all; margin-top: 6px; }
footer { margin-top: 36px; color: var(--soft); font-size: 13px; }
@media screen and (max-width: 760px) {
  .charts { grid-template-columns: 1fr; }
  header { flex-direction: column-reverse; align-items: flex-start; }
  .issues thead { display: none; }
  .issues tr { display: grid; grid-template-columns: 1fr auto; border-bottom: 1px solid var(--rule); padding: 8px 0; }
  .issues tr:last-child { border-bottom: 0; }
  .issues td, .issues td:first-child, .issues td:last-child { border: 0; padding: 2px 0; width: auto; }
  .issues td:nth-child(2) { grid-column: 1 / -1; grid-row: 2; }
  .devices, .chart.wide { overflow-x: auto; }
  .chart.wide > svg { min-width: 800px; }
  .devices table { min-width: 600px; }
}
@page { size: A4; margin: 12mm 14mm; }
@media print {
  :root { color-scheme: light; --ground: #ffffff; }
  body, .card .details, table { font-size: 9pt; }
  body { line-height: 1.4; -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  main { max-width: none; padding: 0; }
  h1 { font-size: 22pt; }
  h2 { font-size: 13pt; margin: 14px 0 7px; break-after: avoid; }
  h3, .verdict { font-size: 10pt; }
  header { margin-bottom: 12px; }
  th, td { padding-top: 4px; padding-bottom: 4px; }
  .ring { width: 100px; height: 100px; }
  .level, .legend { font-size: 8.5pt; }
  .chart.wide svg text { font-size: 20px; }
  .cards { grid-template-columns: repeat(4, 1fr); gap: 8px; }
  .card, .chart, .panel { padding: 8px 11px; }
  .card p, .card .details { font-size: 8.5pt; }
  .card, .chart, tr { break-inside: avoid; }
  .charts { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 8px; }
  thead { display: table-header-group; }
  .chart figcaption { margin-bottom: 3px; }
  .card { gap: 3px; }
  details { display: none; }
}
`)
