/** What the slots are called, in every language. */
export const slots = { exta: 'ExtA', extb: 'ExtB', extc: 'ExtC', extldap: 'ExtLdap' } as const
