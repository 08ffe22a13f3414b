import type { Texts } from '../en.ts'

export const permissions: Texts['permissions'] = {}
