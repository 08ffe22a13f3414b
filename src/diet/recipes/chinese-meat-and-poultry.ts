import type { Recipe } from '../recipe.ts'
import { serving } from './serving.ts'

/** Chinese dishes with meat, most of them over rice or noodles. */
export const chineseMeatAndPoultry: readonly Recipe[] = [
  {
    id: 18,
    en: 'Kung pao chicken with rice',
    zh: '宫保鸡丁饭',
    description: {
      en: 'Diced chicken fried fast with peanuts and chili, with rice.',
      zh: '鸡丁、花生米和干辣椒快炒，配米饭。',
    },
    cuisine: 'chinese',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'chicken-breast 140g, peanuts 25g, cucumber 80g, scallion 15g, garlic 6g, chili 8g, soy-sauce 10ml, sugar 5g, corn-starch 5g, rapeseed-oil 10ml, rice-white-cooked 150g',
    ),
  },
  {
    id: 19,
    en: 'Chicken with shiitake and rice',
    zh: '香菇滑鸡饭',
    description: {
      en: 'Chicken thigh steamed with shiitake, its juice over the rice.',
      zh: '鸡腿肉和香菇同蒸，汁水拌饭。',
    },
    cuisine: 'chinese',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'chicken-thigh 150g, shiitake 80g, ginger 5g, soy-sauce 8ml, oyster-sauce 6ml, corn-starch 4g, rapeseed-oil 5ml, rice-white-cooked 160g',
    ),
  },
  {
    id: 20,
    en: 'Chicken and broccoli with brown rice',
    zh: '西兰花鸡胸糙米饭',
    description: {
      en: 'Chicken breast and broccoli with garlic, on brown rice.',
      zh: '蒜香鸡胸肉和西兰花，配糙米饭。',
    },
    cuisine: 'chinese',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'chicken-breast 150g, broccoli 200g, garlic 8g, rapeseed-oil 8ml, salt 1g, rice-brown-cooked 170g',
    ),
  },
  {
    id: 21,
    en: 'Chicken stewed with yam',
    zh: '山药炖鸡',
    description: {
      en: 'A clear stew of chicken thigh and yam, with rice.',
      zh: '鸡腿和山药慢炖的清汤，配米饭。',
    },
    cuisine: 'chinese',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'chicken-thigh 150g, mountain-yam 150g, carrot 50g, goji 5g, ginger 5g, salt 1g, rice-white-cooked 130g',
    ),
  },
  {
    id: 22,
    en: 'Cold noodles with shredded chicken',
    zh: '鸡丝凉面',
    description: {
      en: 'Cold noodles in sesame sauce with shredded chicken and cucumber.',
      zh: '凉面拌芝麻酱，放鸡丝和黄瓜丝。',
    },
    cuisine: 'chinese',
    meals: ['lunch'],
    ingredients: serving(
      'somen-dry 80g, chicken-breast-stewed 80g, cucumber 100g, sesame-paste 15g, soy-sauce 10ml, garlic 5g, sugar 3g',
    ),
  },
  {
    id: 23,
    en: 'Red-braised pork belly with rice',
    zh: '红烧肉饭',
    description: {
      en: 'Pork belly braised in soy sauce and sugar, with greens and rice.',
      zh: '肥瘦相间的五花肉红烧入味，配青菜和米饭。',
    },
    cuisine: 'chinese',
    meals: ['dinner'],
    ingredients: serving(
      'pork-belly 80g, soy-sauce 12ml, sugar 8g, ginger 5g, scallion 10g, bok-choy 150g, rice-white-cooked 150g',
    ),
  },
  {
    id: 24,
    en: 'Shredded pork with green pepper and rice',
    zh: '青椒肉丝饭',
    description: {
      en: 'Strips of pork tenderloin and green pepper, fried over a high flame.',
      zh: '里脊肉丝和青椒丝大火快炒。',
    },
    cuisine: 'chinese',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'pork-tenderloin 120g, green-pepper 120g, soy-sauce 8ml, corn-starch 4g, rapeseed-oil 10ml, rice-white-cooked 160g',
    ),
  },
  {
    id: 25,
    en: 'Moo shu pork with rice',
    zh: '木须肉饭',
    description: {
      en: 'Pork fried with egg, wood ear and cucumber.',
      zh: '肉片、鸡蛋、木耳和黄瓜同炒。',
    },
    cuisine: 'chinese',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'pork-tenderloin 80g, egg 1个, wood-ear-dried 5g, cucumber 80g, soy-sauce 8ml, corn-starch 3g, rapeseed-oil 10ml, rice-white-cooked 160g',
    ),
  },
  {
    id: 26,
    en: 'Green beans with minced pork and rice',
    zh: '四季豆肉末饭',
    description: {
      en: 'Green beans fried soft with minced pork.',
      zh: '四季豆煸软，和肉末一起炒香。',
    },
    cuisine: 'chinese',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'green-beans 200g, pork-ground 70g, garlic 6g, soy-sauce 8ml, rapeseed-oil 6ml, rice-white-cooked 150g',
    ),
  },
  {
    id: 27,
    en: 'Spare ribs and winter melon soup',
    zh: '冬瓜排骨汤',
    description: {
      en: 'A clear soup of spare ribs and winter melon, with a bowl of rice.',
      zh: '排骨和冬瓜清炖，配一碗米饭。',
    },
    cuisine: 'chinese',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'pork-ribs 110g, winter-melon 250g, ginger 5g, scallion 5g, salt 1.5g, rice-white-cooked 160g',
    ),
  },
  {
    id: 28,
    en: 'Spare ribs soup with corn and carrot',
    zh: '玉米胡萝卜排骨汤',
    description: {
      en: 'Corn and carrot sweeten a soup of spare ribs.',
      zh: '玉米和胡萝卜让排骨汤带着清甜。',
    },
    cuisine: 'chinese',
    meals: ['dinner'],
    ingredients: serving('pork-ribs 110g, corn 120g, carrot 100g, ginger 5g, salt 1.5g, rice-white-cooked 100g'),
  },
  {
    id: 29,
    en: 'Spare ribs and lotus root soup',
    zh: '莲藕排骨汤',
    description: {
      en: 'Lotus root and spare ribs, stewed slowly until soft.',
      zh: '粉糯的莲藕和排骨慢火炖成。',
    },
    cuisine: 'chinese',
    meals: ['dinner'],
    ingredients: serving('pork-ribs 100g, lotus-root 180g, ginger 5g, scallion 5g, salt 1.5g, rice-white-cooked 100g'),
  },
  {
    id: 30,
    en: 'Beef stewed with tomato and potato',
    zh: '番茄土豆炖牛肉',
    description: {
      en: 'Beef, tomato and potato stewed until thick, with rice.',
      zh: '牛肉、番茄和土豆炖到汤汁浓稠，配米饭。',
    },
    cuisine: 'chinese',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'beef-sirloin 130g, tomato 200g, potato 150g, onion 50g, rapeseed-oil 8ml, salt 1.5g, rice-white-cooked 120g',
    ),
  },
  {
    id: 31,
    en: 'Beef and broccoli in oyster sauce',
    zh: '蚝油牛肉西兰花',
    description: {
      en: 'Tender slices of beef and broccoli in oyster sauce.',
      zh: '嫩牛肉片和西兰花用蚝油炒。',
    },
    cuisine: 'chinese',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'beef-sirloin 130g, broccoli 200g, oyster-sauce 12ml, soy-sauce 5ml, corn-starch 4g, garlic 5g, rapeseed-oil 10ml, rice-white-cooked 160g',
    ),
  },
  {
    id: 32,
    en: 'Noodles with beef brisket and tomato',
    zh: '番茄牛腩面',
    description: {
      en: 'Noodles in tomato broth with braised brisket and greens.',
      zh: '炖软的牛腩配番茄汤面和青菜。',
    },
    cuisine: 'chinese',
    meals: ['lunch', 'dinner'],
    ingredients: serving('somen-dry 80g, beef-brisket-braised 80g, tomato 200g, bok-choy 100g, soy-sauce 8ml'),
  },
  {
    id: 33,
    en: 'Lamb with cumin and rice',
    zh: '孜然羊肉饭',
    description: {
      en: 'Lamb and onion fried with cumin and chili powder.',
      zh: '羊肉和洋葱用孜然、辣椒粉爆炒。',
    },
    cuisine: 'chinese',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'lamb-leg 150g, onion 100g, cumin 3g, chili-powder 2g, cilantro 10g, rapeseed-oil 10ml, salt 1g, rice-white-cooked 160g',
    ),
  },
  {
    id: 34,
    en: 'Yangzhou fried rice',
    zh: '扬州炒饭',
    description: {
      en: 'Fried rice with egg, shrimp, ham and peas.',
      zh: '鸡蛋、虾仁、火腿和豌豆的什锦炒饭。',
    },
    cuisine: 'chinese',
    meals: ['lunch', 'dinner'],
    ingredients: serving(
      'rice-white-cooked 220g, egg 1个, shrimp 40g, ham 30g, peas 30g, carrot 30g, scallion 10g, rapeseed-oil 10ml, salt 1g',
    ),
  },
]
