/** As it is seen: without what has no width, and with one kind of space. */
const asSeen = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}|\p{Cc}|\ufe0f/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Whether what was typed looks as what is to be typed: names of platforms have spaces and marks that no key types. */
export const isTypedAs = (typed: string, wanted: string): boolean =>
  typed.trim() === wanted || (asSeen(wanted) !== '' && asSeen(typed) === asSeen(wanted))
