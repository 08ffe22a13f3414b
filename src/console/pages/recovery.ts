/** Backups and restores: one file for a browser, with their drawers. */
export { Backups } from './backups/Backups.tsx'
export { Restore } from './backups/Restore.tsx'
