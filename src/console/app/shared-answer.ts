/** Asks one question at a time: who asks while one is open gets the answer to that one. */
export const sharedAnswer = <Question, Answer>(
  ask: (question: Question) => Promise<Answer>,
): ((question: Question) => Promise<Answer>) => {
  let open: Promise<Answer> | undefined
  return (question) => {
    open ??= ask(question).finally(() => {
      open = undefined
    })
    return open
  }
}
