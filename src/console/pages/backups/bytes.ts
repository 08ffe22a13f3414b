const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** "1.4 MB" */
export const bytesText = (bytes: number, language: string): string => {
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(1024)))
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: units[power] ?? 'byte',
    maximumFractionDigits: power === 0 ? 0 : 1,
  }).format(bytes / 1024 ** power)
}
