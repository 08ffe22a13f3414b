/**
 * A line at the start of a phase and at each tenth of it, for a terminal and for a log alike.
 * @param print writes a line
 * @returns told the rows that are done
 */
export const tenths = (print: (line: string) => void, phase: string, of: number): ((done: number) => void) => {
  print(`${phase}: ${of} rows`)
  let lastTenth = 0
  return (done) => {
    const tenth = of === 0 ? 10 : Math.min(10, Math.floor((10 * done) / of))
    if (tenth === lastTenth) return
    lastTenth = tenth
    print(`${phase}: ${tenth * 10} %`)
  }
}
