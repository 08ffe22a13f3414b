import t from 'tap'
import { openConsole } from './console.ts'

t.test('every operation of the console on people and departments answers', async (t) => {
  const { call, token, addUser, addGroup } = await openConsole(t)
  const [sales, support] = [await addGroup('Sales'), await addGroup('Support')]
  const ann = await addUser('ann', { nickname: '王小明', departmentId: [sales] })
  const of = (id: number) => ({ params: { id: String(id) }, token })
  const replies = [
    await call('listPeople', { token }),
    await call('getPerson', of(ann)),
    await call('retryPerson', of(ann)),
    await call('explainGrant', of(ann)),
    await call('listDepartments', { token }),
    await call('getDepartmentPath', of(sales)),
    await call('listMembers', of(sales)),
    await call('retryDepartment', of(sales)),
    await call('moveDepartment', { ...of(sales), body: { parent: support } }),
    await call('listRoleHolders', of(1)),
    await call('listApiHolders', of(1)),
    await call('changePeople', { body: { action: 'disable', ids: [ann], dryRun: true }, token }),
  ]
  for (const { code, msg } of replies) t.equal(code, 200, msg)
})
