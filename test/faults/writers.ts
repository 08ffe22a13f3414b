import { setTimeout as delay } from 'node:timers/promises'
import type { Reply } from '../contract/call.ts'
import { person } from '../people/console.ts'
import { type Asked, usersAndGroups } from './entries.ts'

/**
 * People at consoles who change records over and over and remember what they were told, so that a test can hold the
 * service to it.
 */
export interface Writer {
  /** Makes the next change; null: the connection was lost, and its outcome is unknown. */
  step(): Promise<Told | null>
  /** The answers to this writer that the records in SQL contradict. */
  brokenPromises(users: Awaited<ReturnType<typeof usersAndGroups>>['users']): string[]
}

export interface Told {
  code: number
  msg: string
  /** The record that was changed last, and its new `position` (null: it was removed). */
  username: string
  position: string | null
  /** Milliseconds the answer took. */
  took: number
}

export interface WriterOptions {
  username: string
  /** Groups to move between, an own one by preference. */
  groupIds: readonly number[]
  /** Whom to ask now; another one after a restart. */
  asked: () => Asked
}

/** Adds a person and returns a writer that changes them, and adds and removes others now and then. */
export const openWriter = async ({ username, groupIds, asked }: WriterOptions): Promise<Writer> => {
  let sent = 0
  let acknowledged = 0
  const departmentOf = (step: number): number[] => groupIds.slice(step % groupIds.length).slice(0, 1)
  const fieldsOf = (step: number) => ({ position: `step ${step}`, departmentId: departmentOf(step) })
  /** Visitors who were added, and those who were removed; the outcome of the others is unknown. */
  const present = new Map<string, number>()
  const gone = new Set<string>()

  const { call, token } = asked()
  const added = await call('addUser', { token, body: person(username, fieldsOf(0)) })
  if (added.code !== 0) throw new Error(`${username}: ${added.code} ${added.msg}`)
  const { id } = added.data

  const told = async (subject: Pick<Told, 'username' | 'position'>, reply: Promise<Reply>): Promise<Told> => {
    const started = Date.now()
    const { code, msg } = await reply
    return { ...subject, code, msg, took: Date.now() - started }
  }

  const change = async ({ call, token }: Asked): Promise<Told> => {
    const step = ++sent
    const { position, departmentId } = fieldsOf(step)
    const reply = call('updateUser', { token, body: { id, position, departmentId, roleIds: [] } })
    const answer = await told({ username, position }, reply)
    if (answer.code === 0) acknowledged = step
    return answer
  }

  const welcome = async ({ call, token }: Asked): Promise<Told> => {
    const visitor = `${username}-guest-${++sent}`
    const fields = fieldsOf(sent)
    const reply = call('addUser', { token, body: person(visitor, fields) })
    const answer = await told({ username: visitor, position: fields.position }, reply)
    if (answer.code === 0) present.set(visitor, (await reply).data.id)
    return answer
  }

  const dismiss = async ({ call, token }: Asked, visitor: string, visitorId: number): Promise<Told> => {
    present.delete(visitor)
    const reply = call('deleteUsers', { token, body: { userIds: [visitorId] } })
    const answer = await told({ username: visitor, position: null }, reply)
    if (answer.code === 0) gone.add(visitor)
    return answer
  }

  let turn = 0
  return {
    async step() {
      const [visitor] = present
      turn++
      try {
        if (turn % 4 === 0) return await welcome(asked())
        if (turn % 8 === 7 && visitor) return await dismiss(asked(), ...visitor)
        return await change(asked())
      } catch (error) {
        // fetch says so when the connection ended; everything else is a reply that is not as published.
        if (error instanceof TypeError) return null
        throw error
      }
    },
    brokenPromises(users) {
      const byName = new Map(users.map((user) => [user.username, user]))
      const self = byName.get(username)
      const at = Number(self?.position.slice('step '.length))
      const broken = [...present.keys()].filter((name) => !byName.has(name)).map((name) => `${name} is lost`)
      broken.push(...[...gone].filter((name) => byName.has(name)).map((name) => `${name} is back`))
      if (!(at >= acknowledged && at <= sent)) broken.push(`${username}: step ${at} after ${acknowledged} of ${sent}`)
      else if (at > 0 && String(self?.departmentId) !== String(departmentOf(at)))
        broken.push(`${username}: half a change`)
      return broken
    },
  }
}

/** Lets all of them write until they are stopped; their answers are collected in `answers`, those lost are counted. */
export const keepWriting = (writers: readonly Writer[]) => {
  const answers: Told[] = []
  let lost = 0
  let stopped = false
  const lines = writers.map(async (writer) => {
    while (!stopped) {
      const answer = await writer.step()
      // A client that got no answer pauses before it asks again.
      if (answer === null) {
        lost += 1
        await delay(20)
      } else answers.push(answer)
    }
  })
  // The caller that waits for the end gets the failure; until then it must not count as an unhandled rejection.
  const ended = Promise.all(lines)
  ended.catch(() => undefined)
  return {
    answers,
    lost: () => lost,
    async stop() {
      stopped = true
      await ended
    },
  }
}

export const brokenPromises = async (asked: Asked, writers: readonly Writer[]): Promise<string[]> => {
  const { users } = await usersAndGroups(asked)
  return writers.flatMap((writer) => writer.brokenPromises(users))
}
