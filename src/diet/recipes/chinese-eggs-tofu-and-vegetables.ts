import type { Recipe } from '../recipe.ts'
import { serving } from './serving.ts'

/** Chinese dishes of eggs, tofu and vegetables. */
export const chineseEggsTofuAndVegetables: readonly Recipe[] = [
  {
    id: 40,
    en: 'Tomato and eggs over rice',
    zh: '番茄炒蛋盖饭',
    description: {
      en: 'Soft scrambled eggs in tomato juice over rice.',
      zh: '软嫩的炒蛋裹着番茄汁，盖在米饭上。',
    },
    cuisine: 'chinese',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'egg 2个, tomato 200g, sugar 4g, scallion 5g, rapeseed-oil 10ml, salt 1g, rice-white-cooked 170g',
    ),
  },
  {
    id: 41,
    en: 'Bitter melon with eggs and rice',
    zh: '苦瓜炒蛋饭',
    description: {
      en: 'Sliced bitter melon fried with eggs.',
      zh: '苦瓜片和鸡蛋同炒，清苦回甘。',
    },
    cuisine: 'chinese',
    meals: ['lunch', 'dinner'],
    ingredients: serving('bitter-melon 200g, egg 2个, rapeseed-oil 10ml, salt 1g, rice-white-cooked 160g'),
  },
  {
    id: 42,
    en: 'Mapo tofu with rice',
    zh: '麻婆豆腐饭',
    description: {
      en: 'Soft tofu and minced pork in a hot sauce.',
      zh: '嫩豆腐和肉末在辣酱汁里烧透。',
    },
    cuisine: 'chinese',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'tofu-soft 250g, pork-ground 50g, chili-powder 3g, garlic 6g, ginger 4g, scallion 8g, soy-sauce 10ml, corn-starch 5g, rapeseed-oil 8ml, rice-white-cooked 150g',
    ),
  },
  {
    id: 43,
    en: 'Home-style tofu with rice',
    zh: '家常豆腐饭',
    description: {
      en: 'Firm tofu fried golden, with green pepper, carrot and wood ear.',
      zh: '老豆腐煎黄，和青椒、胡萝卜、木耳同烧。',
    },
    cuisine: 'chinese',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'tofu-firm 150g, green-pepper 80g, carrot 50g, wood-ear-dried 4g, garlic 5g, soy-sauce 10ml, rapeseed-oil 10ml, rice-white-cooked 150g',
    ),
  },
  {
    id: 44,
    en: 'Kelp and tofu soup',
    zh: '海带豆腐汤',
    description: {
      en: 'A light soup of kelp and tofu, with brown rice.',
      zh: '海带和豆腐的清汤，配糙米饭。',
    },
    cuisine: 'chinese',
    meals: ['lunch', 'dinner'],
    ingredients: serving('kelp 100g, tofu 200g, ginger 5g, sesame-oil 3ml, salt 1g, rice-brown-cooked 200g'),
  },
  {
    id: 45,
    en: 'Greens and shiitake with rice',
    zh: '香菇青菜饭',
    description: {
      en: 'Bok choy and shiitake, simply fried, with rice.',
      zh: '小白菜和香菇清炒，配米饭。',
    },
    cuisine: 'chinese',
    meals: ['lunch', 'dinner'],
    ingredients: serving('bok-choy 250g, shiitake 100g, garlic 6g, rapeseed-oil 10ml, salt 1g, rice-white-cooked 200g'),
  },
  {
    id: 46,
    en: 'Potato, eggplant and pepper with rice',
    zh: '地三鲜饭',
    description: {
      en: 'Potato, eggplant and green pepper braised as in the Northeast.',
      zh: '土豆、茄子和青椒红烧成的东北家常菜。',
    },
    cuisine: 'chinese',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'potato 120g, eggplant 150g, green-pepper 80g, garlic 6g, soy-sauce 10ml, sugar 5g, corn-starch 4g, rapeseed-oil 15ml, rice-white-cooked 130g',
    ),
  },
  {
    id: 47,
    en: 'Shredded potato with rice',
    zh: '清炒土豆丝饭',
    description: {
      en: 'Crisp shredded potato and green pepper.',
      zh: '爽脆的土豆丝和青椒丝。',
    },
    cuisine: 'chinese',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'potato 220g, green-pepper 50g, garlic 5g, rapeseed-oil 10ml, salt 1g, rice-white-cooked 130g',
    ),
  },
  {
    id: 48,
    en: 'Hand-torn cabbage with rice',
    zh: '手撕包菜饭',
    description: {
      en: 'Torn cabbage over a high flame, a little hot.',
      zh: '手撕的卷心菜大火爆炒，微辣。',
    },
    cuisine: 'chinese',
    meals: ['lunch', 'dinner'],
    ingredients: serving('cabbage 280g, chili 8g, garlic 6g, soy-sauce 8ml, rapeseed-oil 12ml, rice-white-cooked 180g'),
  },
  {
    id: 49,
    en: 'Fried rice noodles with vegetables',
    zh: '素炒米粉',
    description: {
      en: 'Rice noodles fried with cabbage, bean sprouts and carrot.',
      zh: '米粉和卷心菜、豆芽、胡萝卜同炒。',
    },
    cuisine: 'chinese',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'rice-noodles-dry 80g, cabbage 100g, mung-bean-sprouts 100g, carrot 50g, scallion 10g, soy-sauce 12ml, rapeseed-oil 12ml',
    ),
  },
  {
    id: 50,
    en: 'Noodles with scallion oil',
    zh: '葱油拌面',
    description: {
      en: 'Thin noodles in fragrant scallion oil.',
      zh: '熬香的葱油拌细面。',
    },
    cuisine: 'chinese',
    meals: ['breakfast', 'lunch'],
    ingredients: serving('somen-dry 90g, scallion 30g, soy-sauce 15ml, sugar 4g, rapeseed-oil 14ml'),
  },
]
