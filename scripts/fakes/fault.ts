/** Which calls a fault is for, and how often it fires. Every condition that is left out holds. */
export interface FaultMatch {
  /** The call's whole path, or a pattern for it. Without one a fault is for every call but that for a token. */
  path?: string | RegExp
  /** Calls about this department of the `Organisation`; the empty text is the root. */
  department?: string
  /** Calls for this page of a list, from 1. */
  page?: number
  /** The first of these calls it is for, from 1; 1 by default. */
  nth?: number
  /** On how many calls it fires, one after the other; Infinity: for ever. */
  times?: number
}

/** Answers instead of the platform's, or no answer at all; these fire once by default. */
export type AnswerFault =
  /** The platform's own error in its own shape: -1, 90018, 90019, 90020, 45009, 99991672, … */
  | { kind: 'error'; code: number; subCode?: string; message?: string; status?: number }
  /**
   * The platform's way to say "too fast": Feishu HTTP 429 (or `status`, the older 400) with 99991400 and the headers that
   * say to `wait` so many seconds; DingTalk 90018, WeCom 45009, or another `code`.
   */
  | { kind: 'limited'; code?: number; wait?: number; status?: number }
  /** A page for people where JSON was asked for: DingTalk's block page, a gateway's; HTTP 200 by default. */
  | { kind: 'html'; status?: number }
  /** `{"status":1111,"wait":5,"source":"x5"}`, what DingTalk says to a blocked address. */
  | { kind: 'blocked' }
  | { kind: 'reset' }
  /** The body ends in the middle, and the connection with it. */
  | { kind: 'truncated' }
  /** The body ends in the middle, and says that this is all. */
  | { kind: 'cut' }
  /** The connection stays open and nothing comes. */
  | { kind: 'silent' }
  /** All tokens handed out so far expire, first of all for this call. */
  | { kind: 'expire' }

/** The platform's own answer, but not as it should be; these fire once by default. */
export type DistortingFault =
  /** Milliseconds before the answer. */
  | { kind: 'slow'; delay: number }
  /** The cursor to the next page leads to this one again; a list without pages has everything twice. */
  | { kind: 'repeat' }

/** Another organisation than the one there is; these last for ever by default. */
export type ViewFault =
  /** All lists in another order, the same for the same seed. */
  | { kind: 'shuffle'; seed: number }
  /** These departments and all below them are not there, and people who are nowhere else neither. */
  | { kind: 'hide'; departments: readonly string[] }
  /** The app sees these departments only, with all below them, as the platform treats an app of smaller scope. */
  | { kind: 'scope'; visible: readonly string[] }
  /** Ids without names: WeCom refuses the lists with details, the others leave all else out. */
  | { kind: 'idsOnly' }
  /** These fields of people and departments are absent. */
  | { kind: 'withhold'; fields: readonly string[] }
  | { kind: 'empty' }

/** One thing that goes wrong. */
export type Fault = FaultMatch & (AnswerFault | DistortingFault | ViewFault)

const answering: ReadonlySet<Fault['kind']> = new Set<AnswerFault['kind']>([
  'error',
  'limited',
  'html',
  'blocked',
  'reset',
  'truncated',
  'cut',
  'silent',
  'expire',
])

const lasting: ReadonlySet<Fault['kind']> = new Set<ViewFault['kind']>([
  'shuffle',
  'hide',
  'scope',
  'idsOnly',
  'withhold',
  'empty',
])

/** What a call is about, as far as faults care. */
export interface FaultSubject {
  path: string
  forToken: boolean
  department: string | undefined
  page: number | undefined
}

export type FiredFault = { answer: Extract<Fault, AnswerFault> | undefined; others: Exclude<Fault, AnswerFault>[] }

export interface FaultScript {
  /** The faults not used up yet. */
  readonly faults: Fault[]
  /** Those that fire on this call. At most one of them answers: the first. */
  fire: (subject: FaultSubject) => FiredFault
}

export const faultScript = (faults: readonly Fault[]): FaultScript => {
  const left = [...faults]
  const counts = new Map<Fault, { met: number; fired: number }>()

  const isDue = (fault: Fault, subject: FaultSubject): boolean => {
    if (!matches(fault, subject)) return false
    const count = counts.get(fault) ?? { met: 0, fired: 0 }
    counts.set(fault, count)
    count.met += 1
    return count.met >= (fault.nth ?? 1)
  }

  const spend = (fault: Fault): void => {
    const count = counts.get(fault)
    if (count === undefined) return
    count.fired += 1
    if (count.fired >= (fault.times ?? (lasting.has(fault.kind) ? Infinity : 1))) left.splice(left.indexOf(fault), 1)
  }

  return {
    faults: left,
    fire: (subject) => {
      const fired: FiredFault = { answer: undefined, others: [] }
      for (const fault of left.filter((candidate) => isDue(candidate, subject))) {
        if (!isAnswer(fault)) fired.others.push(fault)
        else if (fired.answer === undefined) fired.answer = fault
        else continue
        spend(fault)
      }
      return fired
    },
  }
}

const isAnswer = (fault: Fault): fault is Extract<Fault, AnswerFault> => answering.has(fault.kind)

const matches = ({ path, department, page }: FaultMatch, subject: FaultSubject): boolean => {
  if (
    path === undefined ? subject.forToken : typeof path === 'string' ? path !== subject.path : !path.test(subject.path)
  )
    return false
  return (
    (department === undefined || department === subject.department) && (page === undefined || page === subject.page)
  )
}
