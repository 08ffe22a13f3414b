import type { Texts } from './en.ts'
import { common } from './zh-CN/common.ts'
import { fields } from './zh-CN/fields.ts'
import { home } from './zh-CN/home.ts'
import { log } from './zh-CN/log.ts'
import { me } from './zh-CN/me.ts'
import { people } from './zh-CN/people.ts'
import { permissions } from './zh-CN/permissions.ts'
import { reasons } from './zh-CN/reasons.ts'
import { signIn } from './zh-CN/sign-in.ts'

export const zhCN: Texts = { ...common, signIn, fields, home, people, permissions, log, me }
export { reasons }
