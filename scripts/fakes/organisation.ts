export { evolve } from './evolve.ts'
export { generateOrganisation } from './generate.ts'
export * from './organisation-data.ts'
