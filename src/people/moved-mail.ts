import type { Message } from '../mail/open-mail.ts'

/**
 * The mail to the earlier address of a person whose address is changed, so that no one takes an account over unnoticed.
 * @param address the new one; empty: it is removed
 */
export const movedMessage = (
  username: string,
  address: string,
  by: 'the person' | 'an administrator',
): Omit<Message, 'to'> => ({
  subject: 'Your mail address was changed',
  text: `The mail address of the account "${username}" ${
    address === '' ? 'was removed' : `is now ${address}`
  }. ${address === '' ? 'No codes and notices are sent any more' : 'Codes and notices are sent there'}.

${by === 'the person' ? 'If it was not you' : 'An administrator changed it. If you did not expect that'}, tell an administrator now.
`,
})
