import type { Recipe } from '../recipe.ts'
import { serving } from './serving.ts'

/** Western dishes with meat and fish. */
export const westernMeatAndSeafood: readonly Recipe[] = [
  {
    id: 51,
    en: 'Chicken breast with potatoes and green beans',
    zh: '烤鸡胸土豆四季豆',
    description: {
      en: 'Roasted chicken breast with potatoes, green beans and olive oil.',
      zh: '烤鸡胸肉配土豆和四季豆，淋橄榄油。',
    },
    cuisine: 'western',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'chicken-breast 160g, potato 250g, green-beans 150g, olive-oil 12ml, salt 1g, black-pepper 0.5g',
    ),
  },
  {
    id: 52,
    en: 'Roast chicken thigh with root vegetables',
    zh: '香草烤鸡腿根茎蔬菜',
    description: {
      en: 'Chicken thigh roasted with potato, carrot and onion.',
      zh: '鸡腿和土豆、胡萝卜、洋葱同烤。',
    },
    cuisine: 'western',
    meals: ['dinner'],
    ingredients: serving(
      'chicken-thigh-with-skin 150g, potato 200g, carrot 120g, onion 80g, olive-oil 6ml, oregano 1g, salt 1.5g',
    ),
  },
  {
    id: 53,
    en: 'Chicken salad with parmesan',
    zh: '鸡肉沙拉',
    description: {
      en: 'Grilled chicken breast, romaine lettuce and parmesan.',
      zh: '煎鸡胸肉、罗马生菜和帕玛森奶酪。',
    },
    cuisine: 'western',
    meals: ['lunch'],
    ingredients: serving(
      'chicken-breast-grilled 130g, lettuce-romaine 150g, parmesan 15g, bread-white 1个, olive-oil 12ml, lemon-juice 10ml',
    ),
  },
  {
    id: 54,
    en: 'Spaghetti bolognese',
    zh: '肉酱意面',
    description: {
      en: 'Spaghetti in a sauce of beef and tomato.',
      zh: '牛肉番茄酱配意大利面。',
    },
    cuisine: 'western',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'pasta-dry 80g, beef-ground-lean 100g, tomato-puree 150g, onion 40g, carrot 30g, celery 30g, olive-oil 8ml, parmesan 8g',
    ),
  },
  {
    id: 55,
    en: 'Chili con carne with rice',
    zh: '墨西哥辣肉酱饭',
    description: {
      en: 'A stew of minced beef, kidney beans and tomato.',
      zh: '牛肉末、红腰豆和番茄炖成的辣肉酱。',
    },
    cuisine: 'western',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'beef-ground-lean 100g, kidney-beans-boiled 120g, tomato-puree 150g, onion 60g, garlic 5g, chili-powder 4g, cumin 2g, rapeseed-oil 6ml, rice-white-cooked 140g',
    ),
  },
  {
    id: 56,
    en: 'Peppers stuffed with beef and rice',
    zh: '牛肉酿彩椒',
    description: {
      en: 'Peppers filled with minced beef and rice, baked until soft.',
      zh: '彩椒里填牛肉末和米饭，烤软。',
    },
    cuisine: 'western',
    meals: ['dinner'],
    ingredients: serving(
      'red-pepper 2个, beef-ground-lean 100g, rice-white-cooked 120g, tomato-puree 100g, onion 40g, olive-oil 6ml, salt 1g',
    ),
  },
  {
    id: 57,
    en: 'Steak with baked potato and salad',
    zh: '牛排配烤土豆',
    description: {
      en: 'Grilled steak, a baked potato and a green salad.',
      zh: '煎牛排、烤土豆和一份绿叶沙拉。',
    },
    cuisine: 'western',
    meals: ['dinner'],
    ingredients: serving('beef-steak-grilled 150g, potato-baked 1个, lettuce 60g, tomato 80g, olive-oil 8ml'),
  },
  {
    id: 58,
    en: 'Cheeseburger',
    zh: '芝士牛肉汉堡',
    description: {
      en: 'A lean beef patty with cheddar, lettuce and tomato.',
      zh: '瘦牛肉饼、切达奶酪、生菜和番茄。',
    },
    cuisine: 'western',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'burger-bun 1个, beef-ground-lean 120g, cheddar 20g, lettuce 20g, tomato 50g, pickles 20g, ketchup 15g',
    ),
  },
  {
    id: 59,
    en: 'Pork chop with mashed potatoes and sauerkraut',
    zh: '猪排配土豆泥和酸菜',
    description: {
      en: 'A pork chop with mashed potatoes and sauerkraut.',
      zh: '煎猪排、土豆泥和德式酸菜。',
    },
    cuisine: 'western',
    meals: ['dinner'],
    ingredients: serving('pork-chop-broiled 120g, mashed-potatoes 200g, sauerkraut 120g'),
  },
  {
    id: 60,
    en: 'Lamb chops with couscous',
    zh: '羊排配库斯库斯',
    description: {
      en: 'Lamb chops, couscous and roasted zucchini with mint.',
      zh: '羊排、库斯库斯和烤西葫芦，撒薄荷。',
    },
    cuisine: 'western',
    meals: ['dinner'],
    ingredients: serving(
      'lamb-chop-broiled 100g, couscous-cooked 180g, zucchini 150g, tomato 80g, mint 3g, olive-oil 6ml',
    ),
  },
  {
    id: 61,
    en: 'Baked salmon with quinoa and asparagus',
    zh: '烤三文鱼藜麦芦笋',
    description: {
      en: 'Baked salmon with quinoa and asparagus.',
      zh: '烤三文鱼，配藜麦和芦笋。',
    },
    cuisine: 'western',
    meals: ['lunch', 'dinner'],
    ingredients: serving('salmon 130g, quinoa-raw 55g, asparagus 150g, olive-oil 6ml, lemon-juice 10ml, salt 1g'),
  },
  {
    id: 62,
    en: 'Tuna sandwich',
    zh: '金枪鱼三明治',
    description: {
      en: 'Whole-wheat bread with tuna, lettuce and tomato.',
      zh: '全麦面包夹金枪鱼、生菜和番茄。',
    },
    cuisine: 'western',
    meals: ['lunch'],
    ingredients: serving('bread-whole-wheat 2个, tuna-canned-water 85g, mayonnaise 12g, lettuce 20g, tomato 60g'),
  },
]
