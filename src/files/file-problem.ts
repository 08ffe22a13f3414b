import { codeOf } from '../failures/caught-error.ts'

/** What is wrong with a file or folder, and what to do about it. */
export interface FileProblem {
  /** To be said after its name, such as `is on a file system that is read-only`. */
  text: string
  /** What to do, without a full stop. */
  advice: string
  /** Whether the advice is to take another place. */
  elsewhere?: boolean
}

/** Of the folder alone, which may hold what belongs to others: its owner is not to be changed. */
const notAllowed: FileProblem = {
  text: 'may not be created, read or changed by this user',
  advice: 'create it where it is missing, and let the user that Steward runs as read and write it',
}
const another = { advice: 'choose another folder', elsewhere: true } as const
const full: FileProblem = { text: 'is on a disk that is full', advice: 'free some space, or use another disk' }
const noFolder: FileProblem = { text: 'is in the way, or below a file', ...another }
const notThere: FileProblem = {
  text: 'cannot be created there: the folder above it takes no new folders, or a link in its path leads nowhere',
  ...another,
}
const away: FileProblem = {
  text: 'is on a file system that does not answer',
  advice: 'look at the mount and the server behind it',
}
const tooManyFiles: FileProblem = {
  text: 'cannot be opened, for too many files are open',
  advice: 'allow more: LimitNOFILE of systemd, the option --ulimit of a container, ulimit -n of a shell',
}
const faulty: FileProblem = {
  text: 'is on a disk that fails or is damaged',
  advice: 'look at the log of the system, and use another disk',
}
const unsupported: FileProblem = {
  text: 'is on a file system that cannot do what is needed',
  advice: 'choose a folder of a local disk',
  elsewhere: true,
}

const problems: Readonly<Record<string, FileProblem>> = {
  EACCES: notAllowed,
  EPERM: notAllowed,
  EROFS: { text: 'is on a file system that is read-only', advice: 'mount it so that it can be written to' },
  ENOSPC: full,
  EDQUOT: { text: 'is beyond the disk quota of this user', advice: 'raise the quota, or use another disk' },
  EFBIG: {
    text: 'is larger than the system allows',
    advice: 'raise the limit: LimitFSIZE of systemd, ulimit -f of a shell',
  },
  ENOENT: notThere,
  ENOTDIR: noFolder,
  EEXIST: noFolder,
  EISDIR: { text: 'is a folder where a file belongs', advice: 'move it away' },
  ELOOP: { text: 'is reached by links that lead in a circle', ...another },
  ENAMETOOLONG: { text: 'has too long a path', advice: 'choose a shorter one', elsewhere: true },
  EMFILE: tooManyFiles,
  ENFILE: tooManyFiles,
  EIO: faulty,
  EUCLEAN: faulty,
  ESTALE: away,
  ENOTCONN: away,
  ENODEV: away,
  ENXIO: away,
  EHOSTDOWN: away,
  EINVAL: unsupported,
  ENOTSUP: unsupported,
  EOPNOTSUPP: unsupported,
  // Of Node.js: a path with a character NUL, which a file of the setting may hold.
  ERR_INVALID_ARG_VALUE: { text: 'is not a path', ...another },
}

/** Any other code that the system has for a call that names a path. */
const unknown: FileProblem = { text: 'is refused by the system', ...another }

/** What to do about a folder that a setting names, without a full stop. */
export const adviceFor = ({ advice, elsewhere = false }: FileProblem, setting: string): string =>
  elsewhere ? `${advice} for ${setting}` : `${advice}, or set ${setting}`

/**
 * What an error of the file system says; null: the error is another one. One with a code that servers answer with, too, such as
 * `EACCES`, is taken for one: the caller knows what it called.
 */
export const fileProblem = (error: unknown): FileProblem | null => {
  const code = codeOf(error)
  if (code === undefined) return null
  if (Object.hasOwn(problems, code)) return problems[code] ?? null
  return namesPath(error) ? unknown : null
}

const namesPath = (error: unknown): boolean =>
  error instanceof Error &&
  typeof Reflect.get(error, 'path') === 'string' &&
  typeof Reflect.get(error, 'syscall') === 'string'
