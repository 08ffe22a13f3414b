import { counted } from './common.ts'

const number = new Intl.NumberFormat('en')

const groups = (count: number): string => counted(count, 'group', 'groups')
const entries = (count: number): string => counted(count, 'entry', 'entries')

interface AccountRights {
  people: boolean
  peopleFilter: string
  groups: boolean
  groupFilter: string
  ntHashes: boolean
}

/** The texts of the page of the directory. */
export const directory = {
  state: 'State of the directory',
  compare: {
    title: 'Comparison with the records',
    help: 'Compares every entry with its record, and repairs what is missing or different. The service also does it by itself, every DRIFT_INTERVAL.',
    mainOnly:
      'The figures, the run and the dry run are about the main directory. The further directories are compared too, in the background.',
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
      `${counted(total, 'record', 'records')} compared: ${number.format(repaired)} repaired, ${number.format(failed)} failed.`,
    goesOn: 'The comparison takes longer and goes on. The run shows its result.',
  },
  further: {
    title: 'Further directories',
    help: 'Each follows the same records by itself. The page of a person or group shows the state in the main directory only.',
    all: 'Gets all people and groups',
    part: (count: number, people: number) =>
      `Gets ${groups(count)} and the ${counted(people, 'person', 'people')} in ${count === 1 ? 'it' : 'them'}`,
    roots: (setting: string) => `These groups of ${setting}, with all below them:`,
    missing: (id: number) => `no group has the id ${id}`,
    incomplete: (count: number) => `${counted(count, 'entry lacks', 'entries lack')} something, such as a password`,
  },
  pending: {
    show: 'Show the records',
    showOf: (directory: string) => `Show the records: ${directory}`,
    title: (directory: string) => `Not up to date: ${directory}`,
    help: 'Records that wait follow by themselves. One that was refused is tried again when it changes, when the directory comes back, once a day, and by “Compare now”.',
    label: 'Records that are not up to date',
    incomplete: 'Up to date, but something is lacking',
    none: 'All entries are up to date',
    states: { waiting: 'Waits', refused: 'Refused', incomplete: 'Incomplete' },
    kinds: { user: 'Person', group: 'Group' },
    removal: 'to be removed',
    since: 'Waits since',
    tried: 'last attempt',
    next: 'next attempt',
    more: 'Show more',
  },
  layout: {
    title: 'Places of groups',
    help: 'Where the entries of groups are. A directory that has groups keeps its layout until you change it to that of the setting LDAP_GROUP_LAYOUT.',
    of: (directory: number) => (directory === 1 ? 'Main directory' : `Directory ${directory}`),
    names: { nested: 'Nested', flat: 'Flat' },
    meanings: {
      nested: 'Nested: each below the group above it',
      flat: 'Flat: all below ou=groups',
    },
    differs: (now: string, wanted: string) => `Now ${now}; the setting wants ${wanted}`,
    plan: 'Show the plan',
    planOf: (directory: string) => `Show the plan: ${directory}`,
    planTitle: (directory: string) => `Layout of groups: ${directory}`,
    waiting: 'Look for groups that wait',
    waitingOf: (directory: string) => `Look for groups that wait: ${directory}`,
    inPlace: 'All groups are at their places',
    notInPlace: (count: number) => `${groups(count)} not at their places yet`,
    notInPlaceHelp: 'They move by themselves, or when what is in their way is gone.',
    moves: (count: number, baseDn: string) =>
      `${groups(count)} would get another DN. Nothing is changed yet. All places are below ${baseDn}.`,
    held: 'To be confirmed, because:',
    label: 'Groups that move',
    columns: { name: 'Group', from: 'Now', to: 'Then', note: 'Note' },
    noEntry: 'no entry yet',
    renamed: 'gets a number',
    nothing: 'No group moves',
    nothingHelp: 'The setting takes effect for the groups that are added from then on.',
    change: (layout: string) => `Change to ${layout}`,
    question: (layout: string) => `Change the layout to ${layout}?`,
    effect: (count: number) =>
      `${counted(count, 'group gets', 'groups get')} another DN. Applications that name the old one no longer find it; members and memberOf follow.`,
    back: 'It can be changed back only by another setting, a restart and another plan.',
    action: (count: number) => (count === 0 ? 'Change' : `Move ${groups(count)}`),
    moving: 'Groups move',
    done: (moved: number) => `${groups(moved)} moved.`,
    left: (count: number) => `${groups(count)} could not be moved yet.`,
    goesOn: 'The groups are still moving. The run shows how far they are.',
    outdated: 'The plan was another one by then. This is the present one.',
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
    tooMany: (most: number) => `Select at most ${number.format(most)}, or use all that match the filter.`,
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
      first: (shown: number, total: number) => `The first ${number.format(shown)} of ${number.format(total)}:`,
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
    readsOf: (rights: AccountRights) =>
      [
        ...(rights.people ? [rights.peopleFilter === '' ? 'all people' : 'some people'] : []),
        ...(rights.groups ? [rights.groupFilter === '' ? 'all groups' : 'some groups'] : []),
        ...(rights.ntHashes ? ['NT hashes'] : []),
      ].join(', '),
    ntHashesHelp:
      'Only for a RADIUS server, for Wi-Fi with PEAP, and only with LDAP_NT_HASH=on. An NT hash is as good as the password: who has it joins the network as that person, and guesses the password billions of times a second.',
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
