import type { Recipe } from '../recipe.ts'
import { serving } from './serving.ts'

/** Western dishes without meat and fish. */
export const westernVegetarian: readonly Recipe[] = [
  {
    id: 63,
    en: 'Spaghetti with tomato and basil',
    zh: '番茄罗勒意面',
    description: {
      en: 'Spaghetti with tomato sauce, basil and parmesan.',
      zh: '番茄意面酱、罗勒和帕玛森奶酪。',
    },
    cuisine: 'western',
    meals: ['lunch', 'dinner'],
    ingredients: serving('pasta-dry 85g, marinara-sauce 150g, basil 5g, parmesan 15g, olive-oil 6ml'),
  },
  {
    id: 64,
    en: 'Mushroom and barley risotto',
    zh: '蘑菇大麦烩饭',
    description: {
      en: 'Barley cooked in stock, with mushrooms and cheese.',
      zh: '大麦在高汤里煮软，拌蘑菇和奶酪。',
    },
    cuisine: 'western',
    meals: ['dinner'],
    ingredients: serving('barley-raw 70g, mushrooms 180g, onion 50g, vegetable-broth 400ml, butter 10g, parmesan 20g'),
  },
  {
    id: 65,
    en: 'Omelette with spinach and mushrooms',
    zh: '菠菜蘑菇煎蛋卷',
    description: {
      en: 'Eggs, spinach, mushrooms and cheddar, with boiled potatoes.',
      zh: '鸡蛋、菠菜、蘑菇和切达奶酪，配煮土豆。',
    },
    cuisine: 'western',
    meals: ['breakfast', 'lunch'],
    ingredients: serving('egg 3个, spinach 80g, mushrooms 80g, cheddar 20g, olive-oil 6ml, potato-boiled 150g'),
  },
  {
    id: 66,
    en: 'Greek salad with pita',
    zh: '希腊沙拉配皮塔饼',
    description: {
      en: 'Tomato, cucumber, olives and feta, with pita bread.',
      zh: '番茄、黄瓜、橄榄和菲达奶酪，配皮塔饼。',
    },
    cuisine: 'western',
    meals: ['lunch'],
    ingredients: serving('tomato 150g, cucumber 120g, onion 30g, feta 60g, olives 30g, olive-oil 10ml, pita 1个'),
  },
  {
    id: 67,
    en: 'Hummus and vegetable wrap',
    zh: '鹰嘴豆泥蔬菜卷',
    description: {
      en: 'A flour tortilla around hummus, carrot and lettuce.',
      zh: '面粉薄饼卷鹰嘴豆泥、胡萝卜和生菜。',
    },
    cuisine: 'western',
    meals: ['lunch'],
    ingredients: serving('tortilla-flour 2个, hummus 80g, carrot 60g, cucumber 60g, lettuce 30g'),
  },
  {
    id: 68,
    en: 'Quinoa bowl with sweet potato and kale',
    zh: '藜麦红薯羽衣甘蓝碗',
    description: {
      en: 'Quinoa, roasted sweet potato, kale and avocado under pumpkin seeds.',
      zh: '藜麦、烤红薯、羽衣甘蓝和牛油果，撒南瓜籽。',
    },
    cuisine: 'western',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'quinoa-raw 60g, sweet-potato 150g, kale 70g, avocado 60g, pumpkin-seeds 12g, lemon-juice 10ml, olive-oil 6ml, salt 1g',
    ),
  },
  {
    id: 69,
    en: 'Black bean and corn tacos',
    zh: '黑豆玉米塔可',
    description: {
      en: 'Corn tortillas with black beans, corn, avocado and salsa.',
      zh: '玉米薄饼夹黑豆、玉米和牛油果，配莎莎酱。',
    },
    cuisine: 'western',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'tortilla-corn 4个, black-beans-boiled 130g, corn-boiled 80g, avocado 60g, salsa 60g, cilantro 8g',
    ),
  },
]
