import { List, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Body, Data } from '../../app/api.ts'
import { saveOver } from '../../app/changed-meanwhile.ts'
import { useLanguage } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { reading } from '../../app/queries.ts'
import { useConfirm } from '../../ui/confirm.tsx'
import { amountIn } from './amount.ts'
import { type MealStatus, type Saved, useMealChange, usePlanSaving } from './days.ts'

type Plan = Omit<Body<'savePlan'>, 'version'>

/**
 * Saves the plan of a day that an editor shows. Where another page has saved this day since it was read, the plan that is
 * there now is shown, and it is replaced only if that is wanted.
 * @param read the version that the editor shows; empty: there was no plan
 */
export const useSavePlanOver = (read: string) => {
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
  const savePlan = async (plan: Plan, statuses: readonly MealStatus[]): Promise<Saved> => {
    const { date } = plan
    const saved = await saveOver({
      version,
      save: (replaced) => save({ ...plan, version: replaced }, statuses),
      readNow: () => client.fetchQuery({ ...reading('getPlan', { path: { date } }), staleTime: 0 }),
      wantsToReplace,
    })
    setVersion(saved.plan.version)
    return saved
  }
  return { save: savePlan, busy }
}

type Meal = Data<'listTodaysMeals'>[number]

/**
 * Saves a meal of today that a drawer shows. Where another page has changed it since it was read, the meal that is there now
 * is shown, and it is changed only if that is wanted.
 */
export const useSaveMealOver = ({ id, version }: Meal) => {
  const { diet } = usePageTexts('diet')
  const { language } = useLanguage()
  const client = useQueryClient()
  const confirm = useConfirm()
  const saving = useMealChange()

  const wantsToReplace = ({ name, ingredients }: Meal): Promise<boolean> =>
    confirm({
      title: diet.changedElsewhere.mealTitle,
      consequence: (
        <>
          <Text mb="sm">{diet.changedElsewhere.help}</Text>
          <Text>{name}</Text>
          <Text>{ingredients.map((each) => `${each.name} ${amountIn(language, each.amount)}`).join(' · ')}</Text>
        </>
      ),
      action: diet.changedElsewhere.saveMine,
    })

  /** @throws Failure (console.changed_meanwhile) when the meal that is there is to stay */
  const save = async (body: Omit<Body<'updateMeal'>, 'version'>): Promise<void> => {
    await saveOver({
      version,
      save: (replaced) => saving.mutateAsync({ path: { id }, body: { ...body, version: replaced } }),
      readNow: async () => {
        const meals = await client.fetchQuery({ ...reading('listTodaysMeals', {}), staleTime: 0 })
        return meals.find((meal) => meal.id === id)
      },
      wantsToReplace,
    })
  }
  return { save, busy: saving.isPending }
}
