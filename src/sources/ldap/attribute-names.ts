/**
 * The names of attributes in records, whatever a server calls them. An attribute that is not listed here has the name
 * in the server's schema.
 */
const names = `
  cn sn uid ou o dc c l st street title description displayName givenName initials generationQualifier mail mobile
  telephoneNumber homePhone pager facsimileTelephoneNumber employeeNumber employeeType departmentNumber roomNumber
  postalAddress homePostalAddress registeredAddress postalCode postOfficeBox physicalDeliveryOfficeName
  preferredLanguage businessCategory carLicense labeledURI manager secretary seeAlso owner serialNumber info host
  objectClass entryUUID member uniqueMember memberUid memberOf
  uidNumber gidNumber homeDirectory loginShell gecos
  objectGUID sAMAccountName sAMAccountType userPrincipalName userAccountControl department company division employeeID
  streetAddress co countryCode wWWHomePage mailNickname proxyAddresses otherMobile otherTelephone otherMailbox ipPhone
  primaryGroupID comment distinguishedName name directReports managedBy groupType whenCreated whenChanged accountExpires pwdLastSet
  ${Array.from({ length: 15 }, (_, index) => `extensionAttribute${index + 1}`).join(' ')}`

/** Other names of the same attributes, in lower case (RFC 4519, RFC 4524, RFC 2798). */
const otherNames: Readonly<Record<string, string>> = {
  commonname: 'cn',
  surname: 'sn',
  userid: 'uid',
  organizationalunitname: 'ou',
  organizationname: 'o',
  domaincomponent: 'dc',
  countryname: 'c',
  localityname: 'l',
  stateorprovincename: 'st',
  gn: 'givenName',
  rfc822mailbox: 'mail',
  mobiletelephonenumber: 'mobile',
  hometelephonenumber: 'homePhone',
  pagertelephonenumber: 'pager',
  fax: 'facsimileTelephoneNumber',
}

const spelling = new Map([
  ...Object.entries(otherNames),
  ...names
    .trim()
    .split(/\s+/)
    .map((name): [string, string] => [name.toLowerCase(), name]),
])

/** Secrets, whatever a schema calls them: passwords and their hashes, keys. */
const secret = /passw|pwd|secret|credential|privatekey|principalkey|userpkcs12|krbextradata/i
const harmless = new Set(['pwdlastset'])

/** Pictures, certificates and the like: large, and not text. */
const noText = new Set(
  `jpegPhoto photo audio thumbnailPhoto thumbnailLogo userCertificate userSMIMECertificate cACertificate
  x500UniqueIdentifier objectSid sIDHistory nTSecurityDescriptor msExchMailboxGuid msExchMailboxSecurityDescriptor
  mS-DS-ConsistencyGuid userParameters logonHours replPropertyMetaData`
    .toLowerCase()
    .split(/\s+/),
)

const plainName = /^[a-z][a-z\d-]*$/i

/**
 * The name of an attribute in a record, from the server's description; null for attributes that records never contain:
 * secrets, binary values, and values with options (`cn;lang-fr`), which field relations cannot name.
 */
export const attributeName = (description: string): string | null => {
  const key = description.toLowerCase()
  if (!plainName.test(key) || noText.has(key) || (secret.test(key) && !harmless.has(key))) return null
  return spelling.get(key) ?? description
}
