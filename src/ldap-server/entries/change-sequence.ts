/** Microseconds since the epoch as slapd writes them in a CSN: `20260131235959.123456Z`. */
const csnTime = (microseconds: number): string => {
  const iso = new Date(Math.floor(microseconds / 1000)).toISOString()
  const fraction = String(microseconds % 1_000_000).padStart(6, '0')
  return `${iso.slice(0, 19).replace(/\D/g, '')}.${fraction}Z`
}

/** The generalized time of a change sequence number, to the second: `20260131235959Z`. */
export const timeOfCsn = (csn: string): string => `${csn.slice(0, 14)}Z`

/** Change sequence numbers in OpenLDAP's form, each greater than all before it, even when the clock goes back. */
export const changeSequence = (now: () => number = Date.now) => {
  let last = ''
  let lastTime = 0
  let count = 0
  return {
    /** Records a number that is in use already; later ones are greater. */
    observe(csn: string): void {
      if (csn <= last) return
      last = csn
      const [, time = '', fraction = ''] = /^(\d{14})\.(\d{6})Z/.exec(csn) ?? []
      const iso = time.replace(/^(....)(..)(..)(..)(..)(..)$/, '$1-$2-$3T$4:$5:$6Z')
      lastTime = Date.parse(iso) * 1000 + Number(fraction)
      count = Number.parseInt(csn.split('#')[1] ?? '0', 16)
    },
    next(): string {
      const time = Math.max(now() * 1000, lastTime)
      count = time === lastTime ? count + 1 : 0
      if (count > 0xffffff) {
        lastTime += 1
        count = 0
      } else lastTime = time
      last = `${csnTime(lastTime)}#${count.toString(16).padStart(6, '0')}#000#000000`
      return last
    },
    /** The greatest number so far, or an empty string. */
    get latest(): string {
      return last
    },
  }
}
