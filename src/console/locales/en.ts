import { common } from './en/common.ts'
import { fields } from './en/fields.ts'
import { signIn } from './en/sign-in.ts'
import type { Words } from './words.ts'

/** What the sign-in needs, and every page: those of one area are in `en/areas.ts`, and loaded behind the sign-in. */
export const en = { ...common, signIn, fields }

export type Texts = Words<typeof en>
