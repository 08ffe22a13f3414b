/** BACKUP_UNPACK_LIMIT unless it is set, bytes. */
export const defaultUnpackLimit = 64 * 1024 ** 3
