/**
 * Every table; a file of `tables/` has those of one room. Conventions: text columns that the contract calls optional are
 * `not null default ''` (an empty field and an absent one are the same); `status` 1 is enabled, 2 disabled; identifiers
 * are assigned by the database and never reused. Indexes are ascending also where lists are newest first: PostgreSQL
 * reads them backwards, while Drizzle's `desc()` means NULLS LAST in an index and does not serve `order by … desc`.
 */

export * from './tables/access.ts'
export * from './tables/alerts.ts'
export * from './tables/attributes.ts'
export * from './tables/audit.ts'
export * from './tables/auth.ts'
export * from './tables/backups.ts'
export * from './tables/devices.ts'
export * from './tables/diet.ts'
export * from './tables/facts.ts'
export * from './tables/jobs.ts'
export * from './tables/mirror.ts'
export * from './tables/people.ts'
export * from './tables/posix.ts'
export * from './tables/posture.ts'
export * from './tables/service-accounts.ts'
export * from './tables/sync.ts'
