import { readFileSync } from 'node:fs'
import {
  Client,
  ConstraintViolationError,
  InappropriateAuthError,
  InvalidCredentialsError,
  UnwillingToPerformError,
} from 'ldapts'
import { equals } from '../../src/ldap/filter.ts'
import type { ServerUnderTest } from '../../test/ldap-server/ldap-tools.ts'

/** What a server answers to a person who may not sign in: the wrong password, or an account that is locked. */
const refusals = [InvalidCredentialsError, InappropriateAuthError, UnwillingToPerformError, ConstraintViolationError]

const clientOf = ({ url, caFile }: Pick<ServerUnderTest, 'url' | 'caFile'>): Client =>
  new Client({ url, timeout: 20_000, ...(caFile && { tlsOptions: { ca: [readFileSync(caFile)] } }) })

/** Whether an application lets this person in: it binds as the entry, with the password. */
export const bindsAs = async (
  server: Pick<ServerUnderTest, 'url' | 'caFile'>,
  dn: string,
  secret: string,
): Promise<boolean> => {
  // RFC 4513 section 5.1.2: a server may take an empty password for an anonymous bind, so applications refuse it.
  if (secret === '') return false
  const client = clientOf(server)
  try {
    await client.bind(dn, secret)
    return true
  } catch (error) {
    if (refusals.some((refusal) => error instanceof refusal)) return false
    throw error
  } finally {
    await client.unbind()
  }
}

/** The DNs of the entries below `base` whose `attribute` is `value`, and other values of theirs. */
export const entriesOf = async (server: ServerUnderTest, base: string, attribute: string, value: string) => {
  const client = clientOf(server)
  try {
    await client.bind(server.bindDn, server.bindPassword)
    const { searchEntries } = await client.search(base, {
      filter: equals(attribute, value),
      explicitBufferAttributes: [],
    })
    return searchEntries
  } finally {
    await client.unbind()
  }
}
