import { createHash } from 'node:crypto'
import type { FakePerson, Organisation } from './organisation-data.ts'
import {
  chineseFamilyNames,
  chineseGivenNames,
  chineseTitles,
  oddPersonNames,
  plainLetters,
  westernFirstNames,
  westernLastNames,
  westernTitles,
} from './person-names.ts'
import type { Random } from './random.ts'

const words = (text: string): string[] => text.split(/\s+/)

/** `王 wang 李 li …` as pairs. */
const pairs = (text: string): { written: string; pinyin: string }[] => {
  const flat = words(text)
  return flat.flatMap((written, index) => (index % 2 === 0 ? [{ written, pinyin: flat[index + 1] ?? '' }] : []))
}

const families = pairs(chineseFamilyNames)
const given = pairs(chineseGivenNames)
const firstNames = words(westernFirstNames)
const lastNames = words(westernLastNames)
const titlesInChinese = words(chineseTitles)
const titlesInEnglish = westernTitles.split(/[|\n]/)
const mailDomain = 'lanqiao.example'

export interface RecruitingOptions {
  random: Random
  /** true: now and then a person with a strange name, or with the mobile or mail of another. */
  oddities: boolean
  /** The people who exist, and the values that were given out before: no new person gets any of them again. */
  people?: readonly FakePerson[]
  former?: Organisation['former']
}

export interface Recruiting {
  recruit: (departmentIds: string[]) => FakePerson
  freshMobile: (chinese: boolean) => string
  makeName: () => PersonName
  /** The number in the last job number given out. */
  lastJobNumber: () => number
}

/** Makes people up, each with an id, a mail, a mobile and a job number of their own. */
export const recruiting = ({ random, oddities, people = [], former }: RecruitingOptions): Recruiting => {
  const ids = new Set([...people.map(({ id }) => id), ...(former?.personIds ?? [])])
  const mobiles = new Set(people.map(({ mobile }) => mobile))
  /** How many have this name already, which becomes a part of the id: zhangwei, zhangwei2, … */
  const namesakes = new Map<string, number>()
  let lastJobNumber = people.reduce(
    (highest, { jobNumber }) => Math.max(highest, Number(jobNumber.slice(1))),
    former?.lastJobNumber ?? 10_000,
  )
  let count = 0
  let before: FakePerson | undefined

  const freshId = (wanted: string): string => {
    let number = (namesakes.get(wanted) ?? 0) + 1
    while (ids.has(number === 1 ? wanted : `${wanted}${number}`)) number += 1
    namesakes.set(wanted, number)
    const id = number === 1 ? wanted : `${wanted}${number}`
    ids.add(id)
    return id
  }

  const freshMobile = (chinese: boolean): string => {
    for (;;) {
      const prefix = chinese
        ? `+861${random.pick(['38', '39', '50', '58', '86', '88', '91'])}`
        : `+49${random.pick(['151', '160', '171'])}`
      const mobile = `${prefix}${String(random.below(10 ** 8)).padStart(8, '0')}`
      if (mobiles.has(mobile)) continue
      mobiles.add(mobile)
      return mobile
    }
  }

  const makeName = (): PersonName => (random.chance(0.7) ? chineseName(random) : westernName(random))

  const recruit = (departmentIds: string[]): FakePerson => {
    count += 1
    lastJobNumber += 1
    const { name, englishName, idName, chinese } = makeName()
    const id = freshId(idName)
    const odd = oddities ? oddityOf(count) : undefined
    const mobile = random.chance(0.04) ? '' : freshMobile(chinese)
    const unionId = createHash('sha1').update(id).digest('base64url')
    const person: FakePerson = {
      id,
      unionId,
      name: odd === 'name' ? (oddPersonNames[Math.floor(count / oddEvery) % oddPersonNames.length] ?? name) : name,
      englishName,
      mail: oddities && random.chance(0.06) ? '' : `${id}@${mailDomain}`,
      mobile,
      jobNumber: random.chance(0.05) ? '' : `E${String(lastJobNumber).padStart(6, '0')}`,
      title: random.chance(0.1) ? '' : random.pick(chinese ? titlesInChinese : titlesInEnglish),
      departmentIds,
      state: random.chance(0.96) ? 'active' : random.pick(['disabled', 'left', 'invited'] as const),
      avatar: random.chance(0.3) ? `https://static.${mailDomain}/avatars/${unionId.slice(0, 12)}.png` : '',
    }
    if (person.state === 'left')
      person.leftAt = new Date(Date.UTC(2026, random.below(9), 1 + random.below(28))).toISOString()
    if (odd === 'mobile' && before !== undefined) person.mobile = before.mobile
    if (odd === 'mail' && before !== undefined) person.mail = before.mail
    before = person
    return person
  }

  return { recruit, freshMobile, makeName, lastJobNumber: () => lastJobNumber }
}

/** One in so many has a strange name; half as many another person's mobile, a quarter another person's mail. */
const oddEvery = 83

const oddityOf = (count: number): 'name' | 'mobile' | 'mail' | undefined => {
  if (count % oddEvery === 17) return 'name'
  if (count % (2 * oddEvery) === 41) return 'mobile'
  return count % (4 * oddEvery) === 71 ? 'mail' : undefined
}

export interface PersonName {
  name: string
  englishName: string
  /** What the person's id is made from. */
  idName: string
  chinese: boolean
}

const chineseName = (random: Random): PersonName => {
  // Squared, so that the common names are common: namesakes are part of every large company.
  const family = families[Math.floor(families.length * random.fraction() ** 2)] ?? random.pick(families)
  const first = random.pick(given)
  return {
    name: `${family.written}${first.written}`,
    englishName: random.chance(0.25) ? random.pick(firstNames) : '',
    idName: `${family.pinyin}${first.pinyin}`,
    chinese: true,
  }
}

const westernName = (random: Random): PersonName => {
  const first = random.pick(firstNames)
  const last = random.pick(lastNames)
  const name = `${first} ${last}`
  return { name, englishName: name, idName: `${plainLetters(first)}.${plainLetters(last)}`, chinese: false }
}
