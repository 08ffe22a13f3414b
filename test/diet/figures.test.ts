import fc from 'fast-check'
import t from 'tap'
import { localDays } from '../../src/contract/cache/local-day.ts'
import { daysBefore } from '../../src/diet/calendar.ts'
import { amountText, parseAmount, scaled, type Unit } from '../../src/diet/figures/amount.ts'
import { addFigures, compute, figureNames, type Ingredient, roundFigures } from '../../src/diet/figures/figures.ts'
import { decimal, fraction, plus, rounded, times } from '../../src/diet/figures/fraction.ts'
import { gramsOf } from '../../src/diet/figures/grams.ts'
import { coverageOf, mealFigures } from '../../src/diet/figures/meal-figures.ts'
import { foods } from '../../src/diet/foods/foods.ts'
import { findFood, namesOf } from '../../src/diet/names/food-names.ts'

const seed = Number(process.env.FUZZ_SEED ?? 20_260_131)
const check = <T>(property: fc.IProperty<T>, numRuns = 300) => fc.assert(property, { seed, numRuns })

const units: readonly Unit[] = ['g', 'kg', 'ml', 'L', '个', '只', '份']

/** Foods with every amount that the table can weigh of them. */
const ingredient: fc.Arbitrary<Ingredient> = fc
  .tuple(fc.constantFrom(...foods), fc.constantFrom(...units), fc.integer({ min: 1, max: 99_999 }))
  .map(([food, unit, thousandths]) => ({ food, amount: { quantity: fraction(BigInt(thousandths), 1000n), unit } }))
  .filter(({ food, amount }) => gramsOf(amount, food) !== null)
  .map(({ food, amount }) => ({ name: food.zh[0], amount: amountText(amount) }))

const scaledBy = ({ name, amount }: Ingredient, times: bigint): Ingredient => {
  const parsed = parseAmount(amount)
  if (parsed === null) throw new Error(`${amount} is no amount`)
  return { name, amount: amountText(scaled(parsed, fraction(times))) }
}

t.test('an amount is a number and a unit, however it is written', async (t) => {
  const written = (text: string): string | null => {
    const amount = parseAmount(text)
    return amount === null ? null : amountText(amount)
  }
  const right: Readonly<Record<string, string>> = {
    ...{ '150g': '150g', '150 G': '150g', '1.50 克': '1.5g', '007g': '7g', '2 grams': '2g', '10公克': '10g' },
    ...{ '0.5kg': '0.5kg', '１．５ＫＧ': '1.5kg', '2公斤': '2kg', '1 千克': '1kg', '3㎏': '3kg', '2 Kilograms': '2kg' },
    ...{
      '250mL': '250ml',
      '250 毫升': '250ml',
      '5㎖': '5ml',
      '1l': '1L',
      '1 L': '1L',
      '0.3升': '0.3L',
      '2 litres': '2L',
    },
    ...{ '3个': '3个', '3個': '3个', '2 pieces': '2个', '1pc': '1个', '2 只': '2只', '2隻': '2只', '1 serving': '1份' },
    ...{ 半个: '0.5个', '1/2个': '0.5个', '½个': '0.5个', '1½ 份': '1.5份', '1 1/2份': '1.5份', '1/3份': '1/3份' },
    ...{ '4/3kg': '1 1/3kg', '　2　个　': '2个', '0.000001g': '0.000001g', '100000g': '100000g', '1000只': '1000只' },
  }
  for (const [text, expected] of Object.entries(right)) t.equal(written(text), expected, text)
  const wrong = [
    ...['', 'g', '150', '-3g', '+3g', '1e3g', '.5g', '5.g', '1.5.2g', '1,5kg', '1,500g', '1.0000001g', '1234567g'],
    ...[
      '0g',
      '0.0g',
      '0/5个',
      '1/0个',
      '1 3/2个',
      '1/2/3个',
      '半半个',
      '1半个',
      '一个',
      '1/100个',
      '10²g',
      '٣g',
      'NaNg',
      'Infinityg',
    ],
    ...[
      '2斤',
      '3 cups',
      '1 tbsp',
      '5 mg',
      '3 g g',
      '3 g, 2 g',
      '3g\n4g',
      '100001g',
      '101kg',
      '100.5L',
      '1001个',
      '3 个个',
    ],
  ]
  for (const text of wrong) t.equal(written(text), null, text)
})

t.test('what is written of an amount reads as that amount', async () => {
  const parts = fc.tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: 99 }), fc.constantFrom(...units))
  check(
    fc.property(parts, ([numerator, denominator, unit]) => {
      const quantity = fraction(BigInt(numerator), BigInt(denominator))
      const read = parseAmount(amountText({ quantity, unit }))
      return numerator > 100 * denominator || (read?.unit === unit && read.quantity.numerator === quantity.numerator)
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => void parseAmount(text)),
    { seed, numRuns: 2000 },
  )
})

t.test('fractions are exact, and rounded half up', async (t) => {
  const third = fraction(1n, 3n)
  t.same(plus(plus(third, third), third), fraction(1n))
  t.same(plus(decimal('0.1'), decimal('0.2')), decimal('0.3'))
  t.same(times(decimal('1.005'), decimal('1000')), decimal('1005'))
  t.same(
    ['0.4', '0.5', '1.49', '1.5', '2.5'].map((text) => rounded(decimal(text))),
    [0, 1, 1, 2, 3],
  )
})

t.test('a food is found by any of its names, one or many, in any width and case', async (t) => {
  for (const food of foods) {
    for (const name of namesOf(food)) {
      const variants = [name, name.toUpperCase(), ` ${name} `, name.replaceAll(' ', '-'), name.replaceAll(' ', '  ')]
      for (const variant of variants) if (findFood(variant) !== food) t.equal(findFood(variant)?.id, food.id, variant)
    }
  }
  for (const [one, many] of [
    ['tomato', 'tomatoes'],
    ['strawberry', 'Strawberries'],
    ['egg', 'EGGS'],
    ['peach', 'peaches'],
    ['carrot', 'carrots'],
    ['鸡蛋', '鸡 蛋'],
    ['牛奶', '牛奶 '],
  ] as const) {
    t.ok(findFood(one), one)
    t.equal(findFood(many), findFood(one), many)
  }
  for (const name of ['', ' ', 'dragon dust', 's', 'es', 'constructor', '__proto__', '鸡'])
    t.equal(findFood(name), null, name)
})

t.test('figures follow the table, by weight, volume, piece and portion', async (t) => {
  const of = (name: string, amount: string) => {
    const { exact, unknown } = compute([{ name, amount }])
    return unknown.length > 0 ? null : roundFigures(exact)
  }
  const food = (name: string) => findFood(name) ?? t.bailout(`there is no ${name}`)
  const [egg, milk] = [food('egg'), food('milk')]
  if (egg === undefined || milk === undefined) return
  t.same(of('egg', '100g'), {
    calories: Math.round(egg.per100g.kcal * 10),
    protein: Math.round(egg.per100g.protein * 10),
    carbs: Math.round(egg.per100g.carbs * 10),
    fat: Math.round(egg.per100g.fat * 10),
  })
  t.same(of('egg', '0.1kg'), of('egg', '100g'))
  t.same(of('egg', '2个'), of('egg', `${2 * (egg.pieceGrams ?? 0)}g`))
  t.same(of('egg', '2只'), of('egg', '2个'))
  t.same(of('milk', '250ml'), of('milk', `${250 * (milk.density ?? 0)}g`))
  t.same(of('milk', '0.25L'), of('milk', '250ml'))
  t.equal(of('egg', '100ml'), null, 'the weight of 100 ml of eggs is unknown')
  t.equal(of('dragon dust', '1g'), null)
})

t.test(
  'what a meal amounts to does not depend on the order of its ingredients, nor a day on that of its meals',
  async () => {
    const list = fc.array(ingredient, { minLength: 1, maxLength: 12 })
    const shuffled = list.chain((first) =>
      fc.tuple(fc.constant(first), fc.shuffledSubarray(first, { minLength: first.length })),
    )
    check(
      fc.property(shuffled, ([first, second]) => {
        const [a, b] = [compute(first).exact, compute(second).exact]
        return figureNames.every((name) => a[name].numerator === b[name].numerator)
      }),
    )
    const day = fc.array(list, { minLength: 1, maxLength: 6 })
    const shuffledDay = day.chain((first) =>
      fc.tuple(fc.constant(first), fc.shuffledSubarray(first, { minLength: first.length })),
    )
    check(
      fc.property(shuffledDay, ([first, second]) => {
        const total = (meals: Ingredient[][]) => addFigures(meals.map((meal) => mealFigures(meal, {}).figures))
        const [a, b] = [total(first), total(second)]
        const added = first.reduce((sum, meal) => sum + mealFigures(meal, {}).figures.calories, 0)
        return figureNames.every((name) => a[name] === b[name]) && a.calories === added
      }),
      100,
    )
  },
)

t.test('so many times the amounts are so many times the figures', async () => {
  check(
    fc.property(fc.array(ingredient, { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 10 }), (list, n) => {
      const factor = BigInt(n)
      const bounded = list.filter((each) => parseAmount(scaledBy(each, factor).amount) !== null)
      const [one, many] = [compute(bounded).exact, compute(bounded.map((each) => scaledBy(each, factor))).exact]
      return figureNames.every((name) => {
        const expected = times(one[name], fraction(factor))
        return many[name].numerator === expected.numerator && many[name].denominator === expected.denominator
      })
    }),
  )
})

t.test('where an ingredient is unknown, the caller is believed, and only there', async (t) => {
  const known = { name: 'egg', amount: '100g' }
  const unknown = { name: 'dragon dust', amount: '5g' }
  const own = { calories: 512.26, fat: 0 }
  t.same(mealFigures([known], own).own, [], 'known figures are not taken from the caller')
  t.same(mealFigures([known], own).figures, mealFigures([known], {}).figures)
  const mixed = mealFigures([known, unknown], own)
  t.match(mixed, { unknown: ['dragon dust'], own: ['calories', 'fat'], basis: { known: 1, all: 2 } })
  t.equal(mixed.figures.calories, 5123)
  t.equal(mixed.figures.fat, 0)
  t.equal(mixed.figures.protein, mealFigures([known], {}).figures.protein, 'the known figures of the rest are shown')
  t.match(mealFigures([], { protein: 3 }), { own: ['protein'], basis: { known: 0, all: 1 }, figures: { protein: 30 } })
  t.same(
    [
      [0, 0],
      [1, 1],
      [0, 3],
      [2, 3],
      [299, 300],
    ].map(([known = 0, all = 0]) => coverageOf({ known, all })),
    [1, 1, 0, 0.66, 0.99],
    'all is not said of less than all',
  )
})

t.test('today is the date on the wall, also where the clocks change', async (t) => {
  const at = (instant: string, timeZone: string) => localDays(timeZone)(Date.parse(instant)).date
  const cases: [timeZone: string, last: string, first: string][] = [
    ['UTC', '2026-01-31T23:59:59.999Z 2026-01-31', '2026-02-01T00:00:00.000Z 2026-02-01'],
    ['Asia/Shanghai', '2026-01-31T15:59:59.999Z 2026-01-31', '2026-01-31T16:00:00.000Z 2026-02-01'],
    // 23 and 25 hours long.
    ['Europe/Berlin', '2026-03-29T21:59:59.999Z 2026-03-29', '2026-03-29T22:00:00.000Z 2026-03-30'],
    ['Europe/Berlin', '2026-10-25T22:59:59.999Z 2026-10-25', '2026-10-25T23:00:00.000Z 2026-10-26'],
    ['America/New_York', '2026-03-09T03:59:59.999Z 2026-03-08', '2026-03-09T04:00:00.000Z 2026-03-09'],
    // The clocks go forward at midnight: the day begins at one.
    ['America/Sao_Paulo', '2018-11-04T02:59:59.999Z 2018-11-03', '2018-11-04T03:00:00.000Z 2018-11-04'],
    // Half an hour, and in the south.
    ['Australia/Lord_Howe', '2026-04-05T13:29:59.999Z 2026-04-05', '2026-04-05T13:30:00.000Z 2026-04-06'],
    ['Asia/Kathmandu', '2026-06-30T18:14:59.999Z 2026-06-30', '2026-06-30T18:15:00.000Z 2026-07-01'],
    // A day that never was.
    ['Pacific/Apia', '2011-12-30T09:59:59.999Z 2011-12-29', '2011-12-30T10:00:00.000Z 2011-12-31'],
  ]
  for (const [timeZone, ...instants] of cases) {
    for (const [instant = '', date] of instants.map((each) => each.split(' '))) {
      t.equal(at(instant, timeZone), date, `${timeZone} ${instant}`)
    }
  }
  t.equal(daysBefore('2026-03-01', 3), '2026-02-26')
  t.equal(daysBefore('2024-03-01', 1), '2024-02-29')
  t.equal(daysBefore('2026-01-02', 3), '2025-12-30')
})
