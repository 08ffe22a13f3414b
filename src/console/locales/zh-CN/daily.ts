/** The texts of what is opened every day: one file for a browser. */
export { attributes } from './attributes.ts'
export { home } from './home.ts'
export { hosts } from './hosts.ts'
export { log } from './log.ts'
export { me } from './me.ts'
export { people } from './people.ts'
export { permissions } from './permissions.ts'
