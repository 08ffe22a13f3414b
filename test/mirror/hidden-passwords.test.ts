import { hash } from '@node-rs/argon2'
import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { openSchemeProofs, type SchemeProofs } from '../../src/mirror/passwords/password-scheme.ts'
import { hashAs } from '../../src/mirror/passwords/password-values.ts'
import { touch } from '../../src/mirror/touch.ts'
import { eventually } from '../eventually.ts'
import { ldapTools } from '../ldap-server/ldap-tools.ts'
import { type SlapdOptions, skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { password, stage } from './stage.ts'

// A directory that takes passwords and shows none, or does not let be tested what it verifies.

const other = 'eight-quiet-lanterns'

/** A person, ada, in a real slapd. */
const office = async (t: Test, { hidden = true, ...options }: SlapdOptions & { hidden?: boolean } = {}) => {
  const slapd = await testSlapd(t, options)
  const clock = { time: 0 }
  const asked: SchemeProofs[] = []
  const seen: typeof slapd = Object.create(slapd, Object.getOwnPropertyDescriptors(slapd))
  const s = await stage(t, {
    started: false,
    slapd: Object.assign(seen, hidden && (await slapd.hidePasswords())),
    proofs: (server) => {
      const proofs = openSchemeProofs({ ...server, ca: null, startTls: false, timeout: 6000 }, 1, () => clock.time)
      asked.push(proofs)
      return proofs
    },
  })
  await s.db.execute(sql`delete from users`)
  await s.db.execute(sql`delete from directory_entries`)
  const change = (set: ReturnType<typeof sql>) =>
    s.db.transaction(async (tx) => {
      const [row] = await tx.execute<{ id: string }>(sql`update users set ${set} where username = 'ada' returning id`)
      await touch(tx, 'user', [Number(row?.id)])
    })
  const dnOf = (unit: string) => `uid=ada,ou=${unit},${slapd.baseDn}`
  return {
    ...s,
    slapd,
    root: ldapTools(slapd),
    dnOf,
    bind: async (word: string, unit = 'people') => (await ldapTools(slapd).as(dnOf(unit), word, 'ldapwhoami', [])).code,
    /** In the record; its entry has to follow. */
    change: async (set: ReturnType<typeof sql>) => {
      await change(set)
      s.reconciler.wake()
      await s.quiet()
    },
    changeWhileAway: change,
    verdict: (scheme = 'ARGON2') => asked.at(-1)?.of(scheme)?.verdict,
    row: async () => {
      const [row] = await s.db.execute<{ state: string | null; stated: unknown }>(
        sql`select password_digest as state, stated from directory_entries where kind = 'user'`,
      )
      return row
    },
    /**
     * It is connected to again, and refuses the test.
     * @param meanwhile what happens to the ledger while nothing is compared
     */
    refuse: async (meanwhile?: () => PromiseLike<unknown>) => {
      // Every hash has one.
      await slapd.refuse('userPassword', '$')
      const before = asked.length
      await slapd.stop()
      await meanwhile?.()
      await slapd.start()
      s.reconciler.wake()
      await eventually(() => asked.length > before && asked.at(-1)?.of('ARGON2') !== null, 'it is connected to again')
      t.equal(asked.at(-1)?.of('ARGON2')?.verdict, 'unknown')
      await s.quiet()
    },
    /** It lets be tested again, and that is tried. */
    accept: async () => {
      await slapd.accept()
      clock.time += 61_000
      await eventually(() => asked.at(-1)?.of('ARGON2')?.verdict === 'proved', 'it is tested again')
      await s.quiet()
    },
  }
}

t.test('a person who was disabled, and is enabled while it refuses the test', { skip: skipWithoutSlapd }, async (t) => {
  const s = await office(t)
  await s.addUsers('ada')
  s.reconciler.start()
  await s.quiet()
  t.equal(await s.bind(password), 0)
  await s.change(sql`status = 2`)
  t.not(await s.bind(password, 'disabled'), 0)
  await s.refuse()
  await s.change(sql`status = 1`)
  t.not(await s.bind(password), 0)
  t.ok((await s.row())?.stated, 'it is told')
  await s.accept()
  await eventually(async () => (await s.bind(password)) === 0, 'it follows by itself')
  t.notOk((await s.row())?.stated)
})

t.test('a change of a person of whose password the ledger knows nothing', { skip: skipWithoutSlapd }, async (t) => {
  const s = await office(t)
  await s.addUsers('ada')
  s.reconciler.start()
  await s.quiet()
  await s.refuse(() => s.db.execute(sql`update directory_entries set password_digest = null`))
  await s.change(sql`position = 'Captain'`)
  t.equal(await s.bind(password), 0)
  t.equal((await s.row())?.state, null, 'what the release before takes away nothing for')
  await s.change(sql`password_hash = ${await hash(other)}`)
  await s.accept()
  await eventually(async () => (await s.bind(other)) === 0, 'the new one follows')
  t.not(await s.bind(password), 0)
})

t.test('one that was written without the ledger being told of it', { skip: skipWithoutSlapd }, async (t) => {
  const s = await office(t)
  await s.addUsers('ada')
  s.reconciler.start()
  await s.quiet()
  await s.refuse(() =>
    s.db.execute(sql`update directory_entries set password_digest = replace(password_digest, 'held', 'withheld')`),
  )
  await s.change(sql`position = 'Captain'`)
  t.equal(await s.bind(password), 0)
  await s.accept()
  t.equal(await s.bind(password), 0)
  t.match(await s.row(), { state: /^held / })
})

t.test('of a person without one here who is disabled, that of others goes', { skip: skipWithoutSlapd }, async (t) => {
  const s = await office(t)
  await s.addUsers('ada')
  await s.db.execute(sql`update users set password_hash = null`)
  s.reconciler.start()
  await s.quiet()
  const set = await s.root.run('ldappasswd', ['-s', other, s.dnOf('people')])
  t.equal(set.code, 0, set.stderr)
  await s.change(sql`position = 'Captain'`)
  t.equal(await s.bind(other), 0, 'it is the person’s')
  await s.change(sql`status = 2`)
  t.not(await s.bind(other), 0)
  t.not(await s.bind(other, 'disabled'), 0)
})

for (const hidden of [false, true])
  t.test(
    `another hash that it does not verify leaves the one that it does${hidden ? ', which it does not show' : ''}`,
    {
      skip: skipWithoutSlapd,
    },
    async (t) => {
      const s = await office(t, { hidden, argon2: false })
      await s.addUsers('ada')
      const former = await hashAs('SSHA', password, hash)
      await s.db.execute(sql`update users set password_hash = ${former}, directory_password = ${former}`)
      s.reconciler.start()
      await s.quiet()
      t.equal(await s.bind(password), 0)
      // No record has a hash in the former scheme when it is connected to again.
      await s.slapd.stop()
      await s.changeWhileAway(
        sql`password_hash = ${await hash(password)}, directory_password = null, password_renews = password_hash`,
      )
      await s.slapd.start()
      s.reconciler.wake()
      await eventually(() => s.verdict() === 'disproved', 'it is connected to again')
      await s.quiet()
      t.equal(await s.bind(password), 0)
      t.match(await s.row(), { stated: { code: 'mirror.password_absent' } }, 'that it has not the new one is told')
      await s.reconciler.compareEverything()
      await s.quiet()
      t.equal(await s.bind(password), 0, 'whatever is compared')
      await s.change(sql`password_hash = ${await hash(other)}`)
      t.not(await s.bind(password), 0, 'a new one takes it away')
    },
  )
