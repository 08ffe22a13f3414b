import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createGzip, gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import t from 'tap'
import { seededRandom } from '../../scripts/fakes/random.ts'
import { byteReader } from '../../src/backups/file/byte-reader.ts'
import { openFrames } from '../../src/backups/file/frames.ts'
import { headerLine, keyOf, longestHeader, newHeader, parseHeader } from '../../src/backups/file/header.ts'
import { readBackup } from '../../src/backups/file/read.ts'
import { loadBackup } from '../../src/backups/restore/load.ts'
import { writeBackup } from '../../src/backups/write.ts'
import { newestKnownMigration } from '../../src/db/schema-version.ts'
import { testDatabase } from '../database.ts'
import { contentOf, type Forged, type ForgedTable, forge, line } from './forged-backup.ts'

// Files of an attacker who knows the format, and who may know the key: they are refused in plain words, in bounded
// memory, and nothing of them reaches the database unless all of it does.

const folder = await mkdtemp(join(tmpdir(), 'steward-hostile-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))
const key = 'a key of thirty-two characters, or more'
const file = join(folder, 'forged.backup')
const schema = newestKnownMigration()
const { db } = await testDatabase(t)
await db.execute(sql`
  insert into users (username, username_key, nickname) select 'u' || n, 'u' || n, 'Nick ' || n from generate_series(1, 40) n`)
await db.execute(sql`insert into groups (group_name, group_name_key, group_type) values ('North', 'north', 'cn')`)
await db.execute(sql`insert into group_members (group_id, user_id) select 1, id from users`)

const forged = (content: Forged['content'], more: Partial<Forged> = {}): Promise<void> =>
  forge({ file, secret: null, content, ...more })

const everything = async (): Promise<unknown> => {
  const [row] = await db.execute<{ all: unknown }>(sql`
    select json_build_object(
      'users', (select md5(string_agg(u::text, '|' order by id)) from users u),
      'groups', (select md5(string_agg(g::text, '|' order by id)) from groups g),
      'members', (select md5(string_agg(m::text, '|' order by group_id, user_id)) from group_members m),
      'ids', (select last_value from users_id_seq),
      'tables', (select json_agg(relname order by relname) from pg_class where relnamespace = 'public'::regnamespace)) as all`)
  return row?.all
}
const before = await everything()

/** Loads the file and rolls back. Resolves when all of it could be loaded. */
const load = async (more: { secrets?: string[] } = {}): Promise<void> => {
  const loaded = new Error('loaded')
  await db
    .transaction(async (tx) => {
      await loadBackup(tx, { file, secrets: [], ...more })
      throw loaded
    })
    .catch((error: unknown) => {
      if (error !== loaded) throw error
    })
}

t.test('a file that is not encrypted is believed only where there is no key, or where it is asked for', async (t) => {
  await writeBackup(db, { file: join(folder, 'open'), secret: null })
  const open = { file: join(folder, 'open') }
  const refusal = { name: 'BackupFileError', message: /not encrypted, .* --allow-unencrypted/ }
  await t.rejects(readBackup({ ...open, secrets: [key] }), refusal)
  await t.rejects(
    db.transaction((tx) => loadBackup(tx, { ...open, secrets: [key] })),
    refusal,
  )
  t.match(await readBackup({ ...open, secrets: [key], allowUnencrypted: true }), { encrypted: false })
  t.match(await readBackup({ ...open, secrets: [] }), { encrypted: false })
  await writeBackup(db, { file: join(folder, 'sealed'), secret: key })
  t.match(await readBackup({ file: join(folder, 'sealed'), secrets: [key] }), { encrypted: true })
  const header = newHeader(null)
  t.throws(() => parseHeader(headerLine({ ...header, salt: '' })), { message: /first line is damaged/ })
  t.throws(() => parseHeader(headerLine({ ...header, salt: 'zz'.repeat(16) })), { message: /first line is damaged/ })
})

const users = (more: Partial<ForgedTable> = {}): ForgedTable => ({
  name: 'users',
  columns: ['id', 'username', 'username_key', 'nickname'],
  rows: ['(1,admin,admin,Administrator)'],
  lastId: 1,
  ...more,
})

t.test('nothing of a file becomes SQL', async (t) => {
  await forged(contentOf([users()], schema))
  await t.resolves(load(), 'a valid file is loaded')
  const statement = '1)) from public.users_id_seq; create table pwned (i int); select setval((1'
  const name = `users"; create table pwned (i int); --`
  for (const [what, content, message] of [
    ['lastId', contentOf([users({ lastId: statement })], schema), /manifest is damaged/],
    [
      'lastId as a number beyond all identifiers',
      contentOf([users({ lastId: 2 ** 53 })], schema),
      /manifest is damaged/,
    ],
    ['lastId with a fraction', contentOf([users({ lastId: 1.5 })], schema), /manifest is damaged/],
    ['a table', contentOf([users({ name })], schema), /does not name a table/],
    ['a table of the server', contentOf([users({ name: 'pg_authid' })], schema), /has no table pg_authid/],
    ['a property of objects', contentOf([users({ name: '__proto__' })], schema), /does not name a table/],
    ['another one', contentOf([users({ name: 'constructor' })], schema), /has no table constructor/],
    ['a column', contentOf([users({ columns: ['id', name] })], schema), /does not name a table/],
    ['a column there is not', contentOf([users({ columns: ['id', 'shoe_size'] })], schema), /no column shoe_size/],
    ['a column twice', contentOf([users({ columns: ['id', 'id'] })], schema), /does not name a table/],
    ['columns that are a text', contentOf([users({ columns: 'id' })], schema), /does not name a table/],
    ['an unknown kind', [line(['sql', 'drop table users'])], /does not name a table/],
    ['a table twice', contentOf([users(), users()], schema), /contains table users twice/],
    ['a schema that is a text', contentOf([users()], '0000_initial'), /manifest is damaged/],
    ['an unknown schema', contentOf([users()], { tag: 'x', when: 5 }), /does not know its schema/],
    ['a terminal sequence', contentOf([users()], schema, { steward: '\u001b[2J' }), /manifest is damaged/],
    ['a time that is not a time', contentOf([users()], schema, { takenAt: 'yesterday' }), /manifest is damaged/],
    ['no tables', contentOf([users()], schema, { tables: null }), /manifest is damaged/],
    ['a head of the log', contentOf([users()], schema, { logHead: { seq: '1', hash: '' } }), /manifest is damaged/],
    ['rows of no table', [line('(1)'), ...contentOf([], schema)], /do not belong to a table/],
    ['rows after the manifest', [...contentOf([users()], schema), line('(2)')], /do not belong to a table/],
    ['a second manifest', [...contentOf([users()], schema), ...contentOf([], schema)], /after its manifest/],
    ['a manifest of null', [line(['manifest', null])], /manifest is damaged/],
    ['no manifest', [line(['table', 'users', ['id']])], /has no manifest/],
    ['no content', [], /has no manifest/],
  ] as const) {
    await forged(content)
    await t.rejects(load(), { name: 'BackupFileError', message }, what)
  }
  t.same(await everything(), before)
})

t.test('rows that the database refuses', async (t) => {
  for (const [what, rows] of [
    ['a value that does not fit its type', ['(x,a,a,a)']],
    ['too few values', ['(1)']],
    ['an identifier twice', ['(1,a,a,a)', '(1,b,b,b)']],
    ['a name twice', ['(1,a,a,a)', '(2,a,a,a)']],
    ['nothing where something is required', ['(,,,)']],
    ['no record at all', ['drop table users']],
    ['a character that no text has', ['(1,"a\u0000",a,a)']],
  ] as const) {
    await forged(contentOf([users({ rows })], schema))
    await t.rejects(
      load(),
      { name: 'BackupFileError', message: /the database refuses what it holds \(SQLSTATE 2[23]/ },
      what,
    )
  }
  await forged(contentOf([{ name: 'group_members', columns: ['group_id', 'user_id'], rows: ['(7,7)'] }], schema))
  await t.rejects(load(), { name: 'BackupFileError', message: /SQLSTATE 23503/ }, 'a reference to a missing row')
  t.same(await everything(), before)
})

/** Bytes by which the most memory this process ever took grew. */
const growthOf = async (work: () => Promise<void>): Promise<number> => {
  const peak = (): number => process.resourceUsage().maxRSS * 1024
  const start = peak()
  await work()
  return peak() - start
}

const megabyte = 1024 * 1024

function* repeated(chunk: Buffer, times: number): Generator<Buffer> {
  for (let left = times; left > 0; left--) yield chunk
}

t.test('files that unpack to far more than their size', async (t) => {
  const refused = async (what: string, message: RegExp, unpackLimit?: number): Promise<void> => {
    const growth = await growthOf(async () => {
      await t.rejects(readBackup({ file, secrets: [], unpackLimit }), { name: 'BackupFileError', message }, what)
    })
    t.ok(growth < 200 * megabyte, `${what}: ${Math.round(growth / megabyte)} MB more`)
  }
  // Memory that was taken once stays this process's: making the files is what takes most before.
  const spaces = Buffer.alloc(megabyte, ' ')
  await forged(repeated(spaces, 600))
  await refused('a line without an end', /a line in it is longer than 32\.0 MB/)
  await forged(repeated(Buffer.concat([Buffer.from('["table","'), Buffer.alloc(megabyte, 'a')]), 600))
  await refused('a table with a name without an end', /a line in it is longer than 32\.0 MB/)
  await forged([line(['table', 'users', ['id']]), ...repeated(Buffer.from('"(1)"\n'.repeat(170_000)), 300)])
  await refused('rows without an end', /it unpacks to more than 50\.0 MB \(BACKUP_UNPACK_LIMIT\)/, 50 * megabyte)
  const columns = Array.from({ length: 60_000 }, (_, n) => `c${n}`)
  await forged([line(['table', 'users', columns])])
  await refused('columns without an end', /does not name a table/)
  await forged([Buffer.from(`${'['.repeat(900_000)}\n`)])
  await refused('depth without an end', /does not name a table/)
  await forged([line(['table', 'users', Array.from({ length: 400_000 }, (_, n) => `c${n}`)])])
  await refused('a long head', /manifest is damaged/)
  await forged(
    (function* () {
      for (let n = 0; n < 5000; n++) yield line(['table', `t${n}`, ['id']])
    })(),
  )
  await refused('tables without an end', /more than 1000 tables/)
  const tables = Object.fromEntries(
    Array.from({ length: 1001 }, (_, n) => [`t${n}`, { rows: 0, sha256: '0'.repeat(64), lastId: null }]),
  )
  await forged(contentOf([], schema, { tables }))
  await refused('a manifest of many tables', /manifest is damaged/)

  await writeFile(file, Buffer.alloc(64 * megabyte, 'steward-backup '))
  await refused('a first line without an end', /not a backup of Steward/)
  const header = headerLine(newHeader(null))
  for (const length of [0x7fff_ffff, 0xffff_ffff, 2 * megabyte, 100, 0]) {
    const word = Buffer.alloc(4)
    word.writeUInt32BE(length)
    await writeFile(file, Buffer.concat([header, word, Buffer.alloc(4 * megabyte)]))
    await refused(`a frame of ${length} bytes`, /frame 1 was changed/)
  }

  const good = gzipSync(Buffer.concat(contentOf([users()], schema)))
  const packed = (...parts: Buffer[]) => forged([], { pack: () => Readable.from(parts) })
  await packed(good)
  await t.resolves(readBackup({ file, secrets: [] }))
  await packed(good, ...repeated(Buffer.alloc(300_000, 'x'), 8))
  await refused('something behind the compressed stream', /contains data after its end|cannot be unpacked/)
  await packed(good, gzipSync(Buffer.concat(contentOf([users()], schema))))
  await refused('a second compressed stream', /after its manifest/)
  await packed(Buffer.alloc(1000))
  await refused('what is not compressed', /cannot be unpacked/)
  await packed(good.subarray(0, -20))
  await refused('a compressed stream cut off', /cannot be unpacked/)
  await forged([], { pack: () => Readable.from(repeated(spaces, 200)).pipe(createGzip()).pipe(createGzip()) })
  await refused('a compressed stream within another', /do not belong to a table|longer than/)
})

/** The content of a file, in clear. */
const contentOfFile = async (path: string): Promise<Buffer> => {
  const handle = await open(path)
  const reader = byteReader(handle.createReadStream())
  const header = await reader.line(longestHeader)
  const parts: Buffer[] = []
  for await (const part of openFrames(reader, { key: keyOf(parseHeader(header), { secrets: [key] }), header })) {
    parts.push(part)
  }
  return gunzipSync(Buffer.concat(parts))
}

t.test('a file with anything in it changed is refused, and nothing of it is applied', async (t) => {
  const seed = Number(process.env.FUZZ_SEED ?? 20_260_101)
  const random = seededRandom(seed)
  const whole = random.below
  const good = join(folder, 'good')
  await writeBackup(db, { file: good, secret: key })
  const bytes = await readFile(good)
  const content = await contentOfFile(good)

  const mutations: ((given: Buffer) => Buffer)[] = [
    (given) => {
      const place = whole(given.length)
      given.writeUInt8(given.readUInt8(place) ^ (1 << whole(8)), place)
      return given
    },
    (given) => given.subarray(0, whole(given.length)),
    (given) => {
      const [place, length] = [whole(given.length), 1 + whole(40)]
      return Buffer.concat([given.subarray(0, place), given.subarray(place + length)])
    },
    (given) => {
      const place = whole(given.length)
      const odd = [
        '"',
        '\n',
        '[',
        ']',
        '\u0000',
        '{"a":',
        '-1',
        '1e999',
        'null',
        '"(1)"\n',
        '["table","users",["id"]]\n',
      ]
      return Buffer.concat([given.subarray(0, place), Buffer.from(odd[whole(odd.length)] ?? ''), given.subarray(place)])
    },
    (given) => {
      const [from, to, length] = [whole(given.length), whole(given.length), 1 + whole(200)]
      given.copy(given, to, from, Math.min(from + length, given.length))
      return given
    },
  ]
  const mutated = (given: Buffer): Buffer => mutations[whole(mutations.length)]?.(Buffer.from(given)) ?? given

  for (let round = 0; round < 150; round++) {
    const changed = mutated(bytes)
    if (changed.equals(bytes)) continue
    await writeFile(file, changed)
    const failure = await readBackup({ file, secrets: [key] }).catch((error: unknown) => error)
    if ((failure as Error).name !== 'BackupFileError') t.fail(`seed ${seed}, file ${round}: ${String(failure)}`)
  }

  // An attacker with the key can change the content and make the manifest match it.
  let applied = 0
  for (let round = 0; round < 60; round++) {
    const changed = round % 2 === 0 ? mutated(content) : vouchedFor(mutated(content))
    await forge({ file, secret: key, content: [changed] })
    const failure = await load({ secrets: [key] }).catch((error: unknown) => error)
    if (failure === undefined) applied += 1
    else if ((failure as Error).name !== 'BackupFileError') t.fail(`seed ${seed}, content ${round}: ${String(failure)}`)
  }
  t.comment(`${applied} of 60 could be loaded`)
  t.same(await everything(), before, 'a refused or rolled back load left nothing')
})

/** Makes the manifest agree with the rows, where it can be read. */
const vouchedFor = (content: Buffer): Buffer => {
  const lines = content.toString().split('\n').slice(0, -1)
  try {
    const [, manifest] = JSON.parse(lines.pop() ?? '')
    const tables: (ForgedTable & { rows: string[] })[] = []
    for (const each of lines) {
      if (each.startsWith('[')) {
        const [, name, columns] = JSON.parse(each)
        tables.push({ name, columns, rows: [], lastId: manifest.tables[name]?.lastId })
      } else tables.at(-1)?.rows.push(JSON.parse(each))
    }
    return Buffer.concat(contentOf(tables, manifest.schema))
  } catch {
    return content
  }
}
