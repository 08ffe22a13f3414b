import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'puppeteer-core'

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

/** What axe finds wrong with the page as it is now; only what is serious or critical. */
export const axeFindings = async (page: Page): Promise<AxeFinding[]> => {
  const devtools = await page.createCDPSession()
  try {
    const { frameTree } = await devtools.send('Page.getFrameTree')
    // A world of its own sees the document, and nothing of the page's scripts; they see nothing of it.
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
    await evaluate(axe.source)
    // Without a preload axe does not fetch the style sheets a second time.
    const { violations } = (await evaluate(`axe.run({ resultTypes: ['violations'], preload: false })`)) as AxeResults
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
  } finally {
    await devtools.detach()
  }
}
