import { teams } from './department-names.ts'
import { freeName, placesIn } from './generate.ts'
import type { FakeDepartment, FakePerson, Organisation } from './organisation-data.ts'
import { westernTitles } from './person-names.ts'
import { type Random, seededRandom } from './random.ts'
import { type Recruiting, recruiting } from './recruiting.ts'

/**
 * The organisation some time later: joiners, leavers, returners, new names, titles and places of people, new names and
 * places of departments, departments that come and go, numbers that are swapped and handed on. Each change is one of
 * these. The same for the same seed; the organisation given stays as it is, and a tidy one stays tidy.
 */
export const evolve = (organisation: Organisation, seed: number, changes: number): Organisation => {
  const { former } = organisation
  const random = seededRandom(seed)
  const departments = organisation.departments.map((department) => ({ ...department }))
  const people = organisation.people.map((person) => ({ ...person, departmentIds: [...person.departmentIds] }))
  const tree = treeOf(departments, former?.lastDepartmentId ?? 1000)
  const gone = [...(former?.personIds ?? [])]
  const { lastJobNumber, ...recruits } = recruiting({ random, oddities: false, people, former })
  for (let change = 0; change < changes; change++) random.pick(events)({ random, people, gone, tree, ...recruits })
  return {
    departments,
    people,
    former: { personIds: gone, lastJobNumber: lastJobNumber(), lastDepartmentId: tree.lastId() },
  }
}

interface Scene extends Omit<Recruiting, 'lastJobNumber'> {
  random: Random
  tree: Tree
  people: FakePerson[]
  /** The ids of those who are gone altogether. */
  gone: string[]
}

type Event = (scene: Scene) => void

const join: Event = ({ people, recruit, tree, random }) => {
  people.push(recruit(placesIn(tree.departments, random)))
}

/** Most stay listed as having left; the others are gone altogether. */
const leave: Event = ({ people, gone, random }) => {
  const index = random.below(people.length)
  const person = people[index]
  if (person === undefined) return
  if (random.chance(0.4)) {
    people.splice(index, 1)
    gone.push(person.id)
  } else Object.assign(person, { state: 'left', leftAt: momentIn2026(random) })
}

const comeBack: Event = ({ people, random, tree }) => {
  const person = pickPerson(people, random, ({ state }) => state === 'left' || state === 'disabled')
  if (person === undefined) return
  person.state = 'active'
  delete person.leftAt
  person.departmentIds = placesIn(tree.departments, random)
}

const rename: Event = ({ people, random, makeName }) => {
  const { name, englishName } = makeName()
  const person = pickPerson(people, random)
  if (person !== undefined) Object.assign(person, { name, englishName })
}

const promote: Event = ({ people, random }) => {
  const person = pickPerson(people, random)
  if (person !== undefined) person.title = random.pick(westernTitles.split(/[|\n]/))
}

const transfer: Event = ({ people, random, tree }) => {
  const person = pickPerson(people, random)
  if (person !== undefined) person.departmentIds = placesIn(tree.departments, random)
}

const swapMobiles: Event = ({ people, random }) => {
  const [one, other] = [pickPerson(people, random, hasMobile), pickPerson(people, random, hasMobile)]
  if (one !== undefined && other !== undefined) [one.mobile, other.mobile] = [other.mobile, one.mobile]
}

/** A person gets the number that another had until now, who gets a new one or no number. */
const handNumberOn: Event = ({ people, random, freshMobile }) => {
  const [giver, taker] = [pickPerson(people, random, hasMobile), pickPerson(people, random)]
  if (giver === undefined || taker === undefined || giver === taker) return
  taker.mobile = giver.mobile
  giver.mobile = giver.state === 'left' || random.chance(0.5) ? '' : freshMobile(true)
}

const openDepartment: Event = ({ tree, random }) => {
  const parent = tree.departments.length === 0 || random.chance(0.05) ? null : random.pick(tree.departments)
  if (parent !== null && tree.levelOf(parent) >= deepest) return
  tree.add(parent?.id ?? null, random)
}

const renameDepartment: Event = ({ tree, random }) => {
  if (tree.departments.length === 0) return
  const department = random.pick(tree.departments)
  department.name = freeName(teams, tree.namesBelow(department.parentId), random)
}

const moveDepartment: Event = ({ tree, random }) => {
  if (tree.departments.length < 2) return
  const [moved, target] = [random.pick(tree.departments), random.pick(tree.departments)]
  if (tree.isWithin(target, moved) || target.id === moved.parentId) return
  if (tree.levelOf(target) + tree.heightOf(moved) > deepest) return
  if (tree.namesBelow(target.id).has(moved.name)) return
  moved.parentId = target.id
}

/** A department without others below it goes, and its people are from now on in the one above. */
const closeDepartment: Event = ({ tree, people, random }) => {
  if (tree.departments.length < 2) return
  const closed = random.pick(tree.departments)
  if (!tree.remove(closed)) return
  for (const person of people) {
    if (!person.departmentIds.includes(closed.id)) continue
    const rest = person.departmentIds.filter((id) => id !== closed.id)
    person.departmentIds = rest.length > 0 ? rest : [closed.parentId ?? '']
  }
}

/** What happens often is here more often. */
const events: readonly Event[] = [
  ...[join, join, join, leave, leave, comeBack, rename, promote, promote, transfer, transfer],
  ...[swapMobiles, handNumberOn, openDepartment, renameDepartment, moveDepartment, closeDepartment],
]

const deepest = 8

const hasMobile = ({ mobile }: FakePerson): boolean => mobile !== ''

/** A random person that fits; undefined when 50 tries find none. */
const pickPerson = (
  people: readonly FakePerson[],
  random: Random,
  fits: (person: FakePerson) => boolean = ({ state }) => state !== 'left',
): FakePerson | undefined => {
  for (let tries = 0; tries < 50; tries++) {
    const person = people[random.below(people.length)]
    if (person !== undefined && fits(person)) return person
  }
  return undefined
}

const momentIn2026 = (random: Random): string =>
  new Date(Date.UTC(2026, 9, 1 + random.below(30), 9 + random.below(9))).toISOString()

interface Tree {
  departments: FakeDepartment[]
  levelOf: (department: FakeDepartment) => number
  heightOf: (department: FakeDepartment) => number
  /** Is the first one the second, or somewhere below it? */
  isWithin: (department: FakeDepartment, other: FakeDepartment) => boolean
  namesBelow: (parentId: string | null) => Set<string>
  add: (parentId: string | null, random: Random) => void
  /** false: there are others below it, and it stays. */
  remove: (department: FakeDepartment) => boolean
  lastId: () => number
}

const treeOf = (departments: FakeDepartment[], lastGiven: number): Tree => {
  const known = new Map(departments.map((department) => [department.id, department]))
  let lastId = departments.reduce((highest, { id }) => Math.max(highest, Number(id)), lastGiven)

  const below = (parentId: string | null): FakeDepartment[] => departments.filter((one) => one.parentId === parentId)
  const upwards = function* (from: FakeDepartment): Generator<FakeDepartment> {
    for (let at: FakeDepartment | undefined = from; at !== undefined; at = known.get(at.parentId ?? '')) yield at
  }
  const heightOf = (department: FakeDepartment): number =>
    1 + Math.max(0, ...below(department.id).map((child) => heightOf(child)))
  const namesBelow = (parentId: string | null): Set<string> => new Set(below(parentId).map(({ name }) => name))

  return {
    departments,
    levelOf: (department) => [...upwards(department)].length,
    heightOf,
    isWithin: (department, other) => [...upwards(department)].includes(other),
    namesBelow,
    add: (parentId, random) => {
      lastId += 1
      const department = { id: String(lastId), parentId, name: freeName(teams, namesBelow(parentId), random) }
      known.set(department.id, department)
      departments.push(department)
    },
    remove: (department) => {
      if (departments.some(({ parentId }) => parentId === department.id)) return false
      known.delete(department.id)
      departments.splice(departments.indexOf(department), 1)
      return true
    },
    lastId: () => lastId,
  }
}
