/**
 * Characters of an id of a source. Those of the platforms have at most 64; an index of PostgreSQL takes 2,704 bytes, and one
 * record with a longer id would end the run of all.
 */
export const longestId = 500

/** Whether the text can be the id of a record: SQL cannot store NUL, JSON cannot store half of a surrogate pair. */
export const isUsableId = (text: string): boolean => text.length <= longestId && !/[\0\p{Surrogate}]/u.test(text)
