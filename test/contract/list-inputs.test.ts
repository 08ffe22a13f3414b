import t from 'tap'
import { listInputs } from '../faults/list-inputs.ts'
import { publishedOperations } from './published.ts'

// The test of large lists is run on some days only; that it knows every operation is held every day.
t.test('every operation by GET whose path has a parameter has an input for the test of large lists', async (t) => {
  const inputs = listInputs({ groupId: 1, userId: 1, runId: 1, roleId: 1, apiId: 1 })
  for (const { id, path, method, media } of publishedOperations().values()) {
    if (method !== 'GET' || media.includes('text/event-stream')) continue
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    t.strictSame(Object.keys(inputs[id]?.path ?? {}), names, id)
  }
})
