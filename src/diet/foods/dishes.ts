import { foodsOf } from './food-row.ts'

/** Dishes that are bought ready, or that FoodData Central itself has as one. */
// biome-ignore format: a table, one food a line
export const dishes = [
  ...foodsOf('plant', [
    ['french-fries', 170698, 'french fries, fries', '薯条, 炸薯条', 312, 3.43, 41.44, 14.73, 3.8, { portion: 117 }],
    ['hash-browns', 170044, 'hash browns', '薯饼, 土豆饼', 219, 2.65, 28.51, 11.59, 3.2, { portion: 60 }],
    ['hummus', 174289, 'hummus', '鹰嘴豆泥', 237, 7.78, 15, 17.82, 5.5, { portion: 30, allergens: ['sesame'] }],
    ['baked-beans', 175182, 'baked beans', '茄汁焗豆, 焗豆', 94, 4.75, 21.14, 0.37, 4.1, { portion: 127 }],
    ['instant-noodles-dry', 171177, 'instant noodles, dry instant noodles, ramen noodles', '方便面, 泡面, 方便面饼', 440, 10.17, 60.26, 17.59, 2.9, { portion: 87, allergens: ['gluten', 'soybeans'] }],
  ]),
  ...foodsOf('dairy-egg', [
    ['mashed-potatoes', 168555, 'mashed potatoes', '土豆泥', 113, 1.86, 16.81, 4.22, 1.5, { portion: 210, allergens: ['milk'] }],
    ['potato-salad', 169269, 'potato salad', '土豆沙拉', 143, 2.68, 11.17, 8.2, 1.3, { portion: 125, allergens: ['eggs', 'mustard'] }],
    ['potato-pancakes', 170092, 'potato pancakes', '土豆煎饼', 268, 6.08, 27.81, 14.76, 3.3, { piece: 37, allergens: ['gluten', 'eggs'] }],
    ['fried-rice', 167668, 'fried rice, egg fried rice', '炒饭, 蛋炒饭', 174, 3.84, 32.5, 3.19, 1.1, { portion: 137, allergens: ['gluten', 'eggs', 'soybeans'] }],
    ['cheese-pizza', 170317, 'cheese pizza, pizza', '芝士披萨, 披萨, 比萨', 268, 10.36, 29.02, 12.28, 2.2, { portion: 107, allergens: ['gluten', 'milk'] }],
    ['hot-cocoa', 171277, 'hot cocoa, hot chocolate', '热可可, 热巧克力', 77, 3.52, 10.74, 2.34, 1, { portion: 250, density: 1.06, allergens: ['milk'] }],
  ]),
  ...foodsOf('meat', [
    ['potstickers', 169773, 'pork dumplings, potstickers, dumplings, wontons', '猪肉饺子, 饺子, 锅贴, 馄饨, 速冻水饺', 136, 8.28, 13.28, 5.52, 1.4, { piece: 20, portion: 200, allergens: ['gluten', 'eggs', 'soybeans', 'sesame'] }],
    ['beef-stew', 173330, 'beef stew, canned beef stew', '罐头炖牛肉, 土豆炖牛肉罐头', 99, 4.41, 7.85, 5.53, 0.9, { portion: 245, allergens: ['gluten'] }],
  ]),
  ...foodsOf('seafood', [
    ['tuna-salad', 175160, 'tuna salad', '金枪鱼沙拉', 187, 16.04, 9.41, 9.26, 0, { portion: 100, allergens: ['eggs', 'fish', 'celery', 'mustard'] }],
    ['kimchi', 170392, 'kimchi', '韩式泡菜, 泡菜, 辣白菜', 15, 1.1, 2.4, 0.5, 1.6, { portion: 50, allergens: ['crustaceans', 'fish'] }],
  ]),
]
