import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { FakeCall, FakeCloud, FakeCloudOptions } from './cloud.ts'
import { type Fault, type FaultScript, type FiredFault, faultScript } from './fault.ts'
import { finder } from './finder.ts'
import type { Organisation } from './organisation-data.ts'
import { indexOrganisation, type OrganisationIndex, type Visibility } from './organisation-index.ts'
import { distort, type Outcome, send } from './outcome.ts'
import type { CloudState, FakeRequest, Operation, Platform } from './platform.ts'
import { shuffled } from './random.ts'
import { callRate } from './rate.ts'
import { pathOf, readRequest } from './request.ts'
import { openTokens } from './tokens.ts'

/** Serves a platform on loopback. */
export const startFakeCloud = async (
  platform: Platform,
  {
    organisation,
    latency = 0,
    callsPerSecond = Infinity,
    tokenLifetime = 7200,
    port = 0,
    ...options
  }: FakeCloudOptions,
): Promise<FakeCloud> => {
  const credentials = options.credentials ?? platform.credentials
  const tokens = openTokens({ lifetime: tokenLifetime, prefix: 't-' })
  const rate = callRate(callsPerSecond)
  const calls: FakeCall[] = []
  const find = finder(platform.operations)
  let script: FaultScript = faultScript(options.faults ?? [])
  let visible = options.visible ?? null
  let scopes: readonly string[] = options.scopes ?? platform.scopes
  let look = looking(platform, organisation)

  const stateFor = ({ others }: FiredFault): CloudState => {
    const shuffle = last(others, 'shuffle')
    const withheld = others.flatMap((fault) => (fault.kind === 'withhold' ? fault.fields : []))
    return {
      organisation: look({
        empty: last(others, 'empty') !== undefined,
        visible: last(others, 'scope')?.visible ?? visible,
        hidden: others.flatMap((fault) => (fault.kind === 'hide' ? fault.departments : [])),
      }),
      credentials,
      tokens,
      may: (scope) => scopes.includes(scope),
      idsOnly: last(others, 'idsOnly') !== undefined,
      order: (items) => (shuffle === undefined ? items : shuffled(items, shuffle.seed)),
      repeat: last(others, 'repeat') !== undefined,
      reveal: (record) => {
        for (const field of withheld) record[field] = undefined
        return record
      },
    }
  }

  const answer = async (request: FakeRequest, operation: Operation, call: FakeCall): Promise<Outcome> => {
    const { path } = request
    const subject = operation.subject?.(request, stateFor({ answer: undefined, others: [] })) ?? {}
    const fired = script.fire({
      path,
      forToken: operation.forToken === true,
      department: subject.department,
      page: subject.page,
    })
    const slow = last(fired.others, 'slow')?.delay ?? 0
    if (latency + slow > 0) await delay(latency + slow)
    if (fired.answer !== undefined) {
      call.fault = fired.answer.kind
      if (fired.answer.kind === 'expire') tokens.expire()
      return distort(fired.answer, platform, path, () => operation.answer(request, stateFor(fired)))
    }
    if (!operation.forToken && !rate.take()) return { reply: platform.limited({}, path) }
    return { reply: operation.answer(request, stateFor(fired)) }
  }

  const server = createServer((message, response) => {
    const call: FakeCall = { path: pathOf(message), at: Date.now(), status: 0, code: 0, fault: '' }
    calls.push(call)
    const handle = async (): Promise<void> => {
      const found = find(message.method ?? '', call.path)
      const request = await readRequest(message, call.path, found?.segments ?? {})
      const outcome =
        found === undefined
          ? { reply: { status: 404, body: 'Not found' } }
          : await answer(request, found.operation, call)
      send(response, outcome, call)
    }
    handle().catch((error: unknown) => {
      call.status = 500
      response.writeHead(500).end(`The fake failed: ${error instanceof Error ? error.stack : String(error)}`)
    })
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get organisation() {
      return organisation
    },
    set organisation(next) {
      look = looking(platform, next)
      organisation = next
    },
    get faults() {
      return script.faults
    },
    set faults(next) {
      script = faultScript(next)
    },
    get visible() {
      return visible
    },
    set visible(next) {
      visible = next
    },
    get scopes() {
      return scopes
    },
    set scopes(next) {
      scopes = next
    },
    calls,
    credentials,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

const last = <K extends Fault['kind']>(faults: readonly Fault[], kind: K): Extract<Fault, { kind: K }> | undefined =>
  faults.findLast((fault): fault is Extract<Fault, { kind: K }> => fault.kind === kind)

type Look = (visibility: Visibility & { empty: boolean }) => OrganisationIndex

/** Indexes an organisation for each scope, and caches the indexes: indexing a large one takes a while. */
const looking = (platform: Platform, organisation: Organisation): Look => {
  platform.check?.(organisation)
  const seen = new Map<string, OrganisationIndex>()
  return ({ empty, ...visibility }) => {
    const key = JSON.stringify([empty, visibility.visible, visibility.hidden])
    const index = seen.get(key) ?? indexOrganisation(empty ? { departments: [], people: [] } : organisation, visibility)
    seen.set(key, index)
    return index
  }
}
