import { sql } from 'drizzle-orm'
import { administratorKeyword, grantsEverything, isAdministratorRole } from '../access/administrator-role.ts'
import { seedApiEntries } from '../access/api-entries.ts'
import { grantMenus, seedMenus } from '../access/menu-seeds.ts'
import type { StartPermit } from '../access/permits/permit.ts'
import { permitStart } from '../access/permits/users.ts'
import { importedKeyword } from '../access/principal-query.ts'
import type { Passwords } from '../auth/passwords.ts'
import type { Config } from '../config/config.ts'
import type { ContractDocument } from '../contract/document.ts'
import type { Db, Tx } from '../db/client.ts'
import { takeLock } from '../db/locks.ts'
import { roles, userRoles, users } from '../db/schema.ts'
import { readSeeded, type Seeded, writeSeeded } from '../db/seeded.ts'
import { ConfigError } from '../failures/errors.ts'
import type { Reason } from '../failures/reason-table.ts'
import { documents } from '../generated/documents.ts'
import { touch } from '../mirror/touch.ts'
import { rememberInitialPassword } from '../people/initial-password.ts'
import { refreshMobileKeys } from '../people/mobile-keys.ts'
import type { Logger } from '../runtime/log.ts'
import type { Slot } from '../sources/slot.ts'
import type { Connector } from '../sources/source.ts'
import { seedFieldRelations } from '../sync/relation-seeds.ts'
import { usernameKey } from '../text/identity-keys.ts'
import { passwordProblem } from '../text/password-rules.ts'
import { randomPassword } from '../text/random-password.ts'

/** The creator of seeded records. */
const creator = 'system'

/** A role's keyword is its name. */
const standard = [
  { keyword: administratorKeyword, sort: 1, remark: 'May do everything' },
  { keyword: importedKeyword, sort: 3, remark: 'Own information, own menus, own sign-ins, diet' },
  { keyword: 'guest', sort: 5, remark: 'Own information' },
] as const

/** Operations that concern only the caller themselves. */
const ownSecurity: readonly string[] = [
  'getMe',
  'updateMe',
  'getMyAttributes',
  'setMyAttributes',
  'listMySshKeys',
  'addMySshKey',
  'removeMySshKey',
  'sendMailProof',
  'confirmMail',
  'getMyGrants',
  'getSecondFactor',
  'disableSecondFactor',
  'enrolTotp',
  'confirmTotp',
  'renewRecoveryCodes',
  'stepUp',
  'sendStepUpCode',
  'listOwnSessions',
  'endOwnSession',
]

/** What a planner of meals needs beside the document of the diet. */
const ownMeals: readonly string[] = ['searchFoods', 'searchRecipes', 'listDietDays', 'previewDietDay', 'explainAllergy']

const operationsOf: Readonly<Record<string, (operation: SeededOperation) => boolean>> = {
  user: ({ document, id }) =>
    document === 'diet' ||
    ['getUserInfo', 'changeOwnPassword', 'getAccessMenuTree', ...ownSecurity, ...ownMeals].includes(id),
  guest: ({ id }) => id === 'getUserInfo',
}

type SeededOperation = Awaited<ReturnType<typeof seedApiEntries>>[number]

export interface BootstrapOptions {
  db: Db
  documents: readonly ContractDocument[]
  passwords: Passwords
  /** ADMIN_PASSWORD */
  adminPassword: string | null
  /** What each slot is connected to; default: that of EXTA_CONNECTOR and so on. */
  connectors?: Readonly<Record<Slot, Connector>>
}

const defaultConnectors = { exta: 'dingtalk', extb: 'feishu', extc: 'wecom', extldap: 'ldap' } as const

export interface Bootstrapped {
  /** The password generated for `admin` at the very first start: print it, it is stored nowhere. Otherwise null. */
  generatedPassword: string | null
}

/**
 * Creates what a start needs: the roles, the administrator, the console's menus, an API entry per operation of the
 * documents, the first grants, and the field relations of the sources. Runs at every start, also of several instances
 * at once. All but the entries is created once only, so that what an administrator removes is not restored.
 * @throws ConfigError when ADMIN_PASSWORD is not an acceptable password
 */
export const bootstrap = ({
  db,
  documents,
  passwords,
  adminPassword,
  connectors = defaultConnectors,
}: BootstrapOptions): Promise<Bootstrapped> =>
  db.transaction(async (tx) => {
    await takeLock(tx, 'firstStart')
    const seeded = await readSeeded(tx)
    const permit = permitStart(tx)
    await seedRoles(permit, seeded)
    await seedMenus(tx, seeded, creator)
    const operations = await seedApiEntries(tx, documents)
    await grantMenus(tx, seeded)
    await grantOperations(tx, seeded, operations)
    await grantAdministrator(tx)
    await seedFieldRelations(tx, seeded, connectors)
    await writeSeeded(tx, seeded)
    return { generatedPassword: await seedAdministrator(permit, passwords, adminPassword) }
  })

export interface SeedingOptions {
  db: Db
  passwords: Passwords
  config: Pick<Config, 'adminPassword' | 'connectors' | 'defaultRegion'>
  log: Logger
}

/** What a start, and a restore of older data, creates or computes again. */
export const seeding =
  ({ db, passwords, config: { adminPassword, connectors, defaultRegion }, log }: SeedingOptions) =>
  async (): Promise<Bootstrapped> => {
    await refreshMobileKeys({ db, region: defaultRegion, log })
    return bootstrap({ db, documents, passwords, adminPassword, connectors })
  }

const seedRoles = async ({ tx }: StartPermit, seeded: Seeded): Promise<void> => {
  // Without its role no user could grant anything.
  const wanted = standard.filter((role) => seeded.claim('role', role.keyword) || isAdministratorRole(role))
  await tx.execute(sql`
    insert into roles (name, keyword, remark, sort, creator)
    select keyword, keyword, remark, sort, ${creator}
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as r (keyword text, remark text, sort int)
    order by sort
    on conflict do nothing`)
}

const grantOperations = async (tx: Tx, seeded: Seeded, operations: readonly SeededOperation[]): Promise<void> => {
  const wanted = Object.entries(operationsOf).flatMap(([role, isFor]) =>
    operations
      .filter((operation) => isFor(operation) && seeded.claim('grant', `${role} ${operation.method} ${operation.path}`))
      .map(({ method, path }) => ({ role, method, path })),
  )
  await tx.execute(sql`
    insert into role_apis (role_id, api_id)
    select r.id, e.id
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as g (role text, method text, path text)
    join roles r on r.keyword = g.role join api_entries e on e.method = g.method and e.path = g.path
    on conflict do nothing`)
}

/** The administrator's rights do not depend on these rows; the console shows them. */
const grantAdministrator = async (tx: Tx): Promise<void> => {
  await tx.execute(sql`
    insert into role_menus (role_id, menu_id)
    select ${roles.id}, m.id from ${roles} cross join menus m where ${grantsEverything}
    on conflict do nothing`)
  await tx.execute(sql`
    insert into role_apis (role_id, api_id)
    select ${roles.id}, e.id from ${roles} cross join api_entries e where ${grantsEverything}
    on conflict do nothing`)
}

/** What is wrong with ADMIN_PASSWORD, for the first start; null: nothing, or it is not set. */
export const adminPasswordProblem = (adminPassword: string | null): Reason | null =>
  adminPassword === null ? null : passwordProblem(adminPassword, ['admin'])

/** Only where there are no users at all. */
const seedAdministrator = async (
  { tx }: StartPermit,
  passwords: Passwords,
  adminPassword: string | null,
): Promise<string | null> => {
  const [existing] = await tx.select({ id: users.id }).from(users).limit(1)
  if (existing !== undefined) return null
  const problem = adminPasswordProblem(adminPassword)
  if (problem !== null) throw new ConfigError([`ADMIN_PASSWORD: ${problem.row.text}`])
  const password = adminPassword ?? randomPassword()
  // Directories are opened later: other hashes of the administrator's come with the first sign-in.
  const { hashes: _, ...sealed } = await passwords.seal(password, { tells: false })
  const [admin] = await tx
    .insert(users)
    .values({
      username: 'admin',
      usernameKey: usernameKey('admin'),
      nickname: 'Administrator',
      creator,
      ...sealed,
    })
    .returning({ id: users.id })
  if (admin === undefined) throw new Error('the administrator was not inserted')
  await tx
    .insert(userRoles)
    .select(sql`select ${admin.id}::bigint, ${roles.id} from ${roles} where ${grantsEverything}`)
  await rememberInitialPassword(tx, admin.id, sealed.passwordHash)
  await touch(tx, 'user', [admin.id])
  return adminPassword === null ? password : null
}
