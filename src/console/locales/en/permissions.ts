/** The texts of the pages of permissions. */
export const permissions = {}
