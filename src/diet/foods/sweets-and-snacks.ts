import { foodsOf } from './food-row.ts'

/** Sugar, sweets, pastry and snacks. */
// biome-ignore format: a table, one food a line
export const sweetsAndSnacks = [
  ...foodsOf('plant', [
    ['sugar', 169655, 'sugar, white sugar, rock sugar', '白糖, 白砂糖, 糖, 砂糖, 冰糖', 387, 0, 99.98, 0, 0, { density: 0.85 }],
    ['brown-sugar', 168833, 'brown sugar', '红糖, 黑糖', 380, 0.12, 98.09, 0, 0, { density: 0.93 }],
    ['maple-syrup', 169661, 'maple syrup', '枫糖浆, 枫糖', 260, 0.04, 67.04, 0.06, 0, { density: 1.33 }],
    ['jam', 169641, 'jam, fruit preserves', '果酱, 草莓酱', 278, 0.37, 68.86, 0.07, 1.1, { density: 1.35, portion: 20 }],
    ['marzipan', 170160, 'marzipan, almond paste', '杏仁膏, 杏仁糖泥', 458, 9, 47.81, 27.74, 4.8, { allergens: ['nuts'] }],
    ['potato-chips', 169677, 'potato chips, crisps', '薯片, 土豆片', 532, 6.39, 53.83, 33.98, 3.1, { portion: 28 }],
    ['tortilla-chips', 167558, 'tortilla chips, corn chips', '玉米脆片, 墨西哥玉米片', 472, 7.1, 67.78, 20.68, 5.4, { portion: 28 }],
    ['popcorn', 167959, 'popcorn, air-popped popcorn', '爆米花', 387, 12.94, 77.78, 4.54, 14.5, { portion: 24 }],
    ['pretzels', 167555, 'pretzels', '椒盐脆饼, 椒盐卷饼', 384, 10.04, 80.39, 2.93, 3.4, { portion: 28, allergens: ['gluten'] }],
    ['crackers', 172746, 'crackers, saltines, soda crackers', '苏打饼干, 咸饼干', 418, 9.46, 74.05, 8.64, 2.8, { piece: 3, portion: 30, allergens: ['gluten'] }],
    ['crispbread', 172744, 'crispbread, rye crispbread', '黑麦脆面包, 脆面包片', 334, 9.6, 80.4, 0.9, 22.9, { piece: 11, allergens: ['gluten'] }],
  ]),
  ...foodsOf('dairy-egg', [
    ['honey', 169640, 'honey', '蜂蜜', 304, 0.3, 82.4, 0, 0.2, { density: 1.42 }],
    ['dark-chocolate', 170273, 'dark chocolate', '黑巧克力, 黑巧', 598, 7.79, 45.9, 42.63, 10.9, { portion: 28, allergens: ['soybeans', 'milk'] }],
    ['milk-chocolate', 167587, 'milk chocolate, chocolate', '牛奶巧克力, 巧克力', 535, 7.65, 59.4, 29.66, 3.4, { portion: 28, allergens: ['soybeans', 'milk'] }],
    ['white-chocolate', 167571, 'white chocolate', '白巧克力', 539, 5.87, 59.24, 32.09, 0.2, { portion: 28, allergens: ['soybeans', 'milk'] }],
    ['ice-cream', 167575, 'ice cream, vanilla ice cream', '冰淇淋, 香草冰淇淋, 雪糕', 207, 3.5, 23.6, 11, 0.7, { portion: 66, allergens: ['eggs', 'milk'] }],
    ['ice-cream-chocolate', 168809, 'chocolate ice cream', '巧克力冰淇淋', 216, 3.8, 28.2, 11, 1.2, { portion: 66, allergens: ['eggs', 'milk'] }],
    ['egg-custard', 169595, 'egg custard, baked custard', '焦糖布丁, 鸡蛋布丁', 104, 5.02, 11, 4.58, 0, { portion: 141, allergens: ['eggs', 'milk'] }],
    ['cookies', 172716, 'chocolate chip cookies, cookies', '曲奇, 巧克力曲奇', 492, 5.1, 65.36, 24.72, 2, { piece: 12, allergens: ['gluten', 'eggs', 'soybeans', 'milk'] }],
    ['marie-biscuits', 171867, 'marie biscuits, tea biscuits', '玛丽饼干, 饼干', 406, 7.05, 70.54, 10.58, 3.5, { piece: 6, allergens: ['gluten', 'milk'] }],
    ['granola-bar', 167542, 'granola bar, muesli bar', '燕麦棒, 谷物棒', 471, 10.1, 64.4, 19.8, 5.3, { piece: 25, allergens: ['gluten', 'peanuts', 'soybeans', 'milk', 'nuts'] }],
    ['doughnut', 172758, 'doughnut, donut, glazed doughnut', '甜甜圈', 421, 6.14, 47.93, 22.7, 2.1, { piece: 64, allergens: ['gluten', 'eggs', 'soybeans', 'milk'] }],
    ['blueberry-muffin', 172765, 'blueberry muffin, muffin', '蓝莓玛芬, 蓝莓松饼', 375, 4.49, 53, 16.07, 1.1, { piece: 113, allergens: ['gluten', 'eggs', 'milk'] }],
    ['brownie', 172713, 'brownie', '布朗尼', 405, 4.8, 63.9, 16.3, 2.1, { piece: 56, allergens: ['gluten', 'eggs', 'milk'] }],
    ['chocolate-cake', 174934, 'chocolate cake', '巧克力蛋糕', 389, 3.48, 52.84, 20.05, 2.2, { portion: 80, allergens: ['gluten', 'eggs', 'milk'] }],
    ['banana-bread', 174906, 'banana bread', '香蕉面包, 香蕉蛋糕', 326, 4.3, 54.6, 10.5, 1.1, { portion: 60, allergens: ['gluten', 'eggs', 'milk'] }],
    ['cheesecake', 172711, 'cheesecake', '芝士蛋糕, 奶酪蛋糕', 321, 5.5, 25.5, 22.5, 0.4, { portion: 80, allergens: ['gluten', 'eggs', 'milk'] }],
    ['apple-pie', 175011, 'apple pie', '苹果派', 237, 1.9, 34, 11, 1.6, { portion: 125, allergens: ['gluten', 'milk'] }],
    ['cheese-danish', 172754, 'cheese danish, danish pastry', '丹麦酥, 丹麦面包', 374, 8, 37.2, 21.9, 1, { piece: 71, allergens: ['gluten', 'eggs', 'milk'] }],
  ]),
  ...foodsOf('seafood', [
    ['shrimp-crackers', 173160, 'shrimp crackers, prawn crackers', '虾片, 虾条', 426, 7.14, 59.09, 17.86, 5.6, { portion: 28, allergens: ['gluten', 'crustaceans'] }],
  ]),
]
