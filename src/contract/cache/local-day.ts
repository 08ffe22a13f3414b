/** A calendar day of a time zone. */
export interface LocalDay {
  /** `YYYY-MM-DD` */
  date: string
  /** When the next day begins, milliseconds since 1970. */
  endsAt: number
}

const twoDays = 2 * 86_400_000

/**
 * The day in a time zone (an IANA name) at an instant. Its length is that of the zone: 23 to 25 hours where clocks
 * change, and it need not begin at 00:00.
 */
export const localDays = (timeZone: string): ((at: number) => LocalDay) => {
  // Swedish writes dates as ISO 8601 does.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })

  const endOf = (date: string, at: number): number => {
    let [within, after] = [at, at + twoDays]
    while (after - within > 1) {
      const middle = Math.floor((within + after) / 2)
      if (format.format(middle) === date) within = middle
      else after = middle
    }
    return after
  }

  let known: (LocalDay & { from: number }) | null = null
  return (at) => {
    if (known === null || at < known.from || at >= known.endsAt) {
      const date = format.format(at)
      known = { date, from: at, endsAt: endOf(date, at) }
    }
    return known
  }
}
