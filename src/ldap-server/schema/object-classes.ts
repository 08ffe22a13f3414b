import { findAttributeType } from './attribute-types.ts'
import { parseDefinition } from './definition.ts'
import { objectClassDefinitions } from './definitions.ts'

export interface ObjectClass {
  oid: string
  name: string
  key: string
  kind: 'abstract' | 'structural' | 'auxiliary'
  /** The class itself and all its superclasses. */
  lineage: ReadonlySet<string>
  /** Attributes an entry of the class must or may have, including those of its superclasses, by key. */
  must: ReadonlySet<string>
  may: ReadonlySet<string>
}

const classes = new Map<string, ObjectClass>()

const attributeKey = (name: string): string => {
  const type = findAttributeType(name)
  if (type) return type.key
  throw new Error(`an object class names ${name}, which is no attribute type of the schema`)
}

const classOf = (name: string): ObjectClass => {
  const found = classes.get(name.toLowerCase())
  if (found) return found
  throw new Error(`object class ${name} has to be defined before those below it`)
}

const define = (text: string): ObjectClass => {
  const { oid, parts } = parseDefinition(text)
  const names = parts.get('NAME') ?? []
  const [name = oid] = names
  const key = name.toLowerCase()
  const superiors = (parts.get('SUP') ?? []).map(classOf)
  const attributes = (keyword: 'must' | 'may'): Set<string> =>
    new Set([
      ...superiors.flatMap((superior) => [...superior[keyword]]),
      ...(parts.get(keyword.toUpperCase()) ?? []).map(attributeKey),
    ])
  const objectClass: ObjectClass = {
    oid,
    name,
    key,
    kind: parts.has('ABSTRACT') ? 'abstract' : parts.has('AUXILIARY') ? 'auxiliary' : 'structural',
    lineage: new Set([key, ...superiors.flatMap(({ lineage }) => [...lineage])]),
    must: attributes('must'),
    may: attributes('may'),
  }
  for (const each of [oid, ...names]) classes.set(each.toLowerCase(), objectClass)
  return objectClass
}

for (const definition of objectClassDefinitions) define(definition)

/** By any of its names, or its number; undefined where the schema does not have it. */
export const findObjectClass = (name: string): ObjectClass | undefined => classes.get(name.trim().toLowerCase())

/** Whether one of the classes is `wanted` or below it (all keys). */
export const hasClass = (keys: Iterable<string>, wanted: string): boolean => {
  for (const key of keys) if (key === wanted || classes.get(key)?.lineage.has(wanted)) return true
  return false
}

/** The class below all other structural classes; null without a structural class, or with more than one chain. */
export const structuralClass = (keys: Iterable<string>): ObjectClass | null => {
  const structural = [...keys].flatMap((key) => {
    const found = classes.get(key)
    return found?.kind === 'structural' ? [found] : []
  })
  return structural.find(({ lineage }) => structural.every(({ key }) => lineage.has(key))) ?? null
}
