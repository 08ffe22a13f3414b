import t from 'tap'
import { sharedAnswer } from '../../src/console/app/shared-answer.ts'

t.test('who asks while a question is open gets its answer, and the next one is asked anew', async (t) => {
  const asked: string[] = []
  const answers: ((answer: boolean) => void)[] = []
  const ask = sharedAnswer((question: string) => {
    asked.push(question)
    return new Promise<boolean>((resolve) => answers.push(resolve))
  })
  const both = Promise.all([ask('first'), ask('second')])
  t.same(asked, ['first'])
  answers[0]?.(true)
  t.same(await both, [true, true])
  const third = ask('third')
  t.same(asked, ['first', 'third'])
  answers[1]?.(false)
  t.equal(await third, false)
})

t.test('a question that fails is not the answer to the next one', async (t) => {
  let attempts = 0
  const ask = sharedAnswer(async () => {
    attempts += 1
    if (attempts === 1) throw new Error('no dialog')
    return true
  })
  await t.rejects(ask(null))
  t.equal(await ask(null), true)
})
