/** The slots for organisations; runs, groups and field relations use these names. */
export const slots = ['exta', 'extb', 'extc', 'extldap'] as const
export type Slot = (typeof slots)[number]
