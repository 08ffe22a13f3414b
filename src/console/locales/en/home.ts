/** The texts of the pages of home. */
export const home = {}
