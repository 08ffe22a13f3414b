/** How the server names our connections in `pg_stat_activity`. */
export const applicationName = 'steward'
