/** The formats that fields of forms have, as validators ask for them: ajv-formats brings thirty more. */
export const formats = {
  int64: { validate: (value: number): boolean => Number.isInteger(value) },
  date: {
    validate(value: string): boolean {
      const time = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(value) : Number.NaN
      // The thirtieth of February is read as a day in March.
      return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value)
    },
  },
}
