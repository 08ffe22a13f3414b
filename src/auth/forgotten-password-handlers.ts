import { permitOwn } from '../access/permits/users.ts'
import type { Principals } from '../access/principals.ts'
import type { Background } from '../concurrency/background.ts'
import type { Db } from '../db/client.ts'
import type { AppError } from '../failures/errors.ts'
import type { BaseHandlers } from '../generated/directory.ts'
import type { Mail, Message } from '../mail/open-mail.ts'
import { mirroredChange } from '../mirror/mirrored.ts'
import type { Reconciler } from '../mirror/reconciler.ts'
import { touch } from '../mirror/touch.ts'
import { errorRecord, type Logger } from '../runtime/log.ts'
import { randomPassword } from '../text/random-password.ts'
import { addressKey, mailboxKey } from '../text/throttle-keys.ts'
import type { IssuedCode, MailCodes } from './mail-codes.ts'
import { resetPassword } from './password-writes.ts'
import type { Passwords } from './passwords.ts'
import { reasons } from './reasons.ts'
import { endSessions } from './sessions.ts'
import type { Throttle } from './throttle.ts'

export interface ForgottenPasswordOptions {
  db: Db
  reconciler: Pick<Reconciler, 'earlyClaim' | 'settle' | 'verifies'>
  passwords: Passwords
  throttle: Throttle
  principals: Principals
  mailCodes: MailCodes
  mail: Mail
  background: Background
  log: Logger
}

/** A new password for the owner of the user's mailbox. */
export const forgottenPasswordHandlers = (
  options: ForgottenPasswordOptions,
): Pick<BaseHandlers, 'sendCode' | 'changePasswordByCode'> => {
  const { passwords, throttle, mailCodes, background, log } = options
  const change = mirroredChange(options)
  /** Sends mail after the response. */
  const post = (message: Message): void => {
    options.mail
      .send(message)
      .catch((error: unknown) => log.error({ error: errorRecord(error) }, 'a mail could not be sent'))
  }

  return {
    /** Whether a user has the address is looked up after the response: neither its text nor its time can tell. */
    async sendCode({ body: { mail }, request }) {
      const subject = { counted: [`send-${mailboxKey(mail)}`], cleared: [], who: { address: request.address } }
      // Every code counts, so that the limit protects a mailbox from being flooded.
      await throttle.run(subject, async () => null)
      background.run('mailing a code', async () => {
        const issued = await mailCodes.issuePassword(mail)
        if (issued !== null) post(codeMessage(issued))
      })
      return null
    },

    async changePasswordByCode({ body: { mail, code, newPassword }, request }) {
      // Refused before the code is checked: a password that breaks the rules must not cost an attempt.
      if (newPassword !== undefined) passwords.acceptNew('newPassword', newPassword, '')
      const key = mailboxKey(mail)
      const subject = {
        counted: [key, addressKey(request.address)],
        cleared: [key],
        who: { address: request.address },
      }
      const redeemable = await throttle.run(subject, () => mailCodes.checkPassword(mail, code))
      if (redeemable === null) throw wrongCode()
      request.identify(redeemable.username)
      const chosen =
        newPassword === undefined ? null : passwords.acceptNew('newPassword', newPassword, redeemable.username)
      const password = chosen ?? randomPassword()
      const sealed = await passwords.seal(password)
      const { userId } = redeemable
      const answer = await change('a proof', async (tx) => {
        const permit = permitOwn(tx, userId, 'a mailed code')
        const changed = await resetPassword(permit, userId, sealed)
        if (!changed || !(await redeemable.spend(tx))) throw wrongCode()
        await endSessions(permit, [userId], 'password')
        const touched = await touch(tx, 'user', [userId], { withdraws: true })
        return { data: null, touched, callers: { userIds: [userId] } }
      })
      if (chosen === null) post(passwordMessage({ ...redeemable, password }))
      return answer
    },
  }
}

const wrongCode = (): AppError => reasons.wrong_mail_code.at('code')

const codeMessage = ({ mail, username, code }: IssuedCode): Message => ({
  to: mail,
  subject: 'Your verification code',
  text: `Someone, probably you, wants to change the password of the account "${username}".

The code is ${code}. It is valid for 10 minutes and can be used once.

If it was not you, do nothing: the password stays as it is.
`,
})

const passwordMessage = ({
  mail,
  username,
  password,
}: {
  mail: string
  username: string
  password: string
}): Message => ({
  to: mail,
  subject: 'Your new password',
  text: `The password of the account "${username}" was changed with a verification code. The new one is

${password}

Sign in with it and choose your own. All earlier sign-ins have ended.
`,
})
