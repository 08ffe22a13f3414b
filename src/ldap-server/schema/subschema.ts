import { attributeTypes } from './attribute-types.ts'
import { attributeTypeDefinitions, objectClassDefinitions } from './definitions.ts'
import { matchingRules } from './matching-rules.ts'
import { syntaxes } from './syntaxes.ts'

/** The name of the entry that publishes the schema (RFC 4512 section 4.2). */
export const subschemaDn = 'cn=Subschema'

const quoted = (name: string): string => `'${name}'`

const list = (names: readonly string[]): string => (names.length === 1 ? (names[0] ?? '') : `( ${names.join(' $ ')} )`)

/** Which types a rule applies to. A type without an equality rule is not compared at all. */
const matchingRuleUses = (): string[] =>
  matchingRules.flatMap(({ oid, name, kind, appliesTo }) => {
    const comparable = attributeTypes.filter(({ syntax, equality }) => equality && appliesTo.includes(syntax.oid))
    return kind !== 'equality' || comparable.length === 0
      ? []
      : [`( ${oid} NAME ${quoted(name)} APPLIES ${list(comparable.map((type) => type.name))} )`]
  })

/** The definitions by the attribute that publishes them. */
export const subschemaAttributes = (): Readonly<Record<string, readonly string[]>> => ({
  objectClass: ['top', 'subentry', 'subschema', 'extensibleObject'],
  cn: ['Subschema'],
  structuralObjectClass: ['subentry'],
  ldapSyntaxes: syntaxes.map(({ oid, description, binaryTransfer, humanReadable }) =>
    [
      `( ${oid} DESC ${quoted(description)}`,
      ...(binaryTransfer ? [`X-BINARY-TRANSFER-REQUIRED 'TRUE'`] : []),
      ...(humanReadable ? [] : [`X-NOT-HUMAN-READABLE 'TRUE'`]),
      ')',
    ].join(' '),
  ),
  matchingRules: matchingRules.map(({ oid, name, syntax }) => `( ${oid} NAME ${quoted(name)} SYNTAX ${syntax} )`),
  matchingRuleUse: matchingRuleUses(),
  attributeTypes: attributeTypeDefinitions,
  objectClasses: objectClassDefinitions,
  entryDN: [subschemaDn],
  subschemaSubentry: [subschemaDn],
})
