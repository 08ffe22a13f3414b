import type { RunSummary } from '../../sync/run-records.ts'
import { kindName } from './words.ts'

/** The part of standard error that is used. */
export interface Screen {
  isTTY?: boolean
  columns?: number
  write: (text: string) => unknown
}

export interface Progress {
  /** Shows the progress of a run. */
  show: (run: Pick<RunSummary, 'kind' | 'phase' | 'progress' | 'progressOf'>) => void
  /** Prints a line above the bar. */
  line: (text: string) => void
  /** Removes the bar. */
  end: () => void
}

const barLength = 30
const clearLine = '\r\u001b[2K'

/** A bar on a terminal; elsewhere a line for each new phase. */
export const openProgress = (screen: Screen): Progress => {
  let shownLine = ''
  const clear = (): void => {
    if (screen.isTTY && shownLine !== '') screen.write(clearLine)
    shownLine = ''
  }
  return {
    show({ kind, phase, progress, progressOf }) {
      const doing = `${kindName(kind)}: ${phase || 'starting'}`
      const now = screen.isTTY ? `${doing.padEnd(22)} ${bar(progress, progressOf)}` : doing
      if (now === shownLine) return
      screen.write(screen.isTTY ? `${clearLine}${now.slice(0, (screen.columns ?? 80) - 1)}` : `${now}\n`)
      shownLine = now
    },
    line(text) {
      clear()
      screen.write(`${text}\n`)
    },
    end: clear,
  }
}

/** For a phase whose total is unknown: only the number so far. */
const bar = (done: number, of: number | null): string => {
  if (of === null || of === 0) return `${done}`
  const filled = Math.round((barLength * Math.min(done, of)) / of)
  return `${'█'.repeat(filled)}${'░'.repeat(barLength - filled)} ${done} of ${of}`
}
