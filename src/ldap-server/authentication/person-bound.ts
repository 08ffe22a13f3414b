/**
 * Called when a person has bound over the network: their username, the stored value of their password that matched, and
 * the password.
 */
export type PersonBound = (bound: { account: string; stored: string; password: string }) => void
