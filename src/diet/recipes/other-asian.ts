import type { Recipe } from '../recipe.ts'
import { serving } from './serving.ts'

/** Dishes of India, Southeast Asia, Japan and Korea. */
export const otherAsian: readonly Recipe[] = [
  {
    id: 70,
    en: 'Lentil and coconut curry with rice',
    zh: '椰香小扁豆咖喱饭',
    description: {
      en: 'Lentils, tomato and spinach stewed in coconut milk.',
      zh: '小扁豆、番茄和菠菜在椰浆里炖熟。',
    },
    cuisine: 'indian',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'lentils-dry 60g, coconut-milk 60ml, tomato 150g, spinach 100g, onion 60g, ginger 5g, garlic 5g, cumin 2g, rapeseed-oil 5ml, rice-white-cooked 140g',
    ),
  },
  {
    id: 71,
    en: 'Chickpea and spinach curry with rice',
    zh: '鹰嘴豆菠菜咖喱饭',
    description: {
      en: 'Chickpeas and spinach stewed with tomato and cumin.',
      zh: '鹰嘴豆和菠菜用番茄、孜然炖香。',
    },
    cuisine: 'indian',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'chickpeas-boiled 180g, spinach 150g, tomato-puree 150g, onion 60g, ginger 5g, garlic 5g, cumin 2g, rapeseed-oil 8ml, rice-white-cooked 150g',
    ),
  },
  {
    id: 72,
    en: 'Thai-style chicken in coconut milk',
    zh: '泰式椰浆鸡肉饭',
    description: {
      en: 'Chicken breast, bamboo shoots and red pepper in coconut milk.',
      zh: '鸡胸肉、竹笋和红椒在椰浆里煮熟。',
    },
    cuisine: 'southeast-asian',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'chicken-breast 130g, coconut-milk 80ml, red-pepper 80g, bamboo-shoots 60g, fish-sauce 8ml, basil 5g, chili 5g, sugar 4g, rice-white-cooked 150g',
    ),
  },
  {
    id: 73,
    en: 'Vietnamese beef noodle soup',
    zh: '越式牛肉河粉',
    description: {
      en: 'Rice noodles, beef, bean sprouts and herbs, with lime.',
      zh: '米粉、牛肉片、豆芽和香草，挤一点青柠。',
    },
    cuisine: 'southeast-asian',
    meals: ['breakfast', 'lunch', 'dinner'],
    ingredients: serving(
      'rice-noodles-dry 80g, beef-sirloin 100g, mung-bean-sprouts 80g, scallion 10g, basil 5g, lime 15g, fish-sauce 10ml, ginger 5g',
    ),
  },
  {
    id: 74,
    en: 'Salmon and avocado rice bowl',
    zh: '三文鱼牛油果盖饭',
    description: {
      en: 'Rice under salmon, avocado and cucumber, with sesame.',
      zh: '米饭铺三文鱼、牛油果和黄瓜，撒芝麻。',
    },
    cuisine: 'japanese',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'rice-white-cooked 200g, salmon 100g, avocado 50g, cucumber 60g, soy-sauce 8ml, sesame-seeds 3g',
    ),
  },
  {
    id: 75,
    en: 'Grilled mackerel with miso soup and rice',
    zh: '烤鲭鱼味噌汤定食',
    description: {
      en: 'Grilled mackerel, miso soup with tofu and wakame, and rice.',
      zh: '烤鲭鱼、豆腐裙带菜味噌汤和米饭。',
    },
    cuisine: 'japanese',
    meals: ['lunch', 'dinner'],
    ingredients: serving('mackerel-baked 90g, miso 15g, tofu 80g, wakame 20g, scallion 5g, rice-white-cooked 170g'),
  },
  {
    id: 76,
    en: 'Bibimbap',
    zh: '韩式拌饭',
    description: {
      en: 'Rice under beef, egg, spinach, bean sprouts and carrot.',
      zh: '米饭上铺牛肉、鸡蛋、菠菜、豆芽和胡萝卜。',
    },
    cuisine: 'korean',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'rice-white-cooked 200g, beef-ground-lean 60g, egg-fried 1个, spinach 70g, mung-bean-sprouts 70g, carrot 40g, soy-sauce 10ml, sesame-oil 5ml, sesame-seeds 2g',
    ),
  },
  {
    id: 77,
    en: 'Kimchi and tofu stew with rice',
    zh: '泡菜豆腐汤饭',
    description: {
      en: 'A hot stew of kimchi, tofu and pork, with rice.',
      zh: '辣白菜、豆腐和猪肉煮成的热汤，配米饭。',
    },
    cuisine: 'korean',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'kimchi 150g, tofu 180g, pork-loin 60g, scallion 10g, garlic 5g, rapeseed-oil 4ml, rice-white-cooked 180g',
    ),
  },
]
