import { type ConnectionOptions, openConnection } from './connection-open.ts'
import { readEntry } from './search.ts'

type Access = Omit<ConnectionOptions, 'url'> & { baseDn: string }

/**
 * Whether a server has received every change that another one has, by `contextCSN` of the base: slapd keeps there, for
 * each server that accepts changes, the number of its newest one (syncrepl, RFC 4533). Also true where the other server
 * has no such numbers, because nothing is then replicated that could be compared.
 * @throws DirectoryError when one of them cannot be read
 */
export const hasAllOf = async (
  access: Access,
  { behind, ahead, timeLimit }: { behind: string; ahead: string; timeLimit: number },
): Promise<boolean> => {
  const [wanted, present] = await Promise.all([newest(access, ahead, timeLimit), newest(access, behind, timeLimit)])
  return [...wanted].every(([server, csn]) => (present.get(server) ?? '') >= csn)
}

/** Id of the server that accepted the change → number of its newest change, which sorts as text. */
const newest = async (access: Access, url: string, timeLimit: number): Promise<Map<string, string>> => {
  const connection = await openConnection({ ...access, url })
  try {
    const base = await readEntry(connection, access.baseDn, ['contextCSN'], timeLimit)
    const values = base?.attributes.contextCSN ?? []
    // 20261123215156.123456Z#000000#001#000000: time, count, server, modification.
    return new Map(values.map((csn) => [csn.split('#')[2] ?? '', csn]))
  } finally {
    connection.close()
  }
}
