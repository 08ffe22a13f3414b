import { common } from './en/common.ts'
import { fields } from './en/fields.ts'
import { home } from './en/home.ts'
import { log } from './en/log.ts'
import { me } from './en/me.ts'
import { people } from './en/people.ts'
import { permissions } from './en/permissions.ts'
import { signIn } from './en/sign-in.ts'

/** Every text of the console, by area. */
export const en = { ...common, signIn, fields, home, people, permissions, log, me }

/** The same texts with other words: literals become texts, functions keep what they are given. */
type Words<T> = T extends string
  ? string
  : T extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [K in keyof T]: Words<T[K]> }

export type Texts = Words<typeof en>
