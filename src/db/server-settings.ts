/**
 * What PostgreSQL is told for every session. JIT compilation takes the server longer than any of our queries. The pages
 * that requests need are in memory: with the cost of a disk's, PostgreSQL would rather read some thousand rows than look
 * up ten of them.
 */
export const serverSettings = { TimeZone: 'UTC', jit: 'off', random_page_cost: '1.1' }
