/**
 * Every table. Conventions: text columns that the contract calls optional are `not null default ''` (an empty field and
 * an absent one are the same); `status` 1 is enabled, 2 disabled; identifiers are assigned by the database and never
 * reused. Indexes are ascending also where lists are newest first: PostgreSQL reads them backwards, while Drizzle's
 * `desc()` means NULLS LAST in an index and does not serve `order by … desc`.
 */

export * from './tables/diet.ts'
export * from './tables/directory.ts'
export * from './tables/mirror.ts'
export * from './tables/operation-log.ts'
export * from './tables/runs.ts'
export * from './tables/security.ts'
export * from './tables/service.ts'
export * from './tables/sign-in.ts'
