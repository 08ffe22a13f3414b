import type { LogEntry } from '../../src/audit/entry.ts'

/** An entry as a request leaves it. */
export const logEntry = (changes: Partial<LogEntry> = {}): LogEntry => ({
  username: 'alice',
  ip: '192.0.2.1',
  method: 'POST',
  path: '/user/add',
  remark: 'Add a user',
  status: 0,
  startTime: new Date(),
  timeCost: 12,
  userAgent: 'test',
  target: [],
  times: 1,
  preview: false,
  ...changes,
})
