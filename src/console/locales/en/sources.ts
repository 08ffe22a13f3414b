/** The texts of the pages of sources. */
export const sources = { label: 'Sources' }
