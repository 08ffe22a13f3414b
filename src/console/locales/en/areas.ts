import type { Texts } from '../en.ts'
import type { Words } from '../words.ts'
import type { attributes } from './attributes.ts'
import type { backups } from './backups.ts'
import type { diet } from './diet.ts'
import type { directory } from './directory.ts'
import type { home } from './home.ts'
import type { hosts } from './hosts.ts'
import type { log } from './log.ts'
import type { me } from './me.ts'
import type { people } from './people.ts'
import type { permissions } from './permissions.ts'
import type { runs } from './runs.ts'
import type { security } from './security.ts'
import type { sources } from './sources.ts'
import type { statements } from './statements.ts'

/** The texts of the pages behind the sign-in, by area: each is loaded with the pages that need it. */
export interface AreaTexts {
  readonly home: Words<typeof home>
  readonly hosts: Words<typeof hosts>
  readonly attributes: Words<typeof attributes>
  readonly people: Words<typeof people>
  readonly permissions: Words<typeof permissions>
  readonly log: Words<typeof log>
  readonly me: Words<typeof me>
  readonly runs: Words<typeof runs>
  readonly sources: Words<typeof sources>
  readonly directory: Words<typeof directory>
  readonly security: Words<typeof security>
  readonly diet: Words<typeof diet>
  readonly backups: Words<typeof backups>
  readonly statements: Words<typeof statements>
}

export type Area = keyof AreaTexts

/** The texts of every page, and those of these areas. */
export type PageTexts<Areas extends Area> = Texts & Pick<AreaTexts, Areas>
