/**
 * Checks what a syslog receiver has kept of the operation log, without Steward and its database:
 *
 *     LOG_KEY=… node check-log.mjs < steward.log
 *
 * Reads messages of RFC 5424, one a line. LOG_KEY is that of Steward, with the former keys behind it. Without LOG_KEY it
 * checks only that no entry is missing, and that each is chained to the one before it. Exit code: 0 the log is whole, 1 it
 * is not, or LOG_KEY is another key.
 */
import { createHmac, hkdfSync } from 'node:crypto'
import { createInterface } from 'node:readline'

const hmac = (key, text, encoding) => createHmac('sha256', key).update(text).digest(encoding)
/** By the id that is in a hash, before the dot. */
const keys = new Map(
  (process.env.LOG_KEY ?? '')
    .split(/\s+/)
    .filter(Boolean)
    .map((secret) => {
      const key = Buffer.from(hkdfSync('sha256', secret, '', 'steward operation log', 32))
      return [hmac(key, 'key id', 'hex').slice(0, 8), key]
    }),
)

const hashOf = (keyId, previous, seq, e) => {
  const parts = [
    ...['entry', previous, seq, e.startTime, e.timeCost, e.username, e.ip, e.method, e.path, e.remark, e.status],
    ...[e.userAgent, e.target, ...(e.times === 1 ? [] : [e.times]), ...(e.preview ? ['preview'] : [])],
  ]
  return `${keyId}.${hmac(keys.get(keyId), JSON.stringify(parts), 'base64url')}`
}

/** By sequence number. */
const entries = new Map()
const problems = []
let [again, unsigned] = [0, 0]

for await (const line of createInterface({ input: process.stdin })) {
  const [, facts = '', text = ''] = /\[steward@32473 ([^\]]*)\] \ufeff?(\{.*\})$/.exec(line) ?? []
  if (facts === '') continue
  const { seq, hash, previous, cut } = Object.fromEntries(
    [...facts.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  )
  const place = Number(seq)
  const before = previous === '-' ? '' : previous
  const [keyId] = hash.split('.')
  const known = entries.get(place)
  if (known !== undefined && known.hash !== hash) problems.push(`${place}: came with two hashes`)
  if (known?.hash === hash) again += 1
  else entries.set(place, { hash, before, keyId })
  if (!keys.has(keyId) || cut || before === undefined) unsigned += 1
  else if (hashOf(keyId, before, place, JSON.parse(text)) !== hash) problems.push(`${place}: is not what was written`)
}

const places = [...entries.keys()].sort((a, b) => a - b)
places.forEach((place, index) => {
  const last = places[index - 1]
  if (last === undefined) return
  if (place !== last + 1) problems.push(`${last + 1} to ${place - 1}: missing`)
  else if (entries.get(place).before !== entries.get(last).hash) problems.push(`${place}: is not chained to ${last}`)
})

// Before the first entry with a key of LOG_KEY there may be former keys, which not everyone has who checks the log.
const first = places.findIndex((place) => keys.has(entries.get(place).keyId))
const foreign =
  keys.size === 0 ? [] : places.slice(Math.max(first, 0)).filter((place) => !keys.has(entries.get(place).keyId))
if (foreign.length > 0) {
  problems.push(
    `${foreign[0]}: ${entries.get(foreign[0]).keyId} signed it, which is no key of LOG_KEY; ${foreign.length} such entries`,
  )
}

for (const problem of problems) console.log(problem)
console.log(
  `${places.length} entries, ${places[0] ?? 0} to ${places.at(-1) ?? 0}; ${again} came again; ${unsigned} only linked`,
)
process.exitCode = problems.length === 0 ? 0 : 1
