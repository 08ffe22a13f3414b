/** Counts bytes by name, with a limit of `max` for each name. */
export const byteBudget = (max: number) => {
  const used = new Map<string, number>()
  return {
    /** @returns false, and counts nothing, where the name would exceed its limit */
    take(name: string, bytes: number): boolean {
      const sum = (used.get(name) ?? 0) + bytes
      if (sum > max) return false
      used.set(name, sum)
      return true
    },
    give(name: string, bytes: number): void {
      const left = (used.get(name) ?? 0) - bytes
      if (left > 0) used.set(name, left)
      else used.delete(name)
    },
  }
}

export type ByteBudget = ReturnType<typeof byteBudget>
