import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { parse } from 'yaml'
import type { Admitted, Credential } from '../../src/contract/authenticate.ts'
import type { Principal } from '../../src/contract/handler.ts'
import { mounted } from '../../src/contract/mount.ts'
import { type AppOptions, buildApp } from '../../src/main/app.ts'
import { openDoor } from './call.ts'
import { fixtureDocument, fixtureText } from './fixtures.ts'
import { refusals } from './refusals.ts'

type AnyHandler = (input: never) => Promise<unknown>

/** What the fixtures' handlers are given. */
export interface Given {
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: Record<string, unknown>
  user: Principal | null
  request: { token: string | null; address: string; requestId: string; userAgent: string }
}

export const principal = (userId: number): Principal => ({
  userId,
  username: `user${userId}`,
  sessionId: `session${userId}`,
  rank: 1,
  roleIds: [1],
  may: () => true,
})

/** A caller for whom nothing ends. */
export const admitted = (userId: number): Admitted => ({
  principal: principal(userId),
  renew: () => null,
  recheck: () => null,
})

/** The bearer token of a request. */
export const tokenOf = (credential: Credential): string | null =>
  credential.kind === 'bearer' ? credential.token : null

/** Tokens `user1`, `user2`… are good, `weak` is known and has no grant. */
const authenticate: AppOptions['authenticate'] = async (credential) => {
  const token = tokenOf(credential)
  const id = /^user(\d+)$/.exec(token ?? '')?.[1]
  if (token === 'weak') throw refusals.not_granted()
  if (id === undefined) throw refusals.sign_in()
  return admitted(Number(id))
}

export interface Service {
  app: FastifyInstance
  call: (
    id: string,
    input?: Parameters<ReturnType<typeof openDoor>['call']>[2],
  ) => ReturnType<ReturnType<typeof openDoor>['call']>
  assertReply: ReturnType<typeof openDoor>['assertReply']
  /** Every line that was logged. */
  lines: Record<string, unknown>[]
  /** What handlers were called with, newest last. */
  given: Given[]
}

export interface ServiceOptions extends Partial<Omit<AppOptions, 'documents' | 'log' | 'config'>> {
  config?: Partial<AppOptions['config']>
  /** Handlers by operation id; the others answer a plain success. */
  handlers?: Record<string, AnyHandler>
}

const fixtures = ['library', 'loans', 'pantry']

const plain: Record<string, unknown> = {
  ping: 'pong',
  addBook: { id: 1 },
  listBooks: { total: 0, books: [] },
  showTree: { name: 'top', children: [{ name: 'below', children: [] }] },
  listLoans: ['Emma'],
}

/** The fixture contracts, served by the real app. */
export const service = async (
  t: { teardown: (run: () => unknown) => void },
  { config, handlers = {}, ...options }: ServiceOptions = {},
): Promise<Service> => {
  const lines: Record<string, unknown>[] = []
  const given: Given[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const documents = await Promise.all(fixtures.map(fixtureDocument))
  const app = await buildApp({
    contract: {
      yaml: async (name) => fixtureText(name),
      json: async (name) => JSON.stringify(parse(fixtureText(name))),
    },
    config: { basePath: '', bodyLimit: 65_536, corsOrigins: [], trustProxy: false, timeZone: 'UTC', ...config },
    log,
    authenticate,
    ...options,
    documents: documents.map((document) => {
      const groups: Record<string, Record<string, unknown>> = {}
      for (const { id, group } of document.operations) {
        groups[group] ??= {}
        groups[group][id] = async (input: Given) => {
          given.push(input)
          return handlers[id]?.(input as never) ?? plain[id] ?? null
        }
      }
      return mounted(document, groups as never)
    }),
  })
  t.teardown(() => app.close())
  await app.ready()
  const door = openDoor(fixtures.map(fixtureText))
  return { app, lines, given, call: (id, input) => door.call(app, id, input), assertReply: door.assertReply }
}
