import { sqlStateOf } from './sql-state.ts'

/** What a server of the database lacks that answers, and cannot work: a disk with space, memory, connections, or the right to change. */
export type Lack = 'disk' | 'memory' | 'connections' | 'changes'

const states: Readonly<Record<string, Lack>> = {
  53100: 'disk',
  53200: 'memory',
  53300: 'connections',
  25006: 'changes',
}

/** null: the error says nothing of the kind. Looks through the causes. */
export const lackOf = (error: unknown): Lack | null => states[sqlStateOf(error) ?? ''] ?? null

/** To be said after the name of the server, and what to do. */
export const lacks: Readonly<Record<Lack, { text: string; advice: string }>> = {
  disk: { text: 'has a full disk', advice: 'Free some space on the disk of the database, or use a larger one.' },
  memory: { text: 'has no memory left', advice: 'Give the server of the database more memory, or less to do.' },
  connections: {
    text: 'has no connection left for this user',
    advice: 'Raise max_connections of the server, or CONNECTION LIMIT of the role or the database.',
  },
  changes: {
    text: 'accepts no changes',
    advice: 'Name the primary server, not a standby, and set default_transaction_read_only to off.',
  },
}
