import type { Statement } from '../../failures/statement.ts'
import { disabledDn, peopleDn } from '../../mirror/entry/places.ts'
import { createExamination } from '../platform/examination.ts'
import { type Diagnosis, SourceError } from '../source.ts'
import { statements } from '../statements.ts'
import { locatedShape, unidentified } from './located.ts'
import { isThisMachine, type MirrorPlace, overlaps, ownEntries } from './own-entries.ts'
import { openReader } from './reader.ts'
import { type LdapSourceSettings, readSubject } from './settings.ts'
import type { Sight } from './subtree.ts'
import { countDepartments, countPeople, samplePeople } from './survey.ts'

const fieldAdvice = statements.grant_read()

/** Connection, base, place, departments, users: each step over a connection of its own. */
export const diagnoseLdap = async (
  settings: LdapSourceSettings,
  mirror: MirrorPlace | null,
  signal: AbortSignal,
): Promise<Diagnosis> => {
  const { diagnosis, step, roots, missing } = createExamination(signal)
  const through = async <T>(signal: AbortSignal, look: (sight: Sight) => Promise<T>): Promise<T> => {
    const subject = readSubject(settings)
    const reader = await openReader(settings, signal)
    const gaps: Statement[] = []
    try {
      const seen = await look({
        reader,
        subject,
        isOwn: ownEntries(settings, mirror),
        gap: (reason) => void gaps.push(reason),
      })
      const [gap, others] = gaps
      if (gap !== undefined)
        throw new SourceError(others === undefined ? gap : statements.gaps_found({ gap, others }), {
          advised: statements.one_server(),
        })
      return seen
    } finally {
      reader.close()
    }
  }

  const connected = await step('connection', async (signal) => {
    ;(await openReader(settings, signal)).close()
    const { host, hostname, protocol } = new URL(settings.url)
    const isSafe = settings.startTls || protocol === 'ldaps:' || isThisMachine(hostname)
    return {
      found: statements.signed_in({ host, account: settings.bindDn }),
      advice: isSafe ? null : statements.password_clear(),
      value: true,
    }
  })
  if (connected === null) return diagnosis

  const base = await step('base', (signal) =>
    through(signal, async ({ reader, subject: { preset, baseDn } }) => {
      const entry = await reader.entry({ base: baseDn, attributes: [preset.identity] }, locatedShape(preset))
      if (entry === null) {
        throw new SourceError(statements.base_missing({ dn: baseDn }), { advised: statements.check_base() })
      }
      if (entry.id === '') throw unidentified(entry, preset)
      return { found: statements.base_readable({ dn: entry.dn, identity: preset.identity }), value: true }
    }),
  )
  if (base === null) return diagnosis

  await step('place', (signal) => through(signal, (sight) => examinePlace(sight, settings, mirror)))

  const departments = await step('departments', (signal) =>
    through(signal, async (sight) => {
      const { count, top } = await countDepartments(sight)
      const filter = settings.groupFilter || sight.subject.preset.groupFilter
      return {
        found: statements.ldap_departments({ departments: count, top: top.length, filter }),
        advice: count === 0 ? statements.check_departments() : null,
        value: top,
      }
    }),
  )
  if (departments === null) return diagnosis
  roots(departments)

  await step('users', (signal) =>
    through(signal, async (sight) => {
      const sample = await samplePeople(sight)
      const count = await countPeople(sight)
      const filter = settings.userFilter || sight.subject.preset.userFilter
      const fields = Object.fromEntries(sight.subject.preset.fields.map((field) => [field, fieldAdvice]))
      return {
        found: statements.ldap_people({ people: count, filter, sample: sample.length }),
        advice: count === 0 ? statements.check_people() : missing(sample, fields),
        value: true,
      }
    }),
  )
  return diagnosis
}

/** Whether the service writes to the tree that the source reads. */
const examinePlace = async (
  { reader, subject: { preset } }: Sight,
  settings: LdapSourceSettings,
  mirror: MirrorPlace | null,
) => {
  if (overlaps(settings, mirror)) {
    return {
      found: statements.own_place({ baseDn: mirror?.baseDn ?? '' }),
      advice: statements.leave_own_place(),
      value: true,
    }
  }
  const look = (dn: string) => reader.entry({ base: dn, attributes: [] }, locatedShape(preset))
  const [people, disabled] = [await look(peopleDn(settings.baseDn)), await look(disabledDn(settings.baseDn))]
  return people !== null && disabled !== null
    ? {
        found: statements.like_own_place(),
        advice: statements.maybe_own_place(),
        value: true,
      }
    : { found: statements.other_place(), value: true }
}
