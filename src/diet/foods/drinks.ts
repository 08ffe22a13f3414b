import { foodsOf } from './food-row.ts'

/** Drinks without alcohol: for alcohol the figures of the table cannot account. */
// biome-ignore format: a table, one food a line
export const drinks = foodsOf('plant', [
  ['water', 173647, 'water, drinking water', '水, 饮用水, 清水, 白开水', 0, 0, 0, 0, 0, { portion: 240, density: 1 }],
  ['soda-water', 174842, 'soda water, sparkling water', '苏打水, 气泡水', 0, 0, 0, 0, 0, { portion: 240, density: 1 }],
  ['coffee', 171890, 'coffee, black coffee', '咖啡, 黑咖啡, 美式咖啡', 1, 0.12, 0, 0.02, 0, { portion: 240, density: 1 }],
  ['black-tea', 173227, 'black tea, tea', '红茶, 茶', 1, 0, 0.3, 0, 0, { portion: 240, density: 1 }],
  ['green-tea', 171917, 'green tea', '绿茶', 1, 0.22, 0, 0, 0, { portion: 240, density: 1 }],
  ['oolong-tea', 174120, 'oolong tea', '乌龙茶', 1, 0, 0.15, 0, 0, { portion: 240, density: 1 }],
  ['orange-juice', 169098, 'orange juice', '橙汁, 鲜榨橙汁', 45, 0.7, 10.4, 0.2, 0.2, { portion: 248, density: 1.05 }],
  ['apple-juice', 173933, 'apple juice', '苹果汁', 46, 0.1, 11.3, 0.13, 0.2, { portion: 248, density: 1.05 }],
  ['grapefruit-juice', 173039, 'grapefruit juice', '西柚汁, 葡萄柚汁', 39, 0.5, 9.2, 0.1, 0.1, { portion: 247, density: 1.04 }],
  ['mango-nectar', 167785, 'mango nectar, mango juice', '芒果汁', 51, 0.11, 13.12, 0.06, 0.3, { portion: 251, density: 1.06 }],
  ['grape-juice', 173042, 'grape juice', '葡萄汁', 60, 0.37, 14.77, 0.13, 0.2, { portion: 253, density: 1.07 }],
  ['pineapple-juice', 169947, 'pineapple juice', '菠萝汁', 53, 0.36, 12.87, 0.12, 0.2, { portion: 250, density: 1.06 }],
  ['pomegranate-juice', 167787, 'pomegranate juice', '石榴汁', 54, 0.15, 13.13, 0.29, 0.1, { portion: 249, density: 1.05 }],
  ['tomato-juice', 170545, 'tomato juice', '番茄汁, 西红柿汁', 17, 0.85, 3.53, 0.29, 0.4, { portion: 243, density: 1.03 }],
  ['carrot-juice', 170491, 'carrot juice', '胡萝卜汁', 40, 0.95, 9.28, 0.15, 0.8, { portion: 236, density: 1 }],
  ['coconut-water', 170174, 'coconut water', '椰子水', 19, 0.72, 3.71, 0.2, 1.1, { portion: 240, density: 1.01 }],
  ['cola', 174852, 'cola, coke', '可乐', 42, 0, 10.36, 0.25, 0, { portion: 368, density: 1.04 }],
  ['ginger-ale', 174846, 'ginger ale', '姜汁汽水, 干姜水', 34, 0, 8.76, 0, 0, { portion: 366, density: 1.03 }],
  ['tonic-water', 171869, 'tonic water', '汤力水', 34, 0, 8.8, 0, 0, { portion: 366, density: 1.03 }],
  ['soy-milk', 175215, 'soy milk, unsweetened soy milk', '豆浆, 豆奶, 无糖豆浆', 33, 2.86, 1.74, 1.61, 0.5, { portion: 243, density: 1.03, allergens: ['soybeans'] }],
  ['almond-milk', 174832, 'almond milk, unsweetened almond milk', '杏仁奶, 巴旦木奶', 15, 0.4, 1.31, 0.96, 0.2, { portion: 240, density: 1.02, allergens: ['nuts'] }],
  ['coconut-milk-drink', 174116, 'coconut milk drink', '椰奶饮料, 椰汁', 31, 0.21, 2.92, 2.08, 0, { portion: 244, density: 1.03 }],
])
