/** The departments that list a person. */
export interface Memberships {
  /** Members of one department must be added before those of the next. */
  add(member: string, departmentId: string): void
  has(member: string): boolean
  /** Adds the ids of the departments that list `member` to `ids`. */
  addTo(ids: Set<string>, member: string): void
}

const emptyList = 0
/** No person is in more departments; a list and a department together are one exact number. */
const maxDepartments = 2 ** 24

/**
 * Most people are in few departments, and in the same ones as others: each combination of departments is stored once,
 * as a shorter combination and one more department, and a member costs a key and a number. (Measured: 50,000 people in
 * two groups each, with DNs of 45 characters, take 5 MB.)
 */
export const createMemberships = (): Memberships => {
  const lists = new Map<string, number>()
  const departments: string[] = []
  const shorter = [emptyList]
  const lastOf = [-1]
  const longer = new Map<number, number>()

  const withOneMore = (list: number, department: number): number => {
    const step = list * maxDepartments + department
    let found = longer.get(step)
    if (found === undefined) {
      found = shorter.push(list) - 1
      lastOf.push(department)
      longer.set(step, found)
    }
    return found
  }

  return {
    add(member, departmentId) {
      if (departments.at(-1) !== departmentId) departments.push(departmentId)
      const department = departments.length - 1
      const list = lists.get(member) ?? emptyList
      if (lastOf[list] !== department) lists.set(member, withOneMore(list, department))
    },
    has: (member) => lists.has(member),
    addTo(ids, member) {
      for (let list = lists.get(member) ?? emptyList; list !== emptyList; list = shorter[list] ?? emptyList) {
        ids.add(departments[lastOf[list] ?? 0] ?? '')
      }
    },
  }
}
