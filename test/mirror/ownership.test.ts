import t from 'tap'
import { addDigest } from '../../src/mirror/plan/ownership.ts'

// The digest of an add is stored before it is sent, and compared after an update of Steward too.
t.test('the digest of an entry is what it was in earlier versions', async (t) => {
  const attributes = {
    uid: ['ada'],
    'cn;lang-de': ['Ada'],
    cn: ['Ada L.'],
    cn2: ['x'],
    objectClass: ['Top', 'person'],
    mail: [],
    member: ['UID=b,dc=x', 'uid=A, dc=x'],
    userPassword: ['{ARGON2}b', '{ARGON2}a'],
  }
  const [content, password] = [
    'f9a779a0334e94e95e78b77a71ce0bdaf24ae586b8cacd2309b8b750d0572efa',
    '169966eb47fbf448e1b10b8e8a48d4abf293f80cb3dba9a1552da7c2d8b54d2b',
  ]
  t.equal(addDigest(attributes), `${content}.${password}`)
  t.equal(addDigest(Object.fromEntries(Object.entries(attributes).reverse())), `${content}.${password}`)
})
