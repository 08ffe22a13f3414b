import type { Recipe } from '../recipe.ts'
import { serving } from './serving.ts'

/** Chinese dishes with fish, crustaceans and molluscs. */
export const chineseSeafood: readonly Recipe[] = [
  {
    id: 35,
    en: 'Steamed sea bass with rice',
    zh: '清蒸鲈鱼饭',
    description: {
      en: 'Steamed sea bass under hot oil and soy sauce, with greens and rice.',
      zh: '鲈鱼清蒸，淋热油和酱油，配青菜米饭。',
    },
    cuisine: 'chinese',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'sea-bass 180g, ginger 8g, scallion 10g, soy-sauce 10ml, rapeseed-oil 8ml, bok-choy 150g, rice-white-cooked 160g',
    ),
  },
  {
    id: 36,
    en: 'Boiled shrimp and Chinese broccoli with rice',
    zh: '白灼虾芥蓝饭',
    description: {
      en: 'Boiled shrimp and Chinese broccoli with ginger and soy sauce.',
      zh: '白灼鲜虾和芥蓝，蘸姜丝酱油。',
    },
    cuisine: 'chinese',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'shrimp 150g, chinese-broccoli 200g, ginger 5g, soy-sauce 10ml, rapeseed-oil 8ml, rice-white-cooked 170g',
    ),
  },
  {
    id: 37,
    en: 'Steamed scallops with garlic and glass noodles',
    zh: '蒜蓉粉丝蒸扇贝',
    description: {
      en: 'Scallops steamed on glass noodles under garlic.',
      zh: '扇贝铺粉丝和蒜蓉蒸熟。',
    },
    cuisine: 'chinese',
    meals: ['dinner'],
    ingredients: serving(
      'scallops 150g, glass-noodles-dry 40g, garlic 15g, scallion 5g, soy-sauce 8ml, rapeseed-oil 10ml, rice-white-cooked 100g',
    ),
  },
  {
    id: 38,
    en: 'Luffa with clams and rice',
    zh: '丝瓜蛤蜊饭',
    description: {
      en: 'Luffa cooked with clams in their own juice.',
      zh: '丝瓜和蛤蜊同煮，汤汁鲜甜。',
    },
    cuisine: 'chinese',
    meals: ['dinner'],
    ingredients: serving('luffa 250g, clams-steamed 80g, ginger 5g, rapeseed-oil 8ml, rice-white-cooked 180g'),
  },
  {
    id: 39,
    en: 'Cod in tomato sauce with rice',
    zh: '番茄鱼片饭',
    description: {
      en: 'Slices of cod poached in tomato sauce.',
      zh: '鳕鱼片在番茄汤里滑熟。',
    },
    cuisine: 'chinese',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'cod 180g, tomato 200g, tomato-paste 15g, scallion 5g, corn-starch 5g, rapeseed-oil 8ml, salt 1g, rice-white-cooked 160g',
    ),
  },
]
