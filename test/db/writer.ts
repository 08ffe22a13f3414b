/**
 * A process to be killed: opens the embedded database in the folder named first and writes pairs of rows for ever, each
 * pair in a transaction of its own. Prints `open` when it is open and a pair's number once its commit was acknowledged.
 */
import { openDatabase } from '../../src/db/client.ts'
import { facts } from '../../src/db/schema.ts'
import { silent } from '../database.ts'

const [dataDir = '', prefix = ''] = process.argv.slice(2)

try {
  const { db } = await openDatabase({ url: null, dataDir, log: silent })
  process.stdout.write('open\n')
  for (let number = 0; ; number++) {
    await db.transaction(async (tx) => {
      await tx.insert(facts).values({ name: `${prefix}-${number}-first`, value: number })
      await tx.insert(facts).values({ name: `${prefix}-${number}-second`, value: number })
    })
    process.stdout.write(`${number}\n`)
  }
} catch (error) {
  process.stderr.write(`${error}\n`)
  process.exit(1)
}
