import type { PosixSettings } from '../mirror/entry/posix.ts'
import { toInteger, type Variables } from './variables.ts'

const largest = 2 ** 31 - 1

const toRange = (value: string): PosixSettings['numbers'] | undefined => {
  const [, from = 0, to = 0] = (/^(\d{1,10})-(\d{1,10})$/.exec(value) ?? []).map(Number)
  return from >= 1000 && from < to && to <= largest ? { from, to } : undefined
}

const toPath = (value: string): string | undefined => (/^\/[!-9;-~]*$/.test(value) ? value : undefined)

const toHome = (value: string): string | undefined =>
  /^\/([\w.\-/]|\{username\}|\{number\})*$/.test(value) && /\{(username|number)\}/.test(value) ? value : undefined

const toGecos = (value: string): string | undefined => (/^[ -9;-~]*$/.test(value) ? value : undefined)

/** What accounts have, in all directories. */
export const readPosixValues = ({ parse, flag }: Variables): Omit<PosixSettings, 'accounts'> => ({
  numbers: parse(
    'POSIX_NUMBERS',
    { from: 200_000, to: 299_999 },
    toRange,
    'a range from 1000 on, such as 200000-299999',
  ),
  primaryGid: parse<number | null>(
    'POSIX_PRIMARY_GID',
    null,
    (value) => toInteger(value, 1, largest),
    'the gid number of a group',
  ),
  home: parse('POSIX_HOME', '/home/{username}', toHome, 'a path with {username} or {number}'),
  shell: parse('POSIX_SHELL', '/bin/bash', toPath, 'a path'),
  gecos: parse('POSIX_GECOS', '{name}', toGecos, 'ASCII text, with {name} or {username}'),
  memberUid: flag('POSIX_MEMBER_UID', true),
})

/**
 * @param name of POSIX_ACCOUNTS
 * @param everyGroup whether all groups are POSIX groups in any case
 * @returns null: there are neither accounts nor groups
 */
export const readPosix = (
  { oneOf }: Variables,
  name: string,
  values: Omit<PosixSettings, 'accounts'>,
  everyGroup: boolean,
): PosixSettings | null => {
  const accounts = oneOf(name, ['off', 'all', 'groups'], 'off')
  if (accounts === 'off' && !everyGroup) return null
  return { accounts: accounts === 'off' ? 'none' : accounts, ...values, ...(everyGroup && { everyGroup }) }
}
