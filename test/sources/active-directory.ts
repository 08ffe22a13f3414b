import { Client } from 'ldapts'
import type { Test } from 'tap'
import { decodeMessage } from '../../src/ldap/connection-response.ts'
import { decodeEntry, type EntryShape } from '../../src/ldap/entry-decoder.ts'
import { type TestSlapd, testSlapd } from '../slapd.ts'
import { configIdentity } from '../slapd-configuration.ts'
import { ldapRelay, searchEntry } from './ldap-relay.ts'

/** The part of Active Directory's schema that people and groups of an organisation need, under its own numbers. */
const schema = {
  olcAttributeTypes: [
    "( 1.2.840.113556.1.4.2 NAME 'objectGUID' EQUALITY octetStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE )",
    "( 1.2.840.113556.1.4.221 NAME 'sAMAccountName' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )",
    "( 1.2.840.113556.1.4.302 NAME 'sAMAccountType' EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )",
    "( 1.2.840.113556.1.4.8 NAME 'userAccountControl' EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )",
    "( 1.2.840.113556.1.4.868 NAME 'isCriticalSystemObject' EQUALITY booleanMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.7 SINGLE-VALUE )",
    "( 1.2.840.113556.1.4.90 NAME 'unicodePwd' EQUALITY octetStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE )",
    "( 1.2.840.113556.1.2.141 NAME 'department' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )",
  ],
  olcObjectClasses: [
    "( 1.2.840.113556.1.5.9 NAME 'user' SUP organizationalPerson STRUCTURAL MAY ( objectGUID $ sAMAccountName $ sAMAccountType $ userAccountControl $ isCriticalSystemObject $ unicodePwd $ department $ displayName $ mail ) )",
    "( 1.2.840.113556.1.5.8 NAME 'group' SUP top STRUCTURAL MUST cn MAY ( objectGUID $ sAMAccountName $ isCriticalSystemObject $ member $ description ) )",
    "( 1.2.840.113556.1.3.23 NAME 'container' SUP top STRUCTURAL MUST cn MAY ( objectGUID $ isCriticalSystemObject ) )",
    "( 1.2.840.113556.1.5.9999 NAME 'guided' SUP top AUXILIARY MAY ( objectGUID $ isCriticalSystemObject ) )",
  ],
}

export interface TestActiveDirectory extends TestSlapd {
  /** What a client connects to: it answers large attributes in parts, as Active Directory does. */
  partsUrl: string
}

type Values = [description: string, values: string[]]
/** Every value as octets. */
const octets: EntryShape<{ dn: string; attributes: Values[] }> = {
  begin: (dn) => ({ dn, attributes: [] }),
  attribute: (description) => ({
    form: 'hex',
    add: ({ attributes }, values) => void attributes.push([description, values]),
  }),
}

/**
 * slapd with Active Directory's schema, and a relay in front of it that answers at most `maxValues` of `member` at once
 * ([MS-ADTS] section 3.1.1.3.1.3.3).
 */
export const testActiveDirectory = async (t: Test, maxValues: number): Promise<TestActiveDirectory> => {
  const slapd = await testSlapd(t)
  const client = new Client({ url: slapd.url })
  await client.bind(configIdentity.bindDn, configIdentity.bindPassword)
  await client.add('cn=ad,cn=schema,cn=config', { objectClass: 'olcSchemaConfig', cn: 'ad', ...schema })
  await client.unbind()

  const members = new Map<string, string[]>()
  const asked = new Map<number, number>()
  const partsUrl = await ldapRelay(t, slapd.url, {
    onRequest(frame) {
      const start = /member;range=(\d+)-\*/.exec(frame.toString('latin1'))?.[1]
      // The message id is the first element of a message; this client begins at 1 and stays small.
      const id = frame.readUIntBE(frame.indexOf(0x02) + 2, frame[frame.indexOf(0x02) + 1] ?? 1)
      if (start !== undefined) asked.set(id, Number(start))
      return null
    },
    onAnswer(frame) {
      const message = decodeMessage(frame)
      if (message.kind !== 'entry') return frame
      const { dn, attributes } = decodeEntry(message.content, octets)
      const start = asked.get(message.messageId) ?? 0
      const present = attributes.find(([description]) => description === 'member')?.[1] ?? []
      const all = start > 0 ? (members.get(dn) ?? []) : present
      if (start === 0 && all.length <= maxValues) return frame
      members.set(dn, all)
      const end = start + maxValues >= all.length ? '*' : start + maxValues - 1
      const part: Values = [`member;range=${start}-${end}`, all.slice(start, start + maxValues)]
      const others = attributes.filter(([description]) => description !== 'member')
      return searchEntry(message.messageId, dn, [...others, ['member', []], part])
    },
  })
  return { ...slapd, partsUrl }
}
