import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import type { ContractDocument, Operation } from '../../src/contract/document.ts'
import { documents, type Operations } from '../../src/generated/documents.ts'
import type { TestSteward } from '../steward.ts'
import { assertReply, type Reply } from './call.ts'
import { inject } from './inject.ts'
import type { Input } from './inputs.ts'
import { verdicts } from './verdict.ts'
import { injected, type WireRequest, wireRequest } from './wire-request.ts'

type Id = keyof Operations

export interface Target {
  document: ContractDocument
  operation: Operation
  id: Id
}

/** The refusals that a request of the right shape may meet, other than of an id nothing has or a value that is taken. */
export type Rules = Partial<Record<Id, readonly (readonly [code: number, message: RegExp])[]>>

export interface Fuzzer {
  /** Every operation of every document: first those that add, last those that delete. */
  targets: readonly Target[]
  /**
   * Sends an input as the administrator, and holds the reply against what the published document says of the request.
   * @throws Error with the request and the reply, if they do not go together
   */
  send(target: Target, input: Input): Promise<void>
  /** Sends a request whose verdict is unknown: any answer of the contract is right but an error of the service. */
  sendRaw(target: Target, request: WireRequest, headers: Record<string, string>): Promise<void>
  /** Sends inputs at random: others with another seed. */
  check(target: Target, inputs: fc.Arbitrary<Input>, otherSeed?: number): Promise<void>
  /** How often each operation gave each code. */
  counts: Partial<Record<Id, Readonly<Record<number, number>>>>
  /** The newest record that was added, by the group of its operation. */
  newest: Readonly<Record<string, number>>
}

export interface FuzzerOptions {
  service: TestSteward
  rules: Rules
  seed: number
  numRuns: number
}

/** Operations that check passwords and codes, and are locked after ten failures. */
const guessing: readonly Id[] = [
  ...(['login', 'changeOwnPassword', 'sendCode', 'changePasswordByCode', 'enrolTotp'] as const),
  ...(['openConsoleSession', 'sendSignInCode', 'setPasswordByLink', 'sendMailProof', 'confirmMail'] as const),
]

const rank = ({ operation: { method, path } }: Target): number => {
  if (path.endsWith('/add')) return 0
  return method === 'DELETE' || path.endsWith('/delete') ? 2 : 1
}

export const fuzzer = ({ service, rules, seed, numRuns }: FuzzerOptions): Fuzzer => {
  const verdictOf = verdicts()
  const counts: Fuzzer['counts'] = {}
  const newest: Record<string, number> = {}
  let callers = 0

  /** Every request comes from an address of its own, so that no rate limit applies. */
  const headersFor = ({ operation }: Target): Record<string, string> => {
    callers += 1
    return {
      ...(operation.secured && { authorization: `Bearer ${service.token}` }),
      'x-forwarded-for': `10.${callers >> 16}.${(callers >> 8) & 255}.${callers & 255}`,
    }
  }

  /** Restores the administrator, whatever they did to their own account, and forgets their wrong guesses. */
  const note = async ({ id, operation: { group } }: Target, { code, data }: Reply): Promise<void> => {
    counts[id] = { ...counts[id], [code]: (counts[id]?.[code] ?? 0) + 1 }
    if (guessing.includes(id)) await service.db.execute(sql`delete from throttles`)
    if (code !== 0) return
    if (/^add/.test(id) && data !== null) newest[group] = (data as { id: number }).id
    if (id !== 'updateUser') return
    await service.db.execute(sql`insert into user_roles values (1, 1) on conflict do nothing`)
    // With an address there is a mailed code, which a step-up would ask for from then on.
    await service.db.execute(sql`update users set mail = '' where id = 1 and mail <> ''`)
  }

  const exchange = async (target: Target, request: WireRequest, headers: Record<string, string>) => {
    const options = injected(request, { ...headersFor(target), ...headers })
    const raw = await inject(service.app, options, target.operation.media)
    const reply = assertReply(target.id, raw)
    await note(target, reply)
    const complain = (problem: string): never => {
      throw new Error(`${problem}: ${JSON.stringify(request).slice(0, 2000)} → ${raw.body.slice(0, 500)}`)
    }
    return { reply, complain }
  }

  const send = async (target: Target, input: Input): Promise<void> => {
    const request = wireRequest(target.document, target.operation, input)
    const { reply, complain } = await exchange(target, request, {})
    // The administrator is one user, whose limits are soon used up.
    if (reply.code === 429 && target.operation.rateLimit?.by === 'user') return
    const verdict = verdictOf.get(target.id)
    if (verdict === undefined) throw new Error(`The published documents have no ${target.id}`)
    const wrong = verdict(input, request.payload)
    const known = rules[target.id] ?? []
    const problem = wrong.length > 0 ? problemOfRefusal(reply, wrong, known) : problemOfAnswer(reply, known)
    if (problem !== null) complain(problem)
  }

  return {
    targets: documents
      .flatMap((document: ContractDocument) =>
        document.operations.map((operation): Target => ({ document, operation, id: operation.id as Id })),
      )
      .sort((a, b) => rank(a) - rank(b)),
    send,
    async sendRaw(target, request, headers) {
      const { reply, complain } = await exchange(target, request, headers)
      const known = rules[target.id]?.some(([code, message]) => code === reply.code && message.test(reply.msg))
      if (reply.code >= 500 && !known) complain('an error of the service')
    },
    check: (target, inputs, otherSeed = seed) =>
      fc.assert(
        fc.asyncProperty(inputs, (input) => send(target, input)),
        { seed: otherSeed, numRuns },
      ),
    counts,
    newest,
  }
}

/** An invalid request is 400, its message names what is wrong, and nothing that is right is blamed. */
const problemOfRefusal = (
  { code, msg, data }: Reply,
  wrong: readonly string[],
  rules: NonNullable<Rules[Id]>,
): string | null => {
  const some = wrong.slice(0, 5).join(', ').slice(0, 200)
  if (code !== 400) return `wrong in ${some} and not refused`
  // A message names no path without end: it names the field that is nested too deeply.
  const isDeep = msg.endsWith('is nested too deeply')
  const isWrong = (field: string) =>
    wrong.includes(field) ||
    // Of a list in a query the service names the entry.
    wrong.some((at) => field.startsWith(`${at}.`)) ||
    (isDeep && wrong.some((at) => at.startsWith(`${field}.`)))
  const told = (data ?? []) as { field: string; message: string }[]
  const blamed = told.map(({ field }) => field)
  const named = blamed.length > 0 ? blamed : wrong
  if (!named.some((field) => msg.includes(field))) return `none of ${some} is named`
  const breaksRule = (line: string) => rules.some(([known, message]) => known === 400 && message.test(line))
  const innocent = told.find(({ field, message }) => !isWrong(field) && !breaksRule(`${field}: ${message}`))
  return innocent === undefined ? null : `${innocent.field} is blamed and right`
}

/** A valid request succeeds, or conflicts with existing records or one of the rules. */
const problemOfAnswer = ({ code, msg }: Reply, rules: NonNullable<Rules[Id]>): string | null => {
  if ([0, 200, 404, 409].includes(code)) return null
  return rules.some(([known, message]) => known === code && message.test(msg)) ? null : 'valid, and refused'
}
