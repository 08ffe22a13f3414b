import { type Concern, when } from './concern.ts'
import { counted, span } from './wording.ts'

/** After this many missed comparisons the state is unknown. */
const missed = 3

export const directoryConcern: Concern = {
  id: 3,
  area: 'directory',
  name: 'Directory',
  description: 'Whether the directory holds what the database says',
  details({ at, settings, directory: { records, pending, parked, comparedAt } }) {
    if (settings.directory === 'none') return 'There is no directory'
    const compared = comparedAt === null ? 'never compared' : `compared ${span(comparedAt, at)} ago`
    return `${counted(records, 'record')}, ${pending.toLocaleString('en')} pending, ${parked.toLocaleString('en')} refused; ${compared}`
  },
  figures: ({ directory: { records, pending, parked } }) => ({ records, pending, refused: parked }),
  find({ at, settings, directory: { records, parked, stuck, late, comparedAt } }) {
    if (settings.directory === 'none') {
      return [
        {
          kind: 'directoryNone',
          description: 'There is no directory: people and groups are in the database only.',
          suggestion:
            'Set LDAP_URL, LDAP_BASE_DN, LDAP_BIND_DN and LDAP_BIND_PASSWORD if other applications need them.',
        },
      ]
    }
    const unknown = comparedAt === null || at.getTime() - comparedAt.getTime() > missed * settings.driftInterval
    return [
      ...when(late > 0, () => ({
        kind: 'directoryLate',
        description: `${counted(late, 'record')} that ${late === 1 ? 'takes' : 'take'} something away (a person, a password, a membership) did not reach the directory within a minute: applications still accept it.`,
        suggestion:
          'The alert names them, and the records say why: GET /api/user/list?syncState=2. Check whether the server of LDAP_URL accepts changes.',
        params: { count: late },
      })),
      ...when(parked > 0, () => ({
        kind: 'directoryParked',
        description: `The directory refused ${parked.toLocaleString('en')} of ${counted(records, 'record')}.`,
        suggestion:
          'The records say why: GET /api/user/list?syncState=2, GET /api/group/list?syncState=2. Repair it, then POST /api/user/syncSqlUsers and /api/group/syncSqlGroups.',
        params: { count: parked, records },
      })),
      ...when(stuck > parked, () => ({
        kind: 'directoryStuck',
        description: `${(stuck - parked).toLocaleString('en')} of ${counted(records, 'record')} did not reach the directory after three tries or more.`,
        suggestion: 'Check whether the server of LDAP_URL can be reached and accepts the password of LDAP_BIND_DN.',
        params: { count: stuck - parked, records },
      })),
      ...when(unknown, () => ({
        kind: 'driftUnknown',
        description:
          comparedAt === null
            ? 'The directory was never compared with the database.'
            : `The directory was last compared with the database ${span(comparedAt, at)} ago.`,
        suggestion:
          'It is compared every DRIFT_INTERVAL: check whether the directory can be reached, and search the log for the job drift.',
      })),
      ...when(settings.directory === 'embedded', () => ({
        kind: 'directoryEmbedded',
        description: 'The directory is the embedded one, which stops when Steward stops and has no replica.',
        suggestion: 'Set LDAP_URL to a directory server of your own.',
      })),
    ]
  },
}
