import Fastify from 'fastify'
import { Attribute, Change, Client } from 'ldapts'
import postgres from 'postgres'

/**
 * The baseline: for each write the same rows in one transaction, and then the same LDAP writes, by bare Fastify routes.
 * No tokens, no permissions, no validation, no comparison, no retries, no operation log.
 */
const { DATABASE_URL = '', LDAP_URL = '', LDAP_BASE_DN: baseDn = '' } = process.env
const sql = postgres(DATABASE_URL, { max: 10 })
const ldap = new Client({ url: LDAP_URL })
await ldap.bind(process.env.LDAP_BIND_DN ?? '', process.env.LDAP_BIND_PASSWORD ?? '')

const people = `ou=people,${baseDn}`
const disabled = `ou=disabled,${baseDn}`
const group = (id: number): string => `cn=Group ${id},${baseDn}`
const replace = (type: string, ...values: string[]) =>
  new Change({ operation: 'replace', modification: new Attribute({ type, values }) })
/** What the entry of a person tells of the groups that they are in. */
const departments = (groups: readonly number[]): Change[] => {
  const names = groups.map((id) => `Group ${id}`)
  return [replace('departmentNumber', ...names), replace('ou', ...names)]
}
const member = (operation: 'add' | 'delete', dn: string) =>
  new Change({ operation, modification: new Attribute({ type: 'member', values: [dn] }) })

interface Person {
  username: string
  groupId: number
}

const app = Fastify()

/** What a person has in every table that a write of theirs touches. */
const mark = (tx: postgres.TransactionSql, kind: string, ids: readonly number[]) => tx`
  insert into directory_entries as e (kind, record_id, deleted) select ${kind}, id, false from unnest(${ids as number[]}::bigint[]) id
  on conflict (directory, kind, record_id) do update set version = e.version + 1`

app.post<{ Body: Person }>('/add', async ({ body: { username, groupId } }) => {
  await sql.begin(async (tx) => {
    const [user] = await tx<{ id: string }[]>`
      insert into users (username, username_key, nickname, mail, mobile, job_number)
      values (${username}, ${username}, ${username}, '', '', '') returning id`
    await tx`insert into group_members (group_id, user_id) values (${groupId}, ${user?.id ?? 0})`
    await mark(tx, 'user', [Number(user?.id)])
    await mark(tx, 'group', [groupId])
  })
  const dn = `uid=${username},${people}`
  await ldap.add(dn, {
    objectClass: ['inetOrgPerson'],
    uid: username,
    cn: username,
    sn: username,
    displayName: username,
    departmentNumber: `Group ${groupId}`,
    ou: `Group ${groupId}`,
  })
  await ldap.modify(group(groupId), member('add', dn))
  return { code: 0 }
})

app.post<{ Body: Person }>('/update', async ({ body: { username } }) => {
  const nickname = `New ${username}`
  await sql.begin(async (tx) => {
    const [user] = await tx<{ id: string }[]>`
      update users set nickname = ${nickname}, updated_at = now() where username_key = ${username} returning id`
    await mark(tx, 'user', [Number(user?.id)])
  })
  await ldap.modify(`uid=${username},${people}`, [replace('displayName', nickname), replace('cn', nickname)])
  return { code: 0 }
})

app.post<{ Body: Person & { groups: number[] } }>('/membership', async ({ body: { username, groupId, groups } }) => {
  await sql.begin(async (tx) => {
    const [member] = await tx<{ id: string }[]>`
      insert into group_members (group_id, user_id) select ${groupId}, id from users where username_key = ${username}
      returning user_id as id`
    await mark(tx, 'user', [Number(member?.id)])
    await mark(tx, 'group', [groupId])
  })
  const dn = `uid=${username},${people}`
  await ldap.modify(dn, departments(groups))
  await ldap.modify(group(groupId), member('add', dn))
  return { code: 0 }
})

app.post<{ Body: Person & { groups: number[] } }>('/status', async ({ body: { username, groups } }) => {
  await sql.begin(async (tx) => {
    const [user] = await tx<{ id: string }[]>`
      update users set status = 2, updated_at = now() where username_key = ${username} returning id`
    await mark(tx, 'user', [Number(user?.id)])
    await mark(tx, 'group', groups)
  })
  const dn = `uid=${username},${people}`
  await ldap.modifyDN(dn, `uid=${username},${disabled}`)
  await ldap.modify(`uid=${username},${disabled}`, departments([]))
  for (const id of groups) await ldap.modify(group(id), member('delete', dn))
  return { code: 0 }
})

app.post<{ Body: Person }>('/delete', async ({ body: { username } }) => {
  await sql.begin(async (tx) => {
    const [user] = await tx<{ id: string }[]>`delete from users where username_key = ${username} returning id`
    await tx`update directory_entries set deleted = true, version = version + 1 where kind = 'user' and record_id = ${user?.id ?? 0}`
  })
  await ldap.del(`uid=${username},${disabled}`)
  return { code: 0 }
})

await app.listen({ host: '127.0.0.1', port: 0 })
process.on('SIGTERM', async () => {
  await app.close()
  await ldap.unbind()
  await sql.end()
})
const address = app.server.address()
process.send?.({ port: typeof address === 'object' ? address?.port : null })
