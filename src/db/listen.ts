import type { Sql } from 'postgres'

/**
 * Receives what `notify` sends to a channel, on a connection of its own.
 * @param onGap called after every reconnect: messages were lost meanwhile, so caches that depend on them must be
 * cleared.
 * @returns a function that stops listening.
 */
export type Listen = (
  channel: string,
  onPayload: (payload: string) => void,
  onGap: () => void,
) => Promise<() => Promise<void>>

export const listenOn =
  (sql: Sql): Listen =>
  async (channel, onPayload, onGap) => {
    let heard = false
    const { unlisten } = await sql.listen(channel, onPayload, () => {
      if (heard) onGap()
      heard = true
    })
    return unlisten
  }
