import { once } from 'node:events'
import { createInterface } from 'node:readline'

const word = 'restore'

/** Asks for the confirmation word; any other input, and the end of the input, means no. */
export const confirm = async (question: string): Promise<boolean> => {
  const lines = createInterface({ input: process.stdin })
  process.stdout.write(`${question} Type "${word}" to go on: `)
  const [answer] = await Promise.race([once(lines, 'line'), once(lines, 'close')])
  lines.close()
  return typeof answer === 'string' && answer.trim().toLowerCase() === word
}
