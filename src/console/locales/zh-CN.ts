import type { Texts } from './en.ts'
import { common } from './zh-CN/common.ts'
import { fields } from './zh-CN/fields.ts'
import { reasons } from './zh-CN/reasons.ts'
import { signIn } from './zh-CN/sign-in.ts'

export const zhCN: Texts = { ...common, signIn, fields }
export { reasons }
