import type { Data } from '../../app/api.ts'
import type { Level } from '../../ui/Meaning.tsx'

type AlertLevel = Data<'searchAlerts'>['alerts'][number]['level']

/** How a level of the contract is shown. */
export const levelMeanings: Readonly<Record<AlertLevel, Level>> = { info: 'none', warning: 'risk', danger: 'danger' }
