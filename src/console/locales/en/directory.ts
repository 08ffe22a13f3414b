import { counted } from './common.ts'

const entries = (count: number): string => counted(count, 'entry', 'entries')

/** The texts of the page of the directory. */
export const directory = {
  state: 'State of the directory',
  compare: {
    title: 'Comparison with the records',
    help: 'Compares every entry with its record, and repairs what is missing or different. The service also does it by itself, every DRIFT_INTERVAL.',
    kinds: { users: 'People', groups: 'Groups' },
    never: 'Not compared by a user yet',
    figures: (total: string, repaired: string, failed: string, orphans: string) =>
      `${total} compared, ${repaired} repaired, ${failed} failed, ${orphans} orphan entries`,
    wouldBe: (total: string, repaired: string, failed: string, orphans: string) =>
      `${total} compared, ${repaired} would be repaired, ${failed} would fail, ${orphans} orphan entries`,
    run: (id: number) => `Run ${id}`,
    now: 'Compare now',
    nowOf: (what: string) => `Compare now: ${what}`,
    done: (total: number, repaired: number, failed: number) =>
      `${counted(total, 'record', 'records')} compared: ${repaired} repaired, ${failed} failed.`,
    goesOn: 'The comparison takes longer and goes on. The run shows its result.',
  },
  orphans: {
    title: 'Orphan entries',
    help: 'Entries of the directory that belong to no record. Steward leaves them as they are until you decide. Needs a role of rank 1.',
    label: 'Orphan entries',
    columns: { dn: 'DN', kind: 'Kind', record: 'Record' },
    kinds: { user: 'Person', group: 'Group' },
    classes: 'Object classes',
    state: 'State',
    states: { open: 'Open', adoptable: 'Adoptable', ignored: 'Ignored' },
    kind: 'Kind',
    anyKind: 'Any kind',
    search: 'Part of the DN',
    isIgnored: 'Ignored',
    obstacle: 'Cannot be adopted',
    /** Starts of the service's sentences and their translations. In English the service's own words are shown. */
    none: 'No orphan entries',
    noneHelp: 'Every entry of the directory belongs to a record, or is ignored.',
    noneIgnored: 'No entry is ignored',
    gone: 'This entry is not in the list. It may have been adopted, or is in another state.',
    total: entries,
    tooMany: (most: number) => `Select at most ${most}, or use all that match the filter.`,
    left: (count: number) =>
      `${counted(count, 'selected entry', 'selected entries')} cannot be adopted and ${count === 1 ? 'is' : 'are'} left unchanged.`,
    adopt: {
      action: 'Adopt',
      many: (count: number) => `Adopt ${entries(count)}`,
      why: (count: number) =>
        count === 1
          ? 'The entry becomes the entry of its record and is made equal to it at once: what Steward writes replaces what is there. What other programs wrote is kept. From then on the entry follows its record, and is deleted with it.'
          : `${entries(count)} become the entries of their records and are made equal to them at once: what Steward writes replaces what is there. What other programs wrote is kept. From then on the entries follow their records, and are deleted with them.`,
      done: (count: number) => `${entries(count)} adopted.`,
    },
    ignore: {
      action: 'Ignore',
      many: (count: number) => `Ignore ${entries(count)}`,
      why: (count: number) =>
        count === 1
          ? 'The entry is not changed, and comparisons do not report it any more. In the state “Ignored” you can have it reported again.'
          : `${entries(count)} are not changed, and comparisons do not report them any more. In the state “Ignored” you can have them reported again.`,
      done: (count: number) => `${entries(count)} ignored.`,
    },
    heed: {
      action: 'Report again',
      many: (count: number) => `Report ${entries(count)} again`,
      why: (count: number) => `Comparisons report ${entries(count)} again. The directory is not changed.`,
      done: (count: number) => `${entries(count)} reported again.`,
    },
    all: {
      adopt: 'Adopt all that match…',
      ignore: 'Ignore all that match…',
      nothing: { adopt: 'No entry that matches can be adopted.', ignore: 'No entry matches.' },
      first: (shown: number, total: number) => `The first ${shown} of ${total}:`,
    },
  },
  accounts: {
    label: 'Service accounts',
    help: 'Applications bind to the directory with them to look people up. An account cannot read passwords and cannot write.',
    create: 'Create an account',
    empty: 'No service accounts',
    emptyHelp: 'Give each application an account of its own, limited to what it needs.',
    state: 'State',
    disabled: 'Disabled',
    lastUse: 'Last use',
    never: 'Never',
    unknown: 'Not known',
    reads: 'Reads',
    readsOf: (rights: { people: boolean; peopleFilter: string; groups: boolean; groupFilter: string }) =>
      [
        ...(rights.people ? [rights.peopleFilter === '' ? 'all people' : 'some people'] : []),
        ...(rights.groups ? [rights.groupFilter === '' ? 'all groups' : 'some groups'] : []),
      ].join(', '),
    once: 'The password is shown once. Put it into the application now. If it is lost, give the account a new one.',
    password: 'Password',
    bindDn: 'Bind DN',
    example: 'A search to try',
    kept: 'Kept it: close',
    changed: (name: string) => `${name} is changed.`,
    created: 'Created',
    by: 'Created by',
    passwords: 'Passwords',
    current: 'Current password',
    old: 'Old password',
    madeAt: 'made',
    usedAt: 'last used',
    unused: (known: boolean) => (known ? 'never' : 'not known'),
    endsAt: 'ends',
    oldStays: 'The old password stays valid',
    untilEnded: 'until it is ended here',
    untilDays: (days: number) => `for ${counted(days, 'day', 'days')}`,
    untilNow: 'no longer',
    untilNowWhy: 'All earlier passwords end now. Applications that use them cannot bind until they have the new one.',
    rotate: 'New password',
    endFirst: 'Two passwords are valid. End the old one first.',
    endOld: 'End the old password',
    ended: 'The old password is not valid any more.',
    rules: 'Access rules',
    enforced: 'The embedded directory limits the account by itself.',
    toPaste:
      'The directory limits the account only with these rules. Without them the account reads what every user of the directory may read.',
    showRules: 'Show the rules for OpenLDAP',
    ldif: 'For ldapmodify; adapt the name of the database',
    enable: 'Enable',
    disable: 'Disable',
    remove: 'Delete the account',
    removeWhy: (name: string) => `Applications cannot bind as ${name} any more.`,
    removed: (name: string) => `${name} is deleted.`,
  },
}
