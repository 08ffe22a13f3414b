import t from 'tap'
import { hostUrls, withTarget } from '../../src/db/hosts.ts'

t.test('the hosts of a URL', async (t) => {
  const hosts = (url: string) => hostUrls(url)?.map(({ host }) => host) ?? null
  t.same(hosts('postgres://u:p@one/x'), ['one'])
  t.same(hosts('postgresql://u:p%40,@one:5433,two:5434/x?sslmode=require'), ['one:5433', 'two:5434'])
  t.same(hosts('postgres://[::1]:5435/x'), ['[::1]:5435'])
  t.equal(hosts('postgres://one,[::1]:5435/x'), null)
  t.same(hosts('postgres:///x?host=/run/postgresql'), [''], 'a socket')
  t.same(hosts('POSTGRES://one,two/x'), ['one', 'two'])
  for (const url of ['', 'one', 'http://one/x', 'postgres://one,/x', 'postgres://,two/x', 'postgres://one:x,two/x']) {
    t.equal(hosts(url), null, url)
  }
  t.equal(hostUrls('postgres://u:secret@one,two/x')?.[1]?.password, 'secret')
})

t.test('of several hosts the one that accepts changes', async (t) => {
  t.equal(withTarget('postgres://one/x'), 'postgres://one/x')
  t.equal(withTarget('postgres://one,two/x'), 'postgres://one,two/x?target_session_attrs=primary')
  t.equal(withTarget('postgres://one,two/x?a=b'), 'postgres://one,two/x?a=b&target_session_attrs=primary')
  const own = 'postgres://one,two/x?target_session_attrs=any'
  t.equal(withTarget(own), own)
})
