import type { Test } from 'tap'
import type { FakeCloud, FakeCloudOptions } from '../../scripts/fakes/cloud.ts'
import { startFakeDingtalk } from '../../scripts/fakes/dingtalk.ts'
import { startFakeFeishu } from '../../scripts/fakes/feishu.ts'
import { openDepartmentId, openId, unionIdOf } from '../../scripts/fakes/feishu-ids.ts'
import type { FakePerson, Organisation } from '../../scripts/fakes/organisation.ts'
import { startFakeWecom } from '../../scripts/fakes/wecom.ts'
import type { Logger } from '../../src/runtime/log.ts'
import { dingtalkSource } from '../../src/sources/dingtalk.ts'
import { feishuSource } from '../../src/sources/feishu.ts'
import type { ClientOptions } from '../../src/sources/platform/client.ts'
import type { Source } from '../../src/sources/source.ts'
import { wecomSource } from '../../src/sources/wecom.ts'

/** One platform, as the tests use it. */
export interface Platform {
  name: 'dingtalk' | 'feishu' | 'wecom'
  start: (options: FakeCloudOptions) => Promise<FakeCloud>
  open: (cloud: { url: string; credentials: Record<string, string> }, options: ClientOptions) => Source
  departmentId: (id: string) => string
  userId: (id: string) => string
  unionId: (id: string) => string
  /** Whether the platform lists this person. */
  lists: (person: FakePerson) => boolean
  isActive: (person: FakePerson) => boolean
  paths: { token: string; departments: RegExp; users: string }
  /** People in one answer. */
  pageSize: number
}

const credential = (credentials: Record<string, string>, name: string): string => credentials[name] ?? ''
const same = (id: string): string => id
const works = ({ state }: FakePerson): boolean => state !== 'disabled' && state !== 'left'

export const platforms: readonly Platform[] = [
  {
    name: 'dingtalk',
    start: startFakeDingtalk,
    open: ({ url, credentials }, options) =>
      dingtalkSource(
        {
          appKey: credential(credentials, 'appKey'),
          appSecret: credential(credentials, 'appSecret'),
          url,
          apiUrl: url,
        },
        options,
      ),
    departmentId: (id) => id || '1',
    userId: same,
    unionId: same,
    lists: ({ state }) => state !== 'left',
    isActive: () => true,
    paths: {
      token: '/v1.0/oauth2/accessToken',
      departments: /department\/listsub$/,
      users: '/topapi/v2/user/list',
    },
    pageSize: 100,
  },
  {
    name: 'feishu',
    start: startFakeFeishu,
    open: ({ url, credentials }, options) =>
      feishuSource(
        { appId: credential(credentials, 'appId'), appSecret: credential(credentials, 'appSecret'), url },
        options,
      ),
    departmentId: openDepartmentId,
    userId: openId,
    unionId: unionIdOf,
    lists: () => true,
    isActive: works,
    paths: {
      token: '/open-apis/auth/v3/tenant_access_token/internal',
      departments: /\/children$/,
      users: '/open-apis/contact/v3/users/find_by_department',
    },
    pageSize: 50,
  },
  {
    name: 'wecom',
    start: startFakeWecom,
    open: ({ url, credentials }, options) =>
      wecomSource(
        { corpId: credential(credentials, 'corpId'), secret: credential(credentials, 'secret'), url },
        options,
      ),
    departmentId: (id) => id || '1',
    userId: same,
    unionId: () => '',
    lists: () => true,
    isActive: works,
    paths: {
      token: '/cgi-bin/gettoken',
      departments: /department\/list$/,
      users: '/cgi-bin/user/list',
    },
    pageSize: Number.POSITIVE_INFINITY,
  },
]

/** A snapshot, read or expected, in an order that does not depend on the reading. */
export interface Snapshot {
  departments: { id: string; parentId: string; name: unknown }[]
  users: { id: string; unionId: string; departmentIds: string[]; active: boolean; name: unknown }[]
}

const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** The expected snapshot of an organisation; with `sees`, only of the departments that it admits. */
export const snapshotOf = (
  { departments, people }: Organisation,
  platform: Platform,
  sees: (department: string) => boolean = () => true,
): Snapshot => ({
  departments: departments
    .filter(({ id }) => sees(id))
    .map(({ id, parentId, name }) => ({
      id: platform.departmentId(id),
      parentId: platform.departmentId(parentId ?? ''),
      name,
    }))
    .sort(byId),
  users: people
    .filter((person) => platform.lists(person) && person.departmentIds.some(sees))
    .map((person) => ({
      id: platform.userId(person.id),
      unionId: platform.unionId(person.unionId),
      departmentIds: person.departmentIds.filter(sees).map(platform.departmentId).sort(),
      active: platform.isActive(person),
      name: person.name,
    }))
    .sort(byId),
})

export interface Read extends Snapshot {
  gaps: string[]
  /** Rows of the largest batch. */
  largest: number
}

/** Reads everything, and merges records that come several times. */
export const readAll = async (
  source: Source,
  signal: AbortSignal = new AbortController().signal,
  watch: () => void = () => {},
): Promise<Read> => {
  const departments = new Map<string, Snapshot['departments'][number]>()
  const users = new Map<string, Snapshot['users'][number]>()
  const gaps = new Set<string>()
  let largest = 0
  const reading = { signal, gap: ({ text }: { text: string }) => void gaps.add(text) }
  for await (const batch of source.departments(reading)) {
    watch()
    largest = Math.max(largest, batch.length)
    for (const { id, parentId, record } of batch) departments.set(id, { id, parentId, name: record.name })
  }
  for await (const batch of source.users(reading)) {
    watch()
    largest = Math.max(largest, batch.length)
    for (const { id, unionId, departmentIds, active, record } of batch) {
      const places = new Set([...(users.get(id)?.departmentIds ?? []), ...departmentIds])
      users.set(id, { id, unionId, departmentIds: [...places].sort(), active, name: record.name })
    }
  }
  return {
    departments: [...departments.values()].sort(byId),
    users: [...users.values()].sort(byId),
    gaps: [...gaps],
    largest,
  }
}

export interface Stage {
  cloud: FakeCloud
  source: Source
  /** The pauses before repeated calls, in milliseconds; they are not waited out. */
  pauses: number[]
  /** Everything that was logged. */
  logged: string[]
  /** Calls that were no request for a token. */
  calls: () => number
}

/** A cloud and a source that reads it, closed with the test. */
export const stage = async (
  t: Test,
  platform: Platform,
  cloudOptions: FakeCloudOptions,
  options: Partial<ClientOptions> = {},
): Promise<Stage> => {
  const cloud = await platform.start(cloudOptions)
  const pauses: number[] = []
  const logged: string[] = []
  const line = (...parts: unknown[]): void => void logged.push(JSON.stringify(parts))
  const log: Logger = { debug: line, info: line, warn: line, error: line }
  const sleep: ClientOptions['sleep'] = async (milliseconds, signal) => {
    signal.throwIfAborted()
    pauses.push(milliseconds)
  }
  const source = platform.open(cloud, { log, rates: [], timeout: 5000, sleep, ...options })
  t.teardown(async () => {
    await source.close()
    await cloud.close()
  })
  return {
    cloud,
    source,
    pauses,
    logged,
    calls: () => cloud.calls.filter(({ path }) => path !== platform.paths.token).length,
  }
}
