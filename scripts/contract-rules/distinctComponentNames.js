/** Types that TypeScript and browsers have, beside what Node has at hand. */
const others = ['Document', 'Element', 'Node', 'Omit', 'Partial', 'Pick', 'Range', 'Readonly', 'Record', 'Selection']
const builtIn = new Set([...Object.getOwnPropertyNames(globalThis), ...others])

/**
 * Names that two components share, and names of schemas that would hide a built-in type.
 * @param {Record<string, Record<string, unknown>>} components
 */
const distinctComponentNames = (components) => {
  const problems = []
  const kinds = new Map()
  for (const [kind, entries] of Object.entries(components)) {
    for (const name of Object.keys(entries)) {
      const path = ['components', kind, name]
      const other = kinds.get(name.toLowerCase())
      if (other !== undefined) problems.push({ message: `${name} is the name of one of the ${other} too`, path })
      kinds.set(name.toLowerCase(), kind)
      if (kind === 'schemas' && builtIn.has(name)) problems.push({ message: `${name} hides a built-in type`, path })
    }
  }
  return problems
}

// Spectral takes a default export for the rule's function.
export default distinctComponentNames
