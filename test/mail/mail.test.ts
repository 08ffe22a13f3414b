import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { openMail } from '../../src/mail/open-mail.ts'
import type { Logger } from '../../src/runtime/log.ts'
import { eventually } from '../eventually.ts'

interface Teardown {
  teardown(run: () => unknown): void
}

/** A mail server that takes what it is sent, after refusing the first `refusals` messages, never greets a client, or never comes to an end. */
const startSmtp = async (t: Teardown, { refusals = 0, mute = false, endless = false } = {}) => {
  const received: { recipients: string[]; text: string }[] = []
  const sockets = new Set<Socket>()
  let refused = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    if (mute) return
    if (endless) {
      const words = setInterval(() => socket.write('250-and more\r\n'), 50)
      socket.on('close', () => clearInterval(words))
      socket.write('220 test ESMTP\r\n')
      return
    }
    let recipients: string[] = []
    let data: string | null = null
    let rest = ''
    socket.write('220 test ESMTP\r\n')
    socket.on('data', (chunk) => {
      rest += chunk.toString()
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        if (data !== null && line !== '.') data += `${line}\n`
        else if (data !== null) {
          received.push({ recipients, text: data })
          data = null
          recipients = []
          socket.write('250 taken\r\n')
        } else if (line.startsWith('RCPT')) {
          recipients.push(line)
          socket.write('250 ok\r\n')
        } else if (line !== 'DATA') socket.write(line === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n')
        else if (refused < refusals) {
          refused += 1
          socket.write('451 not now, and here is what you said: secret\r\n')
        } else {
          data = ''
          socket.write('354 go on\r\n')
        }
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  return {
    url: `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    received,
    refused: () => refused,
    connections: () => sockets.size,
  }
}

const open = (t: Teardown, smtpUrl: string | null, more: { timeout?: number } = {}) => {
  const parent = mkdtempSync(join(tmpdir(), 'steward-mail-'))
  t.teardown(() => rmSync(parent, { recursive: true, force: true }))
  const folder = join(parent, 'mail')
  const lines: string[] = []
  const line = (details: object | string, message = '') => lines.push(`${JSON.stringify(details)} ${message}`)
  const log: Logger = { debug: line, info: line, warn: line, error: line }
  const mail = openMail({ smtpUrl, from: 'Steward <steward@localhost>', folder, log, ...more })
  const files = () => {
    try {
      return readdirSync(folder).map((name) => join(folder, name))
    } catch {
      return []
    }
  }
  return { mail, folder, files, lines }
}

const message = { to: 'li.na@example.org', subject: 'Your code · 验证码', text: 'The secret is 402917.\n.\nA dot.\n' }

t.test('without a mail server a message becomes a file that only its owner can read', async (t) => {
  const { mail, folder, files, lines } = open(t, null)
  await mail.send(message)
  const [file = ''] = files()
  t.equal(statSync(file).mode & 0o777, 0o600)
  t.equal(statSync(folder).mode & 0o777, 0o700)
  const text = readFileSync(file, 'utf8')
  t.match(text, 'To: li.na@example.org\r\n')
  t.match(text, 'From: Steward <steward@localhost>\r\n')
  t.match(text, 'The secret is 402917.')
  t.equal(lines.length, 1)
  t.ok(lines[0]?.includes(file), 'the log says where it is')
  t.notOk(lines[0]?.includes('402917'), 'and not what is in it')
})

t.test('with a mail server it is delivered', async (t) => {
  const smtp = await startSmtp(t)
  const { mail, files } = open(t, smtp.url)
  await mail.send(message)
  t.match(smtp.received, [{ recipients: ['RCPT TO:<li.na@example.org>'], text: /The secret is 402917/ }])
  t.same(files(), [])
  await mail.close()
})

t.test('a delivery that fails is tried again', async (t) => {
  const smtp = await startSmtp(t, { refusals: 1 })
  const { mail, lines } = open(t, smtp.url)
  await mail.send(message)
  t.equal(smtp.received.length, 1)
  t.notOk(lines.join().includes('secret'), "the server's words are not in the log")
})

t.test('an attempt that the server does not take is left to who keeps the message', async (t) => {
  const smtp = await startSmtp(t, { refusals: 1 })
  const { mail, files } = open(t, smtp.url)
  await t.rejects(mail.attempt(message), { message: /^the mail server did not accept it: EENVELOPE 451$/ })
  t.same([smtp.received.length, smtp.refused(), files()], [0, 1, []], 'once, and no file')
  await mail.attempt(message)
  t.equal(smtp.received.length, 1)
  const mute = await startSmtp(t, { mute: true })
  const during = open(t, mute.url)
  const sent = t.rejects(during.mail.attempt(message), 'a stop ends it')
  await eventually(() => mute.connections() > 0, 'it is under way')
  await during.mail.close()
  await sent
  t.same(during.files(), [])
  const without = open(t, null)
  await without.mail.attempt(message)
  t.equal(without.files().length, 1, 'without a server it becomes a file')
})

t.test('an attempt ends also where the server goes on and on', async (t) => {
  const endless = await startSmtp(t, { endless: true })
  const { mail } = open(t, endless.url, { timeout: 1000 })
  await t.rejects(mail.attempt(message), { message: 'the mail server did not accept it: ETIMEDOUT' })
  await eventually(() => endless.connections() === 0, 'and so does its connection')
})

t.test('stopping loses no message: what the server does not take becomes a file', async (t) => {
  const refusing = await startSmtp(t, { refusals: 100 })
  const mute = await startSmtp(t, { mute: true })
  const between = open(t, refusing.url)
  const during = open(t, mute.url)
  const sent = [between.mail.send(message), during.mail.send(message)]
  await eventually(() => refusing.refused() > 0 && mute.connections() > 0, 'one was refused, one is under way')
  const begun = Date.now()
  await Promise.all([between.mail.close(), during.mail.close()])
  t.ok(Date.now() - begun < 7_000)
  await Promise.all(sent)
  t.equal(between.files().length, 1)
  t.equal(during.files().length, 1)
  await between.mail.send(message)
  t.equal(between.files().length, 2, 'a late message too')
})

t.test('an address cannot smuggle in a header or another recipient', async (t) => {
  const smtp = await startSmtp(t)
  for (const url of [null, smtp.url]) {
    const { mail, files } = open(t, url)
    for (const to of [
      'a@example.org\r\nBcc: evil@example.com',
      'a@example.org\nBcc: evil@example.com',
      'a@example.org, evil@example.com',
      'a@example.org;evil@example.com',
      'Evil <evil@example.com>',
      '"a@b"@example.org',
      'friends: evil@example.com;',
      'a@example.org(evil@example.com)',
      'a b@example.org',
      'a@b@example.org',
      'nobody',
      '@example.org',
      '',
    ]) {
      await t.rejects(mail.send({ ...message, to }), { message: 'the recipient is not a mail address' }, to)
    }
    t.same(files(), [])
    await mail.send({ ...message, subject: 'a\r\nBcc: evil@example.com' })
  }
  t.equal(smtp.received.length, 1)
  t.same(smtp.received[0]?.recipients, ['RCPT TO:<li.na@example.org>'])
  t.notMatch(smtp.received[0]?.text, /^Bcc:/m)
})
