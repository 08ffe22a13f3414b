import type { AreaTexts } from '../en/areas.ts'

export const sources: AreaTexts['sources'] = { label: '数据来源' }
