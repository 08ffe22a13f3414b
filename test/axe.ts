import axe, { type AxeResults } from 'axe-core'
import type { CDPSession, Page } from 'puppeteer-core'

/** A fault that keeps people from using a page, and the elements that have it. */
export interface AxeFinding {
  /** axe's name of the rule. */
  rule: string
  impact: 'serious' | 'critical'
  /** What to do. */
  help: string
  /** A selector each, with what is wrong there. */
  elements: string[]
}

const some = { colours: ['color-contrast', 'link-in-text-block'], scrolling: ['scrollable-region-focusable'] } as const

/**
 * What axe finds wrong with the page as it is now; only what is serious or critical.
 * @param rules `colours`: only what another theme can change; `scrolling`: only what another width can
 */
export const axeFindings = async (page: Page, rules: 'all' | keyof typeof some = 'all'): Promise<AxeFinding[]> => {
  const options = {
    resultTypes: ['violations'],
    // Without a preload axe does not fetch the style sheets a second time.
    preload: false,
    ...(rules !== 'all' && { runOnly: { type: 'rule', values: some[rules] } }),
  }
  const evaluate = await axeIn(page)
  const { violations } = (await evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults
  return violations.flatMap(({ id, impact, help, nodes }) =>
    impact === 'serious' || impact === 'critical'
      ? [
          {
            rule: id,
            impact,
            help,
            elements: nodes.map((node) => `${node.target.join(' ')}: ${node.failureSummary}`),
          },
        ]
      : [],
  )
}

const sessions = new WeakMap<Page, CDPSession>()

/** What evaluates an expression beside axe, in a world of its own: it sees the document, and nothing of the page's scripts. */
const axeIn = async (page: Page): Promise<(expression: string) => Promise<unknown>> => {
  const devtools = sessions.get(page) ?? (await page.createCDPSession())
  sessions.set(page, devtools)
  const { frameTree } = await devtools.send('Page.getFrameTree')
  // Within a session, the world of a document is made once.
  const { executionContextId: contextId } = await devtools.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'axe',
  })
  const evaluate = async (expression: string): Promise<unknown> => {
    const { result, exceptionDetails: failure } = await devtools.send('Runtime.evaluate', {
      expression,
      contextId,
      awaitPromise: true,
      returnByValue: true,
    })
    if (failure) throw new Error(`axe: ${failure.exception?.description ?? failure.text}`)
    return result.value
  }
  if ((await evaluate('typeof axe')) === 'undefined') await evaluate(axe.source)
  return evaluate
}
