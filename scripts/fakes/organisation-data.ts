/** An organisation as plain data; every fake cloud tells it in its platform's words. */
export interface Organisation {
  departments: FakeDepartment[]
  people: FakePerson[]
  /** What was given out before `evolve` and is gone by now: no platform gives an id out twice. */
  former?: { personIds: string[]; lastJobNumber: number; lastDepartmentId: number }
}

export interface FakeDepartment {
  /** A whole number above 1, as text: DingTalk and WeCom number their departments, and 1 is their root. */
  id: string
  /** null: directly under the root. */
  parentId: string | null
  name: string
}

export interface FakePerson {
  id: string
  unionId: string
  name: string
  /** Empty when the person has none, as every other text here. */
  englishName: string
  mail: string
  /** With the country's code, `+8613812345678`; without one it is a Chinese number. */
  mobile: string
  jobNumber: string
  title: string
  /** The id of the root is the empty text. */
  departmentIds: string[]
  /**
   * What the platforms make of it: DingTalk lists those who left apart and knows no `disabled` (both that and
   * `invited` are accounts not in use there); Feishu and WeCom list all people with their state.
   */
  state: 'active' | 'disabled' | 'left' | 'invited'
  avatar: string
  /** When the person left, ISO 8601; DingTalk sends it. */
  leftAt?: string
}

export const rootDepartmentId = ''
