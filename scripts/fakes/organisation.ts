export { evolve } from './evolve.ts'
export { type GenerateOptions, generateOrganisation } from './generate.ts'
export * from './organisation-data.ts'
