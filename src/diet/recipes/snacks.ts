import type { Recipe } from '../recipe.ts'
import { serving } from './serving.ts'

/** What is eaten between meals. */
export const snacks: readonly Recipe[] = [
  {
    id: 78,
    en: 'Fruit salad',
    zh: '鲜果拼盘',
    description: {
      en: 'Apple, orange, kiwi and grapes.',
      zh: '苹果、橙子、猕猴桃和葡萄。',
    },
    cuisine: 'western',
    meals: ['breakfast', 'snack'],
    ingredients: serving('apple 100g, orange 100g, kiwi 1个, grapes 60g'),
  },
  {
    id: 79,
    en: 'Sweet mung bean soup',
    zh: '绿豆汤',
    description: {
      en: 'Mung beans cooked until they burst; good hot or cold.',
      zh: '绿豆煮到开花，冷热皆宜。',
    },
    cuisine: 'chinese',
    meals: ['snack'],
    ingredients: serving('mung-beans-dry 40g, sugar 10g'),
  },
  {
    id: 80,
    en: 'Baked sweet potato',
    zh: '烤红薯',
    description: {
      en: 'One sweet potato, baked until it caramelises.',
      zh: '一个烤得流蜜的红薯。',
    },
    cuisine: 'chinese',
    meals: ['breakfast', 'snack'],
    ingredients: serving('sweet-potato-baked 150g'),
  },
  {
    id: 81,
    en: 'Mango and tapioca with coconut milk',
    zh: '芒果西米露',
    description: {
      en: 'Tapioca pearls, coconut milk drink and fresh mango.',
      zh: '西米、椰奶饮料和新鲜芒果。',
    },
    cuisine: 'southeast-asian',
    meals: ['snack'],
    ingredients: serving('tapioca-pearls 25g, coconut-milk-drink 200ml, mango 100g'),
  },
  {
    id: 82,
    en: 'Guacamole with tortilla chips',
    zh: '牛油果酱配玉米脆片',
    description: {
      en: 'Avocado mashed with tomato and onion.',
      zh: '牛油果、番茄和洋葱拌成的蘸酱。',
    },
    cuisine: 'western',
    meals: ['snack'],
    ingredients: serving('avocado 80g, tomato 40g, onion 10g, lemon-juice 5ml, tortilla-chips 25g'),
  },
  {
    id: 83,
    en: 'Popcorn and an apple',
    zh: '苹果爆米花',
    description: {
      en: 'Popcorn without fat, and an apple.',
      zh: '不加油的爆米花和一个苹果。',
    },
    cuisine: 'western',
    meals: ['snack'],
    ingredients: serving('popcorn 20g, apple 1个'),
  },
  {
    id: 84,
    en: 'Apple with peanut butter',
    zh: '苹果配花生酱',
    description: {
      en: 'Slices of apple with peanut butter.',
      zh: '苹果片蘸花生酱。',
    },
    cuisine: 'western',
    meals: ['snack'],
    ingredients: serving('apple 1个, peanut-butter 16g'),
  },
  {
    id: 85,
    en: 'Vegetable sticks with hummus',
    zh: '蔬菜条配鹰嘴豆泥',
    description: {
      en: 'Carrot and cucumber sticks with hummus.',
      zh: '胡萝卜条和黄瓜条蘸鹰嘴豆泥。',
    },
    cuisine: 'western',
    meals: ['snack'],
    ingredients: serving('carrot 80g, cucumber 80g, hummus 50g'),
  },
  {
    id: 86,
    en: 'Boiled edamame',
    zh: '盐水毛豆',
    description: {
      en: 'Green soybeans boiled in salted water.',
      zh: '盐水煮的毛豆仁。',
    },
    cuisine: 'chinese',
    meals: ['snack'],
    ingredients: serving('edamame 120g, salt 1g'),
  },
  {
    id: 87,
    en: 'Nuts and raisins',
    zh: '坚果葡萄干',
    description: {
      en: 'A handful of almonds, walnuts and raisins.',
      zh: '一小把杏仁、核桃和葡萄干。',
    },
    cuisine: 'western',
    meals: ['snack'],
    ingredients: serving('almonds 12g, walnuts 10g, raisins 20g'),
  },
  {
    id: 88,
    en: 'Yogurt with walnuts and honey',
    zh: '核桃蜂蜜酸奶',
    description: {
      en: 'Plain yogurt, chopped walnuts and honey.',
      zh: '原味酸奶、核桃碎和蜂蜜。',
    },
    cuisine: 'western',
    meals: ['breakfast', 'snack'],
    ingredients: serving('yogurt 200g, walnuts 12g, honey 8g'),
  },
  {
    id: 89,
    en: 'Cottage cheese with pineapple',
    zh: '菠萝茅屋奶酪',
    description: {
      en: 'Low-fat cottage cheese with pieces of pineapple.',
      zh: '低脂茅屋奶酪和菠萝块。',
    },
    cuisine: 'western',
    meals: ['snack'],
    ingredients: serving('cottage-cheese-low-fat 150g, pineapple 120g'),
  },
  {
    id: 90,
    en: 'Banana milk',
    zh: '香蕉牛奶昔',
    description: {
      en: 'Banana and milk in the blender.',
      zh: '香蕉和牛奶打成的饮品。',
    },
    cuisine: 'western',
    meals: ['breakfast', 'snack'],
    ingredients: serving('banana 1个, milk 250ml'),
  },
  {
    id: 91,
    en: 'Crackers with cheddar and grapes',
    zh: '奶酪苏打饼干',
    description: {
      en: 'Soda crackers, cheddar and grapes.',
      zh: '苏打饼干、切达奶酪和葡萄。',
    },
    cuisine: 'western',
    meals: ['snack'],
    ingredients: serving('crackers 24g, cheddar 25g, grapes 60g'),
  },
]
