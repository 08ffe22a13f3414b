const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** A number of bytes in readable form: `1.4 MB`, in steps of 1024. */
export const sizeText = (bytes: number): string => {
  // 1023.96 KB is 1.0 MB once it is rounded.
  const step = units.findIndex((_, power) => bytes / 1024 ** power < (power === 0 ? 1024 : 1023.95))
  const power = step < 0 ? units.length - 1 : step
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`
}
