import type { RunSummary } from '../../sync/run-records.ts'
import { kindName } from './words.ts'

/** The part of standard error that is used. */
export interface Screen {
  isTTY?: boolean
  columns?: number
  write: (text: string) => unknown
}

export interface Progress {
  /** Shows how far a run is. */
  show: (run: Pick<RunSummary, 'kind' | 'phase' | 'progress' | 'progressOf'>) => void
  /** Prints a line, not into the bar. */
  line: (text: string) => void
  /** Takes the bar away. */
  end: () => void
}

const barLength = 30
const clearLine = '\r\u001b[2K'

/** A bar where somebody is watching; elsewhere a line whenever something else begins. */
export const openProgress = (screen: Screen): Progress => {
  let said = ''
  const clear = (): void => {
    if (screen.isTTY && said !== '') screen.write(clearLine)
    said = ''
  }
  return {
    show({ kind, phase, progress, progressOf }) {
      const doing = `${kindName(kind)}: ${phase || 'starting'}`
      const now = screen.isTTY ? `${doing.padEnd(22)} ${bar(progress, progressOf)}` : doing
      if (now === said) return
      screen.write(screen.isTTY ? `${clearLine}${now.slice(0, (screen.columns ?? 80) - 1)}` : `${now}\n`)
      said = now
    },
    line(text) {
      clear()
      screen.write(`${text}\n`)
    },
    end: clear,
  }
}

/** Where nobody knows how many there are, only how many there have been. */
const bar = (done: number, of: number | null): string => {
  if (of === null || of === 0) return `${done}`
  const filled = Math.round((barLength * Math.min(done, of)) / of)
  return `${'█'.repeat(filled)}${'░'.repeat(barLength - filled)} ${done} of ${of}`
}
