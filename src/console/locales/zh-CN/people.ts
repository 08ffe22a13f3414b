import type { Texts } from '../en.ts'

export const people: Texts['people'] = {}
