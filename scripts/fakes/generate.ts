import { divisions, oddDepartmentNames, teams } from './department-names.ts'
import type { FakeDepartment, Organisation } from './organisation-data.ts'
import { rootDepartmentId } from './organisation-data.ts'
import { type Random, seededRandom } from './random.ts'
import { recruiting } from './recruiting.ts'

export interface GenerateOptions {
  seed: number
  people: number
  departments: number
  /** How many levels of departments at most; 8 by default. */
  depth?: number
  /**
   * true by default: odd characters, endless names, siblings with one name, people with the mobile or
   * mail of another person or without one. false: a tidy organisation in which no record is a problem.
   */
  oddities?: boolean
}

/** An organisation that looks like a real one, the same for the same options; linear in its size. */
export const generateOrganisation = ({
  seed,
  people,
  departments,
  depth = 8,
  oddities = true,
}: GenerateOptions): Organisation => {
  const random = seededRandom(seed)
  const tree = plantDepartments({ random, count: departments, depth, oddities })
  const { recruit } = recruiting({ random, oddities })
  const staff = Array.from({ length: people }, () => recruit(placesIn(tree, random)))
  return { departments: tree, people: staff }
}

/** The number of the first department; the smaller ones are the platforms' own. */
const firstId = 1001

const plantDepartments = (options: {
  random: Random
  count: number
  depth: number
  oddities: boolean
}): FakeDepartment[] => {
  const { random, count, depth, oddities } = options
  const planted: Planted[] = []
  const parents: Planted[] = []
  const top = new Set<string>()
  const tops = depth === 1 ? count : Math.min(divisions.length, Math.max(1, Math.round(Math.sqrt(count) * 0.8)))

  const parentOf = (index: number): Planted | null => {
    if (index < tops) return null
    // The first below the top of a large tree go straight down, so that the depth promised is there.
    const chained = count >= 4 * depth && index < tops + depth - 1
    return (chained ? planted[index === tops ? 0 : index - 1] : undefined) ?? random.pick(parents)
  }

  for (let index = 0; index < count; index++) {
    const parent = parentOf(index)
    const siblings = parent?.names ?? top
    const level = parent === null ? 1 : parent.level + 1
    const division = parent === null ? index : parent.division
    const usual = level === 1 ? divisionNames : level === 2 ? (divisions[division]?.units ?? teams) : teams
    const name =
      (oddities ? oddName(index, siblings) : undefined) ??
      (level === 1 ? divisionNames[index] : undefined) ??
      freeName(usual, siblings, random)
    siblings.add(name)
    const department = { id: String(firstId + index), parentId: parent?.department.id ?? null, name }
    const one = { department, level, division, names: new Set<string>() }
    planted.push(one)
    if (level < depth) parents.push(one)
  }
  return planted.map(({ department }) => department)
}

interface Planted {
  department: FakeDepartment
  /** 1 at the top. */
  level: number
  /** Which division it is a part of, and so what it is called like. */
  division: number
  /** Of those directly below. */
  names: Set<string>
}

const divisionNames = divisions.map(({ name }) => name)

/** Every 53rd department has a strange name, every 211th the name of a sibling. */
const oddName = (index: number, siblings: ReadonlySet<string>): string | undefined => {
  if (index % 53 === 29) return oddDepartmentNames[Math.floor(index / 53) % oddDepartmentNames.length]
  return index % 211 === 37 ? [...siblings][0] : undefined
}

/** A name that no sibling has. */
export const freeName = (names: readonly string[], siblings: ReadonlySet<string>, random: Random): string => {
  const free = names.filter((name) => !siblings.has(name))
  if (free.length > 0) return random.pick(free)
  const name = random.pick(names)
  let number = 2
  while (siblings.has(`${name} ${number}`)) number += 1
  return `${name} ${number}`
}

/** The departments of a person: one, often one of the large ones; now and then two or three, or the root. */
export const placesIn = (departments: readonly FakeDepartment[], random: Random): string[] => {
  if (departments.length === 0 || random.chance(0.003)) return [rootDepartmentId]
  const places = new Set<string>()
  const count = random.chance(0.08) ? 2 + random.below(2) : 1
  for (let tries = 0; tries < count; tries++) {
    const department = departments[Math.floor(departments.length * random.fraction() ** 2)]
    if (department !== undefined) places.add(department.id)
  }
  return [...places]
}
