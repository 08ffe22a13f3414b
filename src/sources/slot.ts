/** The slots an organisation can be connected to; the names that runs, groups and field relations carry. */
export const slots = ['exta', 'extb', 'extc', 'extldap'] as const
export type Slot = (typeof slots)[number]
