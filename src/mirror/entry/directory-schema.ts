import { type Directory, DirectoryError } from '../../ldap/directory.ts'
import { type Definition, parseDefinition } from '../../ldap-server/schema/definition.ts'

/** An attribute type of the directory's schema, with what it inherits. */
export interface SchemaAttribute {
  /** As the server spells it, in its first form. */
  name: string
  /** All its names, in lower case. */
  names: readonly string[]
  /** The OID of its syntax; '' where the server does not say. */
  syntax: string
  singleValue: boolean
  /** Clients may not write it. */
  operational: boolean
}

export interface SchemaClass {
  name: string
  auxiliary: boolean
  /** Attributes that it requires and allows, with those of its superclasses, in lower case and under one name each. */
  must: ReadonlySet<string>
  may: ReadonlySet<string>
}

/** What the server publishes about its schema (RFC 4512 section 4.2). */
export interface DirectorySchema {
  attribute(name: string): SchemaAttribute | undefined
  objectClass(name: string): SchemaClass | undefined
  /** Whether there is the attribute, and the class is an auxiliary one; '': without a class. */
  allows(attribute: string, objectClass: string): boolean
  /** Auxiliary classes that allow the attribute and require no others, by name. */
  auxiliariesFor(attribute: string): string[]
}

/** Servers may publish definitions that only they understand. */
const definitions = (texts: readonly string[]): Definition[] =>
  texts.flatMap((text) => {
    try {
      return [parseDefinition(text)]
    } catch {
      return []
    }
  })

const namesOf = ({ oid, parts }: Definition): string[] => {
  const names = parts.get('NAME') ?? []
  return names.length > 0 ? [...names] : [oid]
}

const byName = (all: readonly Definition[]): Map<string, Definition> =>
  new Map(all.flatMap((each) => [...namesOf(each), each.oid].map((name) => [name.toLowerCase(), each] as const)))

/** A definition and those above it, the nearest first. */
const lineage = (known: ReadonlyMap<string, Definition>, from: Definition): Definition[] => {
  const found = new Set([from])
  for (const each of found) {
    for (const name of each.parts.get('SUP') ?? []) {
      const above = known.get(name.toLowerCase())
      if (above) found.add(above)
    }
  }
  return [...found]
}

const attributeOf = (known: ReadonlyMap<string, Definition>, definition: Definition): SchemaAttribute => {
  const names = namesOf(definition)
  const line = lineage(known, definition)
  const [syntax = ''] = line.flatMap(({ parts }) => parts.get('SYNTAX') ?? [])
  return {
    name: names[0] ?? definition.oid,
    names: names.map((name) => name.toLowerCase()),
    syntax: syntax.replace(/\{\d+\}$/, ''),
    singleValue: definition.parts.has('SINGLE-VALUE'),
    operational:
      definition.parts.has('NO-USER-MODIFICATION') ||
      line.some(({ parts }) => (parts.get('USAGE')?.[0] ?? 'userApplications') !== 'userApplications'),
  }
}

/** @returns the schema in these definitions */
export const schemaOf = (attributeTypes: readonly string[], objectClasses: readonly string[]): DirectorySchema => {
  const types = byName(definitions(attributeTypes))
  const classes = byName(definitions(objectClasses))
  const attribute = (name: string): SchemaAttribute | undefined => {
    const found = types.get(name.toLowerCase())
    return found && attributeOf(types, found)
  }
  const keyOf = (name: string): string => attribute(name)?.names[0] ?? name.toLowerCase()
  const objectClass = (name: string): SchemaClass | undefined => {
    const found = classes.get(name.toLowerCase())
    if (!found) return undefined
    const line = lineage(classes, found)
    const listed = (keyword: 'MUST' | 'MAY') =>
      new Set(line.flatMap(({ parts }) => parts.get(keyword) ?? []).map(keyOf))
    return {
      name: namesOf(found)[0] ?? found.oid,
      auxiliary: found.parts.has('AUXILIARY'),
      must: listed('MUST'),
      may: listed('MAY'),
    }
  }
  return {
    attribute,
    objectClass,
    auxiliariesFor: (name) => {
      const fitting = [...new Set(classes.values())].flatMap((each) => {
        const found = each.parts.has('AUXILIARY') ? objectClass(namesOf(each)[0] ?? each.oid) : undefined
        const requires = [...(found?.must ?? [])].some((each) => each !== 'objectclass')
        return found?.may.has(keyOf(name)) && !requires ? [found.name] : []
      })
      return fitting.sort()
    },
    allows: (name, className) =>
      types.has(name.toLowerCase()) &&
      (className === '' || classes.get(className.toLowerCase())?.parts.has('AUXILIARY') === true),
  }
}

/**
 * 389 Directory Server lets clients write the attribute that its memberOf plug-in maintains. Whether the plug-in is on
 * only an account that may read the configuration knows.
 * @returns the attribute, in lower case; null: none is known
 */
const maintainedByPlugin = async (read: Directory['read']): Promise<string | null> => {
  const plugin = await read('cn=MemberOf Plugin,cn=plugins,cn=config', ['nsslapd-pluginEnabled', 'memberOfAttr']).catch(
    (error: unknown) => {
      if (error instanceof DirectoryError && error.kind !== 'unavailable') return null
      throw error
    },
  )
  const values = new Map(Object.entries(plugin?.attributes ?? {}).map(([name, all]) => [name.toLowerCase(), all[0]]))
  if (values.get('nsslapd-pluginenabled')?.toLowerCase() !== 'on') return null
  return values.get('memberofattr')?.toLowerCase() ?? null
}

/** @returns the schema that the server publishes; null: it publishes none. @throws DirectoryError */
export const readSchema = async ({
  read,
  baseDn,
}: Pick<Directory, 'read' | 'baseDn'>): Promise<DirectorySchema | null> => {
  const place = async (dn: string): Promise<string | undefined> =>
    (await read(dn, ['subschemaSubentry']))?.attributes.subschemaSubentry?.[0]
  const dn = (await place(baseDn)) ?? (await place(''))
  if (dn === undefined) return null
  const { attributeTypes = [], objectClasses = [] } =
    (await read(dn, ['attributeTypes', 'objectClasses']))?.attributes ?? {}
  if (attributeTypes.length === 0) return null
  const schema = schemaOf(attributeTypes, objectClasses)
  const maintained = schema.objectClass('nsSlapdPlugin') === undefined ? null : await maintainedByPlugin(read)
  return {
    ...schema,
    attribute: (name) => {
      const found = schema.attribute(name)
      return found && maintained !== null && found.names.includes(maintained) ? { ...found, operational: true } : found
    },
  }
}
