import { Client } from 'ldapts'
import t from 'tap'
import { skipWithoutSlapd, testSlapd } from './slapd.ts'

t.test('a test slapd', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t, { tls: true, memberof: true, refint: true })
  const signedIn = async (url: string): Promise<Client> => {
    const client = new Client({
      url,
      timeout: 5000,
      ...(url === slapd.ldapsUrl && { tlsOptions: { ca: slapd.ca?.() ?? '' } }),
    })
    await client.bind(slapd.bindDn, slapd.bindPassword)
    return client
  }
  const person = (uid: string, description: string): [string, Record<string, string>] => [
    `uid=${uid},${slapd.baseDn}`,
    { objectClass: 'inetOrgPerson', cn: uid, sn: uid, description },
  ]

  await t.test('answers ldapsearch and LDAPS', async (t) => {
    t.match(await slapd.ldapsearch('-b', slapd.baseDn, '-s', 'base'), /^dn: dc=example,dc=org/)
    const client = await signedIn(slapd.ldapsUrl ?? '')
    await client.add(...person('ann', 'fine'))
    await client.unbind()
  })

  await t.test('refuses the values it is told to, until it is told otherwise', async (t) => {
    const client = await signedIn(slapd.url)
    await slapd.refuse('description', '!')
    await t.rejects(client.add(...person('bob', 'no!')), { code: 19 })
    await client.add(...person('cid', 'yes'))
    await slapd.accept()
    await client.add(...person('bob', 'no!'))
    await client.unbind()
  })

  await t.test('counts what it is asked to write', async (t) => {
    const client = await signedIn(slapd.url)
    const before = await slapd.operations()
    await client.add(...person('dan', 'counted'))
    await t.rejects(client.add(...person('dan', 'refused, and counted')), { code: 68 })
    t.match(await slapd.operations(), { ...before, Add: before.Add + 2 })
    await client.unbind()
  })

  await t.test('keeps its entries over a crash and a freeze', async (t) => {
    await slapd.stop('SIGKILL')
    t.equal(slapd.pid, null)
    await slapd.start()
    slapd.freeze()
    const search = slapd.ldapsearch('-b', slapd.baseDn, '(uid=cid)', 'uid')
    slapd.thaw()
    t.match(await search, /uid: cid/)
  })
})
