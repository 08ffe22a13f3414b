import { LdapError, resultCode } from './result.ts'

/**
 * How values of an attribute are checked and compared. `text` is caseIgnoreMatch on a directoryString, `ia5` the same
 * on ASCII, `exact` keeps case, `phone` ignores spaces and hyphens, `oid` is a name such as an object class.
 */
export type Syntax =
  | 'text'
  | 'ia5'
  | 'exact'
  | 'phone'
  | 'dn'
  | 'octets'
  | 'integer'
  | 'time'
  | 'oid'
  | 'boolean'
  | 'csn'

export interface AttributeType {
  /** As the standards spell it; of an unknown type as the client did. */
  name: string
  /** What it is stored and looked up under. */
  key: string
  syntax: Syntax
  /** Kept or computed by the server: not for clients to write, answered only on request. */
  operational: boolean
}

/** An attribute description (RFC 4512 section 2.5): a type and, rarely, options. */
export interface Description {
  type: AttributeType
  /** Type and options in lower case, options sorted. */
  key: string
  name: string
  options: readonly string[]
}

// The types of the core, cosine and inetOrgPerson schemas by syntax, with their other names and, where they
// name entries, their numbers. There is no schema: any
// other type is kept too, and compared as text.
const known: Readonly<Record<Syntax, string>> = {
  text: `cn/commonName/2.5.4.3 sn/surname/2.5.4.4 uid/userid/0.9.2342.19200300.100.1.1
    ou/organizationalUnitName/2.5.4.11 o/organizationName/2.5.4.10 l/localityName/2.5.4.7
    st/stateOrProvinceName/2.5.4.8 street/streetAddress/2.5.4.9 c/countryName/2.5.4.6 title description displayName givenName/gn initials
    generationQualifier businessCategory postalAddress postalCode postOfficeBox physicalDeliveryOfficeName
    registeredAddress homePostalAddress departmentNumber employeeNumber employeeType preferredLanguage roomNumber
    carLicense serialNumber/2.5.4.5 info drink/favouriteDrink host dnQualifier destinationIndicator knowledgeInformation
    name`,
  ia5: 'mail/rfc822Mailbox/0.9.2342.19200300.100.1.3 dc/domainComponent/0.9.2342.19200300.100.1.25 associatedDomain gecos',
  exact: 'memberUid homeDirectory loginShell labeledURI',
  phone: `telephoneNumber mobile/mobileTelephoneNumber pager/pagerTelephoneNumber homePhone/homeTelephoneNumber
    facsimileTelephoneNumber/fax`,
  dn: 'member uniqueMember owner manager secretary seeAlso roleOccupant aliasedObjectName associatedName',
  octets: `userPassword jpegPhoto photo audio userCertificate cACertificate userSMIMECertificate userPKCS12
    x500UniqueIdentifier thumbnailPhoto objectGUID`,
  integer: 'uidNumber gidNumber shadowLastChange shadowMin shadowMax shadowWarning shadowInactive shadowExpire',
  time: '',
  oid: 'objectClass',
  boolean: '',
  csn: '',
}

const knownOperational: Readonly<Partial<Record<Syntax, string>>> = {
  text: 'entryUUID supportedLDAPVersion supportedControl supportedExtension supportedFeatures vendorName vendorVersion',
  dn: 'entryDN memberOf creatorsName modifiersName subschemaSubentry namingContexts',
  time: 'createTimestamp modifyTimestamp',
  boolean: 'hasSubordinates',
  oid: 'structuralObjectClass',
  csn: 'entryCSN contextCSN',
}

const types = new Map<string, AttributeType>()
for (const [table, operational] of [
  [known, false],
  [knownOperational, true],
] as const) {
  for (const [syntax, names] of Object.entries(table) as [Syntax, string][]) {
    for (const group of names.split(/\s+/).filter((name) => name !== '')) {
      const [name = '', ...others] = group.split('/')
      const type = { name, key: name.toLowerCase(), syntax, operational }
      for (const each of [name, ...others]) types.set(each.toLowerCase(), type)
    }
  }
}

const descriptionPattern = /^(?:[a-z][a-z\d-]*|\d+(?:\.\d+)+)(?:;[a-z\d-]+)*$/i
const longestDescription = 256

/**
 * Reads an attribute description, whether of a known type or not.
 * @throws LdapError undefinedAttributeType for text that can be none
 */
export const describe = (text: string): Description => {
  const plain = types.get(text.toLowerCase())
  if (plain) return { type: plain, key: plain.key, name: plain.name, options: [] }
  if (text.length > longestDescription || !descriptionPattern.test(text)) {
    const shown = text.slice(0, longestDescription)
    throw new LdapError(
      resultCode.undefinedAttributeType,
      `${shown}: AttributeDescription contains inappropriate characters`,
    )
  }
  const [base = '', ...given] = text.split(';')
  const options = [...new Set(given.map((option) => option.toLowerCase()))].sort()
  const key = base.toLowerCase()
  const type = types.get(key) ?? { name: base, key, syntax: 'text', operational: false }
  return {
    type: options.includes('binary') ? { ...type, syntax: 'octets' } : type,
    key: [type.key, ...options].join(';'),
    name: [type.name, ...options].join(';'),
    options,
  }
}
