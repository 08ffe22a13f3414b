import { disabledDn, peopleDn } from '../../mirror/places.ts'
import { createExamination } from '../platform/examination.ts'
import { type Diagnosis, SourceError } from '../source.ts'
import { locatedShape, unidentified } from './located.ts'
import { isThisMachine, type MirrorPlace, overlaps, ownEntries } from './own-entries.ts'
import { openReader } from './reader.ts'
import { type LdapSourceSettings, readSubject } from './settings.ts'
import type { Sight } from './subtree.ts'
import { countDepartments, countPeople, samplePeople } from './survey.ts'

const fieldAdvice = 'grant the account the right to read them, where people have them'

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
    const gaps: string[] = []
    try {
      const seen = await look({
        reader,
        subject,
        isOwn: ownEntries(settings, mirror),
        gap: (reason) => void gaps.push(reason),
      })
      if (gaps.length > 0) throw new SourceError(gaps.join('; '), { advice: elsewhere })
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
      found: `signed in to ${host} as ${settings.bindDn}`,
      advice: isSafe
        ? ''
        : 'The password went there in clear: use ldaps:// in EXTLDAP_URL, or set EXTLDAP_STARTTLS=on.',
      value: true,
    }
  })
  if (connected === null) return diagnosis

  const base = await step('base', (signal) =>
    through(signal, async ({ reader, subject: { preset, baseDn } }) => {
      const entry = await reader.entry({ base: baseDn, attributes: [preset.identity] }, locatedShape(preset))
      if (entry === null) {
        throw new SourceError(`${baseDn} is not there, or may not be read`, {
          advice: 'Check EXTLDAP_BASE_DN, and that the account may read it.',
        })
      }
      if (entry.id === '') throw unidentified(entry, preset)
      return { found: `${entry.dn} can be read, and has the ${preset.identity} that entries are known by`, value: true }
    }),
  )
  if (base === null) return diagnosis

  await step('place', (signal) => through(signal, (sight) => examinePlace(sight, settings, mirror)))

  const departments = await step('departments', (signal) =>
    through(signal, async (sight) => {
      const { count, top } = await countDepartments(sight)
      const filter = settings.groupFilter || sight.subject.preset.groupFilter
      return {
        found: `departments: ${count}, at the top: ${top.length}; selected by ${filter}`,
        advice: count === 0 ? 'Check EXTLDAP_BASE_DN, EXTLDAP_PRESET and EXTLDAP_GROUP_FILTER.' : '',
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
        found: `people: ${count}; selected by ${filter}; a sample of ${sample.length} was read in full`,
        advice:
          count === 0 ? 'Check EXTLDAP_BASE_DN, EXTLDAP_PRESET and EXTLDAP_USER_FILTER.' : missing(sample, fields),
        value: true,
      }
    }),
  )
  return diagnosis
}

const elsewhere = 'Set EXTLDAP_BASE_DN to a part of the tree that one server holds alone, or see what is wrong there.'

/** Whether the service writes to the tree that the source reads. */
const examinePlace = async (
  { reader, subject: { preset } }: Sight,
  settings: LdapSourceSettings,
  mirror: MirrorPlace | null,
) => {
  if (overlaps(settings, mirror)) {
    return {
      found: `the service itself writes below ${mirror?.baseDn} on this server; people in its own units and the groups of organisations there are left out`,
      advice:
        'Set EXTLDAP_BASE_DN to a part of the tree that the service does not write to; groups made in the service are taken for departments otherwise.',
      value: true,
    }
  }
  const look = (dn: string) => reader.entry({ base: dn, attributes: [] }, locatedShape(preset))
  const [people, disabled] = [await look(peopleDn(settings.baseDn)), await look(disabledDn(settings.baseDn))]
  return people !== null && disabled !== null
    ? {
        found: 'the base holds the units people and disabled, as where this service writes to',
        advice: 'If it is where a service such as this writes to, set EXTLDAP_BASE_DN to another part of the tree.',
        value: true,
      }
    : { found: 'it is not where this service writes to', value: true }
}
