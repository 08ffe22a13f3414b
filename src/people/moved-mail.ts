import type { Message } from '../mail/open-mail.ts'

/**
 * The mail to the earlier address of a person whose address is changed, so that no one takes an account over unnoticed.
 * @param address the new one; empty: it is removed
 */
export const movedMessage = (username: string, address: string, by: keyof typeof surprises): Omit<Message, 'to'> => ({
  subject: 'Your mail address was changed',
  text: `The mail address of the account "${username}" ${
    address === '' ? 'was removed' : `is now ${address}`
  }. ${address === '' ? 'No codes and notices are sent any more' : 'Codes and notices are sent there'}.

${surprises[by]}, tell an administrator now.
`,
})

const surprises = {
  'the person': 'If it was not you',
  'an administrator': 'An administrator changed it. If you did not expect that',
  'a source': 'It was changed in the system that your record is taken over from. If you did not expect that',
}
