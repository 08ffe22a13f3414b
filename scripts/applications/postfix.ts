import { once } from 'node:events'
import { connect } from 'node:net'
import { createTransport } from 'nodemailer'
import { eventually } from '../../test/eventually.ts'
import { hostileNames, hostilePasswords, password } from './office.ts'
import type { Application, Trial } from './trial.ts'

/** The codes of the answers to the lines of a conversation on port 25. The machine has our network. */
const answers = async (lines: readonly string[]): Promise<number[]> => {
  const socket = connect(25, '127.0.0.1')
  const codes: number[] = []
  let text = ''
  const reply = async (): Promise<number> => {
    for (;;) {
      const [whole, code] = /^(?:\d{3}-.*\r\n)*(\d{3}) .*\r\n/.exec(text) ?? []
      if (whole !== undefined) {
        text = text.slice(whole.length)
        return Number(code)
      }
      const [chunk] = (await once(socket, 'data')) as [Buffer]
      text += chunk
    }
  }
  await reply()
  for (const line of lines) {
    socket.write(`${line}\r\n`)
    codes.push(await reply())
  }
  // The server may be gone before it has read this.
  socket.once('error', () => {})
  socket.end('QUIT\r\n')
  return codes
}

const sender = 'stranger@elsewhere.example'

const openMail = ({ machine, expect }: Trial) => {
  /** Whether a stranger's mail to this address is accepted, which is then delivered. */
  const accepts = async (to: string, subject = ''): Promise<boolean> => {
    const data = subject === '' ? [] : ['DATA', `Subject: ${subject}\r\n\r\nSoup.\r\n.`]
    const utf8 = /^[\x20-\x7e]*$/.test(to) ? '' : ' SMTPUTF8'
    const codes = await answers(['EHLO elsewhere.example', `MAIL FROM:<${sender}>${utf8}`, `RCPT TO:<${to}>`, ...data])
    const [, from, recipient = 0, , stored = 250] = codes
    expect(
      from === 250 && (recipient === 250 || recipient === 550) && stored === 250,
      `${to} is answered with ${codes}`,
    )
    return recipient === 250
  }
  const boxOf = async (address: string): Promise<string> =>
    (await machine.run('postmap', ['-q', address, 'ldap:/etc/postfix/steward-mailboxes.cf'])).stdout.trim()
  /** The mailboxes in which a mail with this subject is. */
  const boxesWith = async (subject: string): Promise<string[]> => {
    const { stdout } = await machine.run('grep', ['-rlxF', `Subject: ${subject}`, '/srv/mail'])
    return [...stdout.matchAll(/^\/srv\/mail\/(.*\/Maildir\/)new\/.*$/gm)].map(([, box = '']) => box).sort()
  }
  return {
    boxOf,
    is: async (wanted: boolean, address: string): Promise<void> =>
      expect((await accepts(address)) === wanted, `mail to ${address} is ${wanted ? 'accepted' : 'refused'}`),
    /** Sends a mail, and waits until it is in these mailboxes and no other. */
    arrives: async (to: string, subject: string, boxes: readonly string[]): Promise<void> => {
      expect(await accepts(to, subject), `mail to ${to} is accepted`)
      let found: string[] = []
      const isThere = async (): Promise<boolean> => {
        found = await boxesWith(subject)
        return found.join() === [...boxes].sort().join()
      }
      await eventually(isThere, `mail to ${to} is delivered`, 20_000).catch(async () => {
        const said = await machine.run('grep', ['-F', to.replaceAll('"', ''), '/var/log/postfix.log'])
        expect(false, `mail to ${to} is in ${found.join()}, not in ${boxes.join()}: ${said.stdout}`)
      })
    },
    boxesWith,
  }
}

/** Groups with names that an address has to quote, or that Postfix gives a meaning. */
const tryOddGroups = async (trial: Trial): Promise<void> => {
  const { office, tag } = trial
  const mail = openMail(trial)
  const addressOf = (local: string): string => `${local}@lists.example.org`
  const groups = [
    [`two  words, (x) #1 ${tag}`, `"two  words, (x) #1 ${tag}"`],
    [`"${tag}"@example.org`, null],
    [`R&D "${tag}"`, null],
    [`back\\slash ${tag}`, null],
    [`star*${tag}`, `star*${tag}`],
    [`100%u$1${tag}`, `100%u$1${tag}`],
    [`王-${tag}`, `王-${tag}`],
  ] as const
  const ids: number[] = []
  for (const [name] of groups) ids.push(await office.addGroup(name))
  const member = await office.addUser(`${tag}.member`, ids, { mail: `member.${tag}@example.org` })
  const box = await mail.boxOf(`member.${tag}@example.org`)
  for (const [name, local] of groups)
    if (local !== null) await mail.arrives(addressOf(local), `to the group ${name}`, [box])
    else await mail.is(false, addressOf(`"${name.replaceAll(/["\\]/g, '\\$&')}"`))
  await mail.is(false, addressOf(`"two  words, (x) #1 ${tag}*"`))
  await office.remove(member)
}

/** More members than Postfix lets an address have by default, 1,000; all get their mail as one person does. */
const tryLargeGroup = async (trial: Trial, box: string): Promise<void> => {
  const { machine, tag } = trial
  const members = Array.from({ length: 1_100 }, (_, index) => `member${index}@lists.example.org`)
  const table = [`/^large@/ ${members.join(', ')}`, '/^member[0-9]+@/ ann@example.org']
  await machine.write('/etc/postfix/large', `${table.join('\n')}\n`)
  await machine.shell(`postconf -e "virtual_alias_maps = regexp:/etc/postfix/large, $(postconf -h virtual_alias_maps)"
    systemctl restart postfix`)
  await openMail(trial).arrives('large@lists.example.org', `to a large group ${tag}`, [box])
}

/** Who may send, on port 587. */
const trySubmission = async (trial: Trial): Promise<void> => {
  const { machine, office, tag, expect } = trial
  const { boxOf, boxesWith } = openMail(trial)
  const ca = (await machine.run('cat', ['/etc/postfix/steward.pem'])).stdout
  const tls = { ca, servername: 'mail.example.org' }
  let count = 0
  const sends = async (user: string, pass: string): Promise<boolean> => {
    const transport = createTransport({ host: '127.0.0.1', port: 587, requireTLS: true, tls, auth: { user, pass } })
    const subject = `submitted ${tag} ${++count}`
    try {
      await transport.sendMail({ from: 'ann@example.org', to: 'kid@example.org', subject, text: 'Soup.' })
      const box = await boxOf('kid@example.org')
      await eventually(async () => (await boxesWith(subject)).join() === box, 'it is delivered')
      return true
    } catch (error) {
      if ((error as { responseCode?: number }).responseCode === 535) return false
      throw error
    } finally {
      transport.close()
    }
  }
  const is = async (wanted: boolean, name: string, secret = password): Promise<void> =>
    expect((await sends(name, secret)) === wanted, `${JSON.stringify(name)} ${wanted ? 'sends' : 'does not send'}`)
  for (const name of ['ann', 'married', ...hostileNames]) await is(true, name)
  for (const [index, secret] of hostilePasswords.entries()) await is(true, `secret${index}`, secret)
  const id = await office.addUser(`${tag}.sender`)
  await is(true, `${tag}.sender`)
  await office.disable(id)
  // Few: Dovecot answers an address that has failed later and later, and in the end too late for Postfix.
  for (const [name, secret] of [[`${tag}.sender`], ['kid', 'wrong']] as const) await is(false, name, secret)
  await office.remove(id)
}

export const postfix: Application = {
  name: 'postfix',
  after: ['dovecot'],
  portsOf: 'dovecot',
  logs: '/var/log/systemctl.log /var/log/postfix.log',
  // What the package asks at its installation; and there is no syslog.
  prepare: async ({ machine }) => {
    await machine.shell(`[ -e /etc/postfix/main.cf ] || cp /usr/share/postfix/main.cf.debian /etc/postfix/main.cf
      postconf -e 'maillog_file = /var/log/postfix.log' 'smtpd_error_sleep_time = 0'`)
  },
  check: async (trial) => {
    const { office, tag } = trial
    const mail = openMail(trial)
    const odd = ['王小明', 'john,smith', '#first', '../../etc', 'star*', 'back\\slash']
    const locals = [`odd.${tag}`, `o'brien.${tag}`, `star*.${tag}`, `a+b.${tag}`, `dots.${tag}`, `100%.${tag}`]
    const parentId = await office.addGroup(`Crew.${tag}`)
    const lists = `Crew.${tag}@lists.example.org`
    const people: { id: number; address: string; box: string }[] = []
    for (const [index, name] of odd.entries()) {
      const address = `${locals[index]}@example.org`
      const id = await office.addUser(`${name}-${tag}`, [parentId], { mail: address })
      people.push({ id, address, box: await mail.boxOf(address) })
    }
    for (const { address, box } of people) await mail.arrives(address, `to ${address}`, [box])
    await mail.arrives(
      lists,
      `to all ${tag}`,
      people.map(({ box }) => box),
    )
    const [ann, kid] = [await mail.boxOf('ann@example.org'), await mail.boxOf('kid@example.org')]
    await mail.arrives('Rowers@lists.example.org', `to rowers ${tag}`, [ann, kid])
    await mail.arrives('ANN@Example.ORG', `to ann ${tag}`, [ann])

    for (const address of ['left@example.org', 'unknown@example.org', '*@example.org', 'a*@example.org'])
      await mail.is(false, address)
    for (const address of ['"ann@example.org)(uid=*"@example.org', 'Unknown@lists.example.org', '*@lists.example.org'])
      await mail.is(false, address)

    const [first, second] = people
    if (first === undefined || second === undefined) throw new Error('there are no people')
    await office.rename(first.id, `renamed-${tag}`, [parentId])
    await mail.arrives(first.address, `renamed ${tag}`, [first.box])
    await office.rename(first.id, `renamed-${tag}`, [parentId], { mail: `other.${tag}@example.org` })
    await mail.is(false, first.address)
    await mail.arrives(`other.${tag}@example.org`, `readdressed ${tag}`, [first.box])
    await office.disable(second.id)
    await mail.is(false, second.address)
    await mail.arrives(
      lists,
      `to the others ${tag}`,
      people.flatMap((one) => (one === second ? [] : [one.box])),
    )
    await office.enable(second.id)
    await mail.arrives(second.address, `enabled ${tag}`, [second.box])
    await tryOddGroups(trial)
    await tryLargeGroup(trial, ann)
    await trySubmission(trial)
    for (const { id } of people) await office.remove(id)
    for (const { address } of people) await mail.is(false, address)
    await mail.is(false, lists)
  },
}
