import { counted } from './common.ts'

/** The texts of what hosts read: SSH keys and POSIX accounts. */
export const hosts = {
  tab: 'Hosts',
  keys: {
    title: 'SSH keys',
    help: {
      own: 'Hosts that look keys up in the directory accept these keys for you.',
      person: 'Hosts that look keys up in the directory accept these keys for this person.',
    },
    disabled: 'The person is disabled: the directory shows none of these keys until the person is enabled.',
    none: 'No SSH keys here.',
    takesOver: 'With the first key, those that the entry in the directory has from other tools are taken over.',
    add: 'Add a key',
    keyHelp:
      'Paste one line of a .pub file, such as ~/.ssh/id_ed25519.pub: ed25519, ecdsa, or rsa with at least 2048 bits, without options before it. Its comment is not kept.',
    added: (name: string) => `The key ${name} was added.`,
    kind: (type: string, bits: number) => `${type}, ${bits} bits`,
    addedAt: 'added',
    remove: 'Remove',
    removeOf: (name: string) => `Remove the key ${name}`,
    removeTitle: (name: string) => `Remove the key ${name}?`,
    removeWhy: {
      own: 'Hosts that look keys up in the directory do not let you in with it any more. Connections that are open stay open.',
      person:
        'Hosts that look keys up in the directory do not let this person in with it any more. Connections that are open stay open.',
    },
    removed: (name: string) => `The key ${name} was removed.`,
  },
  posix: {
    account: 'POSIX account',
    group: 'POSIX group',
    off: 'There are no POSIX accounts here: the setting POSIX_ACCOUNTS is off.',
    groupOff:
      'There are no POSIX groups here: the setting POSIX_ACCOUNTS is off, and LDAP_GROUP_CLASS does not name posixGroup.',
    state: 'State',
    shown: 'In the directory',
    shownWhenEnabled: 'Not shown while the person is disabled',
    inNoGroup:
      'No account: the person is in no group that has POSIX switched on, or the user name cannot be that of a POSIX account',
    noName: 'No account: the user name cannot be that of a POSIX account',
    uidNumber: 'User number (uid)',
    gidNumber: 'Group number (gid)',
    home: 'Home directory',
    shell: 'Login shell',
    gecos: 'Full name (gecos)',
    noNumber: 'none yet: the next free number is given when the entry is written',
    fromSettings: 'Home directory, shell and full name come from the settings POSIX_HOME, POSIX_SHELL and POSIX_GECOS.',
    setNumber: 'Set a number',
    numberHelp:
      'For an account or group that exists elsewhere with a number. It can never be changed, and no other person or group can ever have it.',
    numberSet: 'The number was set.',
    onlyCn: 'A unit (ou) cannot be a POSIX group.',
    everyGroup: 'Every group is a POSIX group: LDAP_GROUP_CLASS names posixGroup.',
    everyone: 'Every person and group has a number: POSIX_ACCOUNTS is all.',
    on: 'Switched on: the members have POSIX accounts',
    isOff: 'Switched off',
    switchOn: 'Switch on',
    switchOff: 'Switch off',
    switchOnWhy: (count: number) =>
      `The group becomes a POSIX group, and ${counted(count, 'member gets a POSIX account', 'members get POSIX accounts')}. Numbers are given for ever.`,
    switchOffWhy: (count: number) =>
      `${counted(count, 'member loses', 'members lose')} the POSIX account, unless another group gives one: hosts do not know them any more. The numbers stay theirs.`,
    switchedOn: (name: string) => `${name} is a POSIX group now.`,
    switchedOff: (name: string) => `POSIX is switched off for ${name}.`,
  },
}
