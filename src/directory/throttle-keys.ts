import { isIPv6 } from 'node:net'
import { matchingKey } from '../ldap/dn.ts'

/** Longer names belong to nobody; what tells them apart beyond this is not worth an index entry. */
const longest = 100

/** The account somebody tries to be, as the directory compares names; existing or not. */
export const accountKey = (username: string): string => `account:${shortened(matchingKey(username))}`

export const mailKey = (mail: string): string => `mail:${shortened(mail.toLowerCase())}`

/** An IPv6 address counts by its network of 64 bits: that is what one subscriber has. */
export const addressKey = (address: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  return `address:${mapped ?? (isIPv6(address) ? `${network(address)}/64` : address)}`
}

const network = (address: string): string => {
  const [left = '', right] = address.split('%', 1)[0]?.split('::', 2) ?? []
  const head = left === '' ? [] : left.split(':')
  const tail = right === undefined || right === '' ? [] : right.split(':')
  const groups =
    right === undefined ? head : [...head, ...Array(Math.max(0, 8 - head.length - tail.length)).fill('0'), ...tail]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

const shortened = (text: string): string => [...text].slice(0, longest).join('')
