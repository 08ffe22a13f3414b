import { existsSync, mkdtempSync, rmdirSync, statfsSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { isOfOthers } from '../../backups/folder/folder.ts'
import type { Config } from '../../config/config.ts'
import { forbiddenInDataFolder } from '../../files/data-folder.ts'
import { adviceFor, fileProblem } from '../../files/file-problem.ts'
import { makeFolderSync } from '../../files/make-folder.ts'
import { shellWord } from '../../text/shell-word.ts'
import { describeError, type Finding, note, ok, problem, sentence } from './finding.ts'

/** The folder itself, or the nearest one above it that exists. */
const existing = (folder: string): string => (existsSync(folder) ? folder : existing(dirname(folder)))

/** Less is too little for a start. */
const leastSpace = 200 * 1024 ** 2
/** Less is soon too little. */
const enoughSpace = 2 * 1024 ** 3

const megabytes = (bytes: number): string => `${Math.floor(bytes / 1024 ** 2)} MB`

const checkSpace = (folder: string, setting: string): Finding => {
  const { bavail, bsize } = statfsSync(existing(folder))
  const free = bavail * bsize
  if (free < leastSpace)
    return problem(`${setting}: ${megabytes(free)} are free`, 'Free some space, or use another disk.')
  if (free < enoughSpace)
    return note(`${setting}: ${megabytes(free)} are free`, 'Keep at least 2 GB free: a backup needs space of its own.')
  return ok(`${setting}: ${megabytes(free)} are free`)
}

/** It, and those above it that do not exist, the lowest first. */
const missingOf = (folder: string): string[] => (existsSync(folder) ? [] : [folder, ...missingOf(dirname(folder))])

/**
 * Makes the folder as a start does, and one in it, and removes what it made. The rights alone do not tell: a file system may
 * refuse whatever they allow, as `/proc` does, a folder of automounts, a quota, or a server of files that trusts no root.
 * @throws Error of the file system
 */
const tryFolder = (folder: string): void => {
  const missing = missingOf(folder)
  try {
    makeFolderSync(folder)
    rmdirSync(mkdtempSync(join(folder, '.steward-doctor-')))
  } finally {
    for (const each of missing) {
      try {
        rmdirSync(each)
      } catch {
        // It was not made.
      }
    }
  }
}

/** @param alone whether only its owner may enter it */
const checkFolder = (setting: string, folder: string, alone: boolean): Finding[] => {
  const present = existsSync(folder)
  const place = existing(folder)
  try {
    tryFolder(folder)
  } catch (error) {
    if (!statSync(place).isDirectory()) return [problem(`${setting}: ${place} is not a folder`, `Set ${setting}.`)]
    const known = fileProblem(error)
    const advice = known === null ? `Set ${setting}.` : `${sentence(adviceFor(known, setting))}.`
    return [problem(`${setting}: ${folder} cannot be created or written to (${describeError(error)})`, advice)]
  }
  const open = present && alone && (statSync(folder).mode & 0o077) !== 0
  return [
    open
      ? problem(`${setting}: ${folder} is open to other users`, `chmod 700 ${shellWord(folder)}`)
      : ok(`${setting}: ${folder}${present ? '' : ' (is created at the first start)'}`),
    checkSpace(folder, setting),
  ]
}

/** What an installation keeps, as after a copy that root has put back. */
const checkKept = (dataDir: string): Finding[] => {
  const forbidden = forbiddenInDataFolder(dataDir)
  return forbidden === null ? [] : [problem(`DATA_DIR: ${forbidden.text}`, sentence(forbidden.advice))]
}

/** Of a folder on the same disk as DATA_DIR only what is wrong with it alone. */
const checkBackups = async ({ dataDir, backupDir }: Config): Promise<Finding[]> => {
  const isWithin = !relative(dataDir, backupDir).startsWith('..')
  if (isWithin && !existsSync(dataDir)) return []
  // One that does not exist or cannot be looked into is examined below.
  if (await isOfOthers(backupDir).catch(() => false)) {
    const text = `BACKUP_DIR: ${backupDir} is open to other users, and other files are in it`
    return [problem(text, 'Set BACKUP_DIR to a folder that has only backups.')]
  }
  const found = checkFolder('BACKUP_DIR', backupDir, true)
  const isAlone = existing(backupDir) !== existing(dataDir)
  // What follows is about its mode and its disk.
  return isAlone || found.length === 1 ? found : []
}

/**
 * Folders of data and backups.
 * @param refused what was found when DATA_DIR was locked
 */
export const checkFolders = async (config: Config, refused: readonly Finding[] = []): Promise<Finding[]> => {
  const own = checkFolder('DATA_DIR', config.dataDir, config.databaseUrl === null)
  // Where the folder cannot be used, neither can what is in it.
  const isUsable = own.length > 1
  const inside = isUsable ? [...checkKept(config.dataDir), ...refused] : []
  return [...own, ...inside, ...(await checkBackups(config))]
}
