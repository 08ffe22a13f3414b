import { List, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Body, type Data, Failure } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { reading } from '../../app/queries.ts'
import { useConfirm } from '../../ui/confirm.tsx'
import { type MealStatus, type Saved, usePlanSaving } from './days.ts'

type Plan = Omit<Body<'savePlan'>, 'version'>

/**
 * Saves the plan of a day that an editor shows. Where another page has saved this day since it was read, the plan that is
 * there now is shown, and it is replaced only if that is wanted.
 * @param read the version that the editor shows; empty: there was no plan
 */
export const usePlanSavingOver = (read: string) => {
  const { diet } = usePageTexts('diet')
  const client = useQueryClient()
  const confirm = useConfirm()
  const { save, busy } = usePlanSaving()
  const [version, setVersion] = useState(read)

  const wantsToReplace = ({ meals }: Data<'getPlan'>): Promise<boolean> =>
    confirm({
      title: diet.changedElsewhere.title,
      consequence: (
        <>
          <Text mb="sm">{diet.changedElsewhere.help}</Text>
          {meals.length === 0 ? (
            <Text>{diet.changedElsewhere.noMeals}</Text>
          ) : (
            <List>
              {meals.map(({ id, time, name, status }) => (
                <List.Item key={id}>
                  {time} {name} ({diet.mealStatuses[status]})
                </List.Item>
              ))}
            </List>
          )}
        </>
      ),
      action: diet.changedElsewhere.saveMine,
    })

  /** @throws Failure (console.changed_meanwhile) when the plan that is there is to stay */
  const saveOver = async (plan: Plan, statuses: readonly MealStatus[]): Promise<Saved> => {
    let replaced = version
    for (;;) {
      try {
        const saved = await save({ ...plan, version: replaced }, statuses)
        setVersion(saved.plan.version)
        return saved
      } catch (error) {
        if (!(error instanceof Failure) || error.reason !== 'db.changed_meanwhile') throw error
        const { date } = plan
        const now = await client.fetchQuery({ ...reading('getPlan', { path: { date } }), staleTime: 0 })
        if (!(await wantsToReplace(now))) {
          throw new Failure('changed meanwhile', { code: 409, reason: 'console.changed_meanwhile' })
        }
        replaced = now.version
      }
    }
  }
  return { save: saveOver, busy }
}
