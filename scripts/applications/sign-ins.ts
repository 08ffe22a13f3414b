import { hostileNames } from './office.ts'
import type { Trial } from './trial.ts'

export interface SignInOptions {
  /** Names that the application cannot sign in, as its page says. */
  impossible?: readonly string[]
  /** Whether only one person may sign in at a time. */
  oneByOne?: boolean
  /** Whether it cannot send this password. */
  cannotSend?: (secret: string) => boolean
  /** Whether a person who is enabled again has to sign in to Steward first, as the page says. */
  afterSignIn?: boolean
}

/** Tries people of all kinds where every person may sign in. @param signsIn whether the application lets them in */
export const trySignIns = async (
  { office, tag, expect }: Pick<Trial, 'office' | 'tag' | 'expect'>,
  signsIn: (name: string, secret: string) => Promise<boolean>,
  { impossible = [], oneByOne = false, cannotSend = () => false, afterSignIn = false }: SignInOptions = {},
): Promise<void> => {
  const { password, hostilePasswords } = office
  const is = async (wanted: boolean, name: string, secret = password): Promise<void> =>
    expect((await signsIn(name, secret)) === wanted, `${JSON.stringify(name)} ${wanted ? 'signs' : 'does not sign'} in`)
  const all = async (values: readonly string[], hold: (value: string) => Promise<void>): Promise<void> => {
    if (oneByOne) for (const value of values) await hold(value)
    else await Promise.all(values.map(hold))
  }
  await all(['ann', 'kid', 'married', ...hostileNames], (name) => is(!impossible.includes(name), name))
  for (const [index, secret] of hostilePasswords.entries())
    if (!cannotSend(secret)) await is(true, `secret${index}`, secret)
  await all(['left', 'maiden', '*', 'unknown', 'ann)(uid=*', 'a*'], (name) => is(false, name))
  // A person of this trial: wrong passwords count together, and too many lock the person out of all applications.
  const typist = await office.addUser(`${tag}.typist`, [office.rowers])
  await all(['', 'wrong', `${password}!`], (secret) => is(false, `${tag}.typist`, secret))
  await office.remove(typist)

  const id = await office.addUser(`${tag}.guest`, [office.rowers])
  await is(true, `${tag}.guest`)
  await office.rename(id, `${tag}.guest2`)
  await is(false, `${tag}.guest`)
  await is(true, `${tag}.guest2`)
  await office.disable(id)
  await is(false, `${tag}.guest2`)
  await office.enable(id)
  if (afterSignIn) {
    await is(false, `${tag}.guest2`)
    await office.signIn(id, `${tag}.guest2`)
  }
  await is(true, `${tag}.guest2`)
  await office.remove(id)
  await is(false, `${tag}.guest2`)
}
