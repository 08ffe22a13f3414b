import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { makeFolder } from '../files/make-folder.ts'
import type { Logger } from '../runtime/log.ts'

interface Envelope {
  to: { name: string; address: string }
  subject: string
  text: string
}

/** Writes messages as `.eml` files (RFC 5322) that only their owner can read: they contain codes and passwords. */
export const mailFolder = ({ from, folder, log }: { from: string; folder: string; log: Logger }) => {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' }, { from })
  return async (message: Envelope): Promise<void> => {
    const { message: bytes } = await composer.sendMail(message)
    const time = new Date().toISOString().replaceAll(':', '-')
    const file = join(folder, `${time}-${randomBytes(4).toString('hex')}.eml`)
    await makeFolder(folder)
    await writeFile(file, bytes, { mode: 0o600, flag: 'wx', flush: true })
    log.info({ file }, 'a mail was written to a file')
  }
}
