import type { Application } from './run.ts'

export const postfix: Application = {
  name: 'postfix',
  logs: '/var/log/systemctl.log',
  // What the package asks at its installation.
  prepare: async ({ machine }) => {
    await machine.shell('[ -e /etc/postfix/main.cf ] || cp /usr/share/postfix/main.cf.debian /etc/postfix/main.cf')
  },
  check: async ({ machine, office, tag, expect }) => {
    const look = async (address: string, map: 'mailboxes' | 'groups'): Promise<string> =>
      (await machine.run('postmap', ['-q', address, `ldap:/etc/postfix/steward-${map}.cf`])).stdout.trim()
    const finds = async (address: string, map: 'mailboxes' | 'groups', wanted: string): Promise<void> => {
      const found = (await look(address, map)).split(',').sort().join()
      expect(found === wanted, `${address} in ${map}: ${found}, not ${wanted}`)
    }
    const odd = ['王小明', 'john,smith', '#first', 'paren(x)', 'star*', 'back\\slash']
    const ids: number[] = []
    const parentId = await office.addGroup(`(paren)*star ${tag}`)
    for (const [index, name] of odd.entries())
      ids.push(await office.addUser(`${name}-${tag}`, [parentId], { mail: `odd${index}.${tag}@example.org` }))
    for (const [index, name] of odd.entries())
      await finds(`odd${index}.${tag}@example.org`, 'mailboxes', `${name}-${tag}`.split(',').sort().join())
    const addresses = odd.map((_, index) => `odd${index}.${tag}@example.org`).join()
    await finds(`(paren)*star ${tag}@lists.example.org`, 'groups', addresses)

    await finds('left@example.org', 'mailboxes', '')
    for (const address of ['*@example.org', 'unknown@example.org', 'ann@example.org)(uid=*', '@example.org'])
      await finds(address, 'mailboxes', '')
    await finds('Rowers@lists.example.org', 'groups', 'ann@example.org,kid@example.org')
    await finds('Rowers@other.example.org', 'groups', '')
    await finds('*@lists.example.org', 'groups', '')

    const [first = 0] = ids
    await office.rename(first, `renamed-${tag}`, [parentId])
    await finds(`odd0.${tag}@example.org`, 'mailboxes', `renamed-${tag}`)
    await office.disable(first)
    await finds(`odd0.${tag}@example.org`, 'mailboxes', '')
    await finds(`(paren)*star ${tag}@lists.example.org`, 'groups', addresses.replace(/^[^,]*,/, ''))
    for (const id of ids) await office.remove(id)
  },
}
