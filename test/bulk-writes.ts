import type { Directory, Write } from '../src/ldap/directory.ts'

/** How many a transaction takes. */
const together = 1000

/** Carries out many writes in their order: in transactions, except those that add values new to the directory. */
export const writeInBulk = async (directory: Directory, writes: Iterable<Write>): Promise<void> => {
  let waiting: Write[] = []
  const send = async (): Promise<void> => {
    await directory.transact(waiting)
    waiting = []
  }
  for (const write of writes) {
    if (directory.newIn(write).length > 0) {
      await send()
      await directory.write(write)
    } else if (waiting.push(write) === together) await send()
  }
  await send()
}
