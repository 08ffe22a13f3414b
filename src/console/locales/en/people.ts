/** The texts of the pages of people. */
export const people = {}
