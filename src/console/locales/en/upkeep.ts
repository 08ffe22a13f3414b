/** The texts of all other pages: one file for a browser. */
export { backups } from './backups.ts'
export { diet } from './diet.ts'
export { directory } from './directory.ts'
export { runs } from './runs.ts'
export { security } from './security.ts'
export { sources } from './sources.ts'
export { statements } from './statements.ts'
