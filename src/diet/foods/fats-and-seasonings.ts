import { foodsOf } from './food-row.ts'

/**
 * Oils, sauces and spices. Fully refined soybean oil needs no declaration under Annex II of Regulation (EU) No
 * 1169/2011; peanut and sesame oil do.
 */
// biome-ignore format: a table, one food a line
export const fatsAndSeasonings = [
  ...foodsOf('plant', [
    ['soybean-oil', 171411, 'soybean oil, vegetable oil, cooking oil, oil', '大豆油, 植物油, 食用油, 色拉油, 豆油', 884, 0, 0, 100, 0, { density: 0.92 }],
    ['rapeseed-oil', 172336, 'rapeseed oil, canola oil', '菜籽油, 芥花油, 菜油', 884, 0, 0, 100, 0, { density: 0.92 }],
    ['peanut-oil', 171410, 'peanut oil, groundnut oil', '花生油', 884, 0, 0, 100, 0, { density: 0.92, allergens: ['peanuts'] }],
    ['sunflower-oil', 171017, 'sunflower oil', '葵花籽油, 葵花油', 884, 0, 0, 100, 0, { density: 0.92 }],
    ['corn-oil', 171029, 'corn oil, maize oil', '玉米油, 玉米胚芽油', 900, 0, 0, 100, 0, { density: 0.92 }],
    ['olive-oil', 171413, 'olive oil', '橄榄油', 884, 0, 0, 100, 0, { density: 0.91 }],
    ['sesame-oil', 171016, 'sesame oil', '芝麻油, 香油, 麻油', 884, 0, 0, 100, 0, { density: 0.92, allergens: ['sesame'] }],
    ['coconut-oil', 171412, 'coconut oil', '椰子油', 892, 0, 0, 99.06, 0, { density: 0.92 }],
    ['avocado-oil', 173573, 'avocado oil', '牛油果油, 鳄梨油', 884, 0, 0, 100, 0, { density: 0.92 }],
    ['walnut-oil', 171030, 'walnut oil', '核桃油', 884, 0, 0, 100, 0, { density: 0.92, allergens: ['nuts'] }],
    ['palm-oil', 171015, 'palm oil', '棕榈油', 884, 0, 0, 100, 0, { density: 0.92 }],
    ['soy-sauce', 174277, 'soy sauce, shoyu, light soy sauce', '酱油, 生抽, 老抽', 53, 8.14, 4.93, 0.57, 0.8, { density: 1.08, allergens: ['gluten', 'soybeans'] }],
    ['soy-sauce-low-sodium', 172473, 'low-sodium soy sauce', '减盐酱油, 低钠酱油, 薄盐生抽', 57, 9.05, 5.59, 0.3, 0.7, { density: 1.08, allergens: ['gluten', 'soybeans'] }],
    ['tamari', 174278, 'tamari', '溜酱油, 日式溜酱油', 60, 10.51, 5.57, 0.1, 0.8, { density: 1.22, allergens: ['soybeans'] }],
    ['miso', 172442, 'miso, miso paste', '味噌, 味增', 198, 12.79, 25.37, 6.01, 5.4, { density: 1.16, allergens: ['gluten', 'soybeans'] }],
    ['hoisin-sauce', 172886, 'hoisin sauce', '海鲜酱, 海鲜酱汁', 220, 3.31, 44.08, 3.39, 2.8, { density: 1.08, allergens: ['gluten', 'soybeans', 'sesame'] }],
    ['teriyaki-sauce', 171167, 'teriyaki sauce', '照烧汁, 照烧酱', 89, 5.93, 15.56, 0.02, 0.1, { density: 1.22, allergens: ['gluten', 'soybeans'] }],
    ['sriracha', 171186, 'sriracha, hot chili sauce', '是拉差辣酱, 是拉差', 93, 1.93, 19.16, 0.93, 2.2, { density: 1.1, allergens: ['sulphites'] }],
    ['ketchup', 168556, 'ketchup, catsup', '番茄酱, 番茄沙司', 101, 1.04, 27.4, 0.1, 0.3, { density: 1.15 }],
    ['mustard', 172234, 'mustard, yellow mustard', '黄芥末, 芥末酱, 黄芥末酱', 60, 3.74, 5.83, 3.34, 4, { density: 1.05, allergens: ['mustard'] }],
    ['barbecue-sauce', 174523, 'barbecue sauce, bbq sauce', '烧烤酱', 172, 0.82, 40.77, 0.63, 0.9, { density: 1.17, allergens: ['mustard'] }],
    ['salsa', 174524, 'salsa', '莎莎酱', 29, 1.52, 6.64, 0.17, 1.9, { density: 1.09 }],
    ['marinara-sauce', 171192, 'marinara sauce, pasta sauce, spaghetti sauce', '意面酱, 番茄意面酱', 50, 1.39, 7.43, 1.61, 1.8, { density: 1.08, portion: 132 }],
    ['italian-dressing', 171019, 'italian dressing', '意式油醋汁, 意大利沙拉汁', 240, 0.41, 12.12, 21.12, 0, { density: 0.99 }],
    ['coconut-milk', 170173, 'canned coconut milk, coconut milk', '椰浆, 椰奶', 197, 2.02, 2.81, 21.33, 0, { density: 0.96 }],
    ['vegetable-broth', 171583, 'vegetable broth, vegetable stock', '蔬菜高汤, 素高汤', 5, 0.24, 0.93, 0.07, 0, { density: 1, allergens: ['celery'] }],
    ['salt', 173468, 'salt, table salt', '盐, 食盐', 0, 0, 0, 0, 0, { density: 1.23 }],
    ['black-pepper', 170931, 'black pepper, pepper', '黑胡椒, 黑胡椒粉, 胡椒', 251, 10.39, 63.95, 3.26, 25.3, { density: 0.47 }],
    ['white-pepper', 170933, 'white pepper', '白胡椒, 白胡椒粉, 胡椒粉', 296, 10.4, 68.61, 2.12, 26.2, { density: 0.48 }],
    ['cumin', 170923, 'cumin, cumin seed', '孜然, 小茴香籽', 375, 17.81, 44.24, 22.27, 10.5, { density: 0.41 }],
    ['chili-powder', 171319, 'chili powder', '辣椒粉', 282, 13.46, 49.7, 14.28, 34.8, { density: 0.54 }],
    ['cinnamon', 171320, 'cinnamon', '肉桂, 肉桂粉, 桂皮', 247, 3.99, 80.59, 1.24, 53.1, { density: 0.53 }],
    ['turmeric', 172231, 'turmeric, ground turmeric', '姜黄, 姜黄粉', 312, 9.68, 67.14, 3.25, 22.7, { density: 0.64 }],
    ['garlic-powder', 171325, 'garlic powder', '蒜粉, 大蒜粉', 331, 16.55, 72.73, 0.73, 9, { density: 0.66 }],
    ['oregano', 171328, 'oregano, dried oregano', '牛至, 披萨草', 265, 9, 68.92, 4.28, 42.5, { density: 0.2 }],
  ]),
  ...foodsOf('dairy-egg', [
    ['margarine', 172346, 'margarine', '人造黄油, 植物黄油, 麦淇淋', 717, 0.16, 0.7, 80.71, 0, { density: 0.96, allergens: ['milk'] }],
    ['mayonnaise', 171009, 'mayonnaise', '蛋黄酱, 美乃滋, 沙拉酱', 680, 0.96, 0.57, 74.85, 0, { density: 0.93, allergens: ['eggs', 'mustard'] }],
    ['ranch-dressing', 173592, 'ranch dressing', '田园沙拉酱, 牧场沙拉酱', 430, 1.32, 5.9, 44.54, 0, { density: 1.01, allergens: ['eggs', 'milk', 'mustard'] }],
    ['pesto', 171579, 'pesto', '青酱, 罗勒青酱', 418, 9.83, 10.09, 37.6, 1.8, { density: 1.06, allergens: ['milk', 'nuts'] }],
  ]),
  ...foodsOf('seafood', [
    ['oyster-sauce', 174529, 'oyster sauce', '蚝油', 51, 1.35, 10.92, 0.25, 0.3, { density: 1.22, allergens: ['gluten', 'soybeans', 'molluscs'] }],
    ['fish-sauce', 174531, 'fish sauce', '鱼露', 35, 5.06, 3.64, 0.01, 0, { density: 1.22, allergens: ['fish'] }],
    ['worcestershire-sauce', 171610, 'worcestershire sauce', '伍斯特酱, 喼汁', 77, 0, 19.17, 0, 0, { density: 1.16, allergens: ['gluten', 'fish'] }],
  ]),
  ...foodsOf('meat', [
    ['lard', 171401, 'lard', '猪油', 902, 0, 0, 100, 0, { density: 0.87 }],
    ['chicken-stock', 172884, 'chicken stock', '鸡高汤, 鸡汤', 36, 2.52, 3.53, 1.2, 0, { density: 1.01, portion: 240, allergens: ['celery'] }],
  ]),
]
