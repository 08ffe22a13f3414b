import t from 'tap'
import { hostUrls, placeOf, targetOf, whereOf } from '../../src/db/hosts.ts'

t.test('the hosts of a URL', async (t) => {
  const hosts = (url: string) => hostUrls(url)?.map(({ host }) => host) ?? null
  t.same(hosts('postgres://u:p@one/x'), ['one'])
  t.same(hosts('postgresql://u:p%40,@one:5433,two:5434/x?sslmode=require'), ['one:5433', 'two:5434'])
  t.same(hosts('postgres://[::1]:5435/x'), ['[::1]:5435'])
  t.same(hosts('postgres://one,[::1]:5435/x'), ['one', '[::1]:5435'])
  t.same(hosts('postgres:///x?host=/run/postgresql'), [''], 'a socket')
  t.same(hosts('POSTGRES://one,two/x'), ['one', 'two'])
  for (const url of ['', 'one', 'http://one/x', 'postgres://one,/x', 'postgres://,two/x', 'postgres://one:x,two/x']) {
    t.equal(hosts(url), null, url)
  }
  t.equal(hostUrls('postgres://u:secret@one,two/x')?.[1]?.password, 'secret')
})

t.test('what is said of a URL has no password', async (t) => {
  t.equal(whereOf('postgres://u:secret@one,two:5433/x?a=b'), 'u@one,two:5433/x')
  t.equal(whereOf('secret'), 'the server')
  t.same(hostUrls('postgres://u:secret@one,[::1]:5433/x')?.map(placeOf), ['one:5432', '[::1]:5433'])
  t.equal(targetOf('postgres://one,two/x?a=b&target_session_attrs=primary'), 'primary')
  t.equal(targetOf('postgres://one,two/x'), null)
})
