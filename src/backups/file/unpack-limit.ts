/** The default of BACKUP_UNPACK_LIMIT, bytes. */
export const defaultUnpackLimit = 64 * 1024 ** 3
