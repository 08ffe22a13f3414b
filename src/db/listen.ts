import type { Sql } from 'postgres'

/**
 * Hears what `notify` sends to a channel, on a connection of its own.
 * @param onGap called after every reconnect: what was sent meanwhile is lost, so drop what was built on it.
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
