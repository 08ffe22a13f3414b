import { readdirSync, readFileSync } from 'node:fs'

// Only Linux tells what other processes have used; elsewhere it is this process alone.

/** Of /proc/<pid>/stat, after the name: the parent, and the ticks of itself and of the children that it has waited for. */
const stat = (pid: string): { parent: string; ticks: number } | null => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return { parent: fields[1] ?? '', ticks: fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) }
  } catch {
    // It has ended.
    return null
  }
}

const ticksPerSecond = 100

/** Seconds of CPU that this process has used so far, with all the processes that it and they have started. */
export const cpuSeconds = (): number => {
  if (process.platform !== 'linux') return process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6
  const children = new Map<string, { pid: string; ticks: number }[]>()
  const own = String(process.pid)
  for (const pid of readdirSync('/proc')) {
    const found = /^\d+$/.test(pid) && pid !== own ? stat(pid) : null
    if (found) children.set(found.parent, [...(children.get(found.parent) ?? []), { pid, ticks: found.ticks }])
  }
  const below = (pid: string): number =>
    (children.get(pid) ?? []).reduce((sum, child) => sum + child.ticks + below(child.pid), 0)
  return ((stat(own)?.ticks ?? 0) + below(own)) / ticksPerSecond
}
