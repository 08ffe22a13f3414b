import { isIPv6 } from 'node:net'
import { mailKey, usernameKey } from './identity-keys.ts'

/** No user has a longer name, so longer names are cut here. */
const longest = 100

/** The account that a caller tries to sign in to, whether it exists or not. */
export const accountKey = (username: string): string => `account:${shortened(usernameKey(username))}`

export const mailboxKey = (mail: string): string => `mail:${shortened(mailKey(mail))}`

/** An IPv4 address, or the /64 network of an IPv6 address, which is what one subscriber has. */
export const subscriberOf = (address: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  return mapped ?? (isIPv6(address) ? `${network(address)}/64` : address)
}

export const addressKey = (address: string): string => `address:${subscriberOf(address)}`

/** The prefix of keys that count the binds of many people together: of those who never bound from there before. */
export const strangersPrefix = 'directory:'
/** Of those who did. */
export const knownPrefix = 'directory-known:'

/** The address of an application that binds to the directory for all its users. */
export const strangersKey = (address: string): string => `${strangersPrefix}${subscriberOf(address)}`
export const knownKey = (address: string): string => `${knownPrefix}${subscriberOf(address)}`

/**
 * Of a service account that did. It counts alone: its password cannot be guessed, so that neither guesses at those of people
 * may lock it, nor a host that has its former one the people.
 */
export const knownServiceKey = (address: string, dnKey: string): string => `${knownKey(address)} as ${shortened(dnKey)}`

/**
 * Of a person who did, while strangers there are locked. Guesses at others are not counted then, so that those at this person
 * may not show anywhere else. @param name `account:…` or `entry:…`
 */
export const knownNameKey = (address: string, name: string): string => `directory-name:${subscriberOf(address)} ${name}`

/** A name in the directory that does not begin with a user name. */
export const entryKey = (dnKey: string): string => `entry:${shortened(dnKey)}`

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
